package compiler

import (
	"encoding/json"
	"slices"
	"strings"
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
		"0.6.0":  {Metadata: map[string]any{"bytecodeHash": "none"}, EVMVersion: "istanbul"}, // the last version that it knows
		"0.8.24": {Metadata: map[string]any{"bytecodeHash": "none"}, ViaIR: true, EVMVersion: "cancun"},
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
		if !got.Optimizer.Enabled || got.Optimizer.Runs != 7 || got.Remappings[0] != "a=b" || in.Sources["A.sol"].Content != "é\"" {
			t.Errorf("%s: %s", release, text)
		}
	}
}

// TestInputCode checks the settings about what is in the code, which older compilers
// do not know.
func TestInputCode(t *testing.T) {
	s := solc.Settings{BytecodeHash: "ipfs", RevertStrings: "strip", Details: solc.Optimizer{"cse": true, "inliner": false}}
	bare := s
	bare.NoMetadata = true
	for _, row := range []struct {
		release  string
		settings solc.Settings
		want     string
	}{
		{"0.5.17", s, `{"optimizer":{"enabled":false,"runs":0,"details":{"cse":true}}`},
		{"0.8.4", bare, `{"optimizer":{"enabled":false,"runs":0,"details":{"cse":true}},"metadata":{"bytecodeHash":"ipfs"},"debug":{"revertStrings":"strip"}`},
		{"0.8.30", s, `{"optimizer":{"enabled":false,"runs":0,"details":{"cse":true,"inliner":false}},"metadata":{"bytecodeHash":"ipfs"},"debug":{"revertStrings":"strip"}`},
		{"0.8.30", bare, `"metadata":{"appendCBOR":false,"bytecodeHash":"none"},"debug":{"revertStrings":"strip"}`},
	} {
		v, _ := version.Parse(row.release)
		in := newInput(v, nil, nil, row.settings).Settings
		in.EVMVersion, in.OutputSelection = "", nil
		text, err := json.Marshal(in)
		if err != nil || !strings.Contains(string(text), row.want) {
			t.Errorf("%s: %s, %v", row.release, text, err)
		}
	}
}

// TestInputGenerated checks that the compiler's own sources are requested unless the
// settings leave them out.
func TestInputGenerated(t *testing.T) {
	for _, without := range []bool{false, true} {
		wanted := newInput(version.Version{Major: 0, Minor: 8, Patch: 30}, nil, nil, solc.Settings{NoGenerated: without}).Settings.OutputSelection["*"]["*"]
		for _, of := range []string{"evm.bytecode.", "evm.deployedBytecode."} {
			if slices.Contains(wanted, of+"generatedSources") == without || !slices.Contains(wanted, of+"sourceMap") {
				t.Errorf("without %v: %q", without, wanted)
			}
		}
	}
}
