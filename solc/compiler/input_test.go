package compiler

import (
	"encoding/json"
	"testing"

	"leveret/solc"
	"leveret/solc/version"
)

// TestInputFitsVersion checks that the input has only settings that the
// compiler version knows.
func TestInputFitsVersion(t *testing.T) {
	s := solc.Settings{Optimizer: true, OptimizerRuns: 7, ViaIR: true, EVMVersion: "cancun"}
	for release, want := range map[string]inputSettings{
		"0.4.11": {},
		"0.6.0":  {Metadata: map[string]string{"bytecodeHash": "none"}, EVMVersion: "istanbul"}, // the last version that it knows
		"0.8.24": {Metadata: map[string]string{"bytecodeHash": "none"}, ViaIR: true, EVMVersion: "cancun"},
	} {
		v, _ := version.Parse(release)
		text, err := json.Marshal(newInput(v, map[string][]byte{"A.sol": []byte("é\"")}, []string{"a=b"}, s))
		var in standardInput
		if err != nil || json.Unmarshal(text, &in) != nil {
			t.Fatalf("%s, %v", text, err)
		}
		got := in.Settings
		if got.ViaIR != want.ViaIR || got.EVMVersion != want.EVMVersion || len(got.Metadata) != len(want.Metadata) {
			t.Errorf("%s: %+v", release, got)
		}
		if got.Optimizer != (inputOptimizer{true, 7}) || got.Remappings[0] != "a=b" || in.Sources["A.sol"].Content != "é\"" {
			t.Errorf("%s: %s", release, text)
		}
	}
}
