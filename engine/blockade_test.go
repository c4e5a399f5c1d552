package engine

import (
	"testing"

	"leveret/engine/finding"
	"leveret/engine/oracle"
)

// What the attacker gets by calling an initializer before the project does is a note,
// also where only contracts can call it.
func TestBlockadeInitializers(t *testing.T) {
	for file, name := range map[string]string{"miss_initializer_08.sol": "Burnable", "miss_created_08.sol": "Pool"} {
		r := run(t, compile(t, "oracle/testdata/dos-failed-call/"+file), name, Options{MaxInputs: 3000, Seed: 1})
		n := 0
		for _, f := range r.Findings {
			if f.Oracle != oracle.DosFailedCall.Name {
				continue
			}
			if n++; f.Severity != finding.Information {
				t.Errorf("%s: %s: %s", name, f.Severity, f.Message)
			}
		}
		if n == 0 {
			t.Errorf("%s: nothing is found", name)
		}
	}
}
