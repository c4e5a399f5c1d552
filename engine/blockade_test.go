package engine

import (
	"slices"
	"testing"

	"leveret/engine/finding"
	"leveret/engine/oracle"
)

// What the attacker gets by calling an initializer before the project does is a note,
// also where only contracts can call it.
func TestBlockadeInitializers(t *testing.T) {
	for file, name := range map[string]string{"miss_initializer_08.sol": "Burnable", "miss_created_08.sol": "Pool"} {
		r := run(t, compile(t, "oracle/testdata/dos-failed-call/"+file), name, Options{MaxInputs: 3000, Seed: 1})
		i := slices.IndexFunc(r.Findings, func(f finding.Finding) bool { return f.Oracle == oracle.DosFailedCall.Name })
		if i < 0 || r.Findings[i].Severity != finding.Information {
			t.Errorf("%s: %d of %d findings: %+v", name, i, len(r.Findings), r.Findings)
		}
	}
}
