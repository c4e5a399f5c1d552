package engine

import (
	"testing"
)

// Branches in shared code are solved for each function that shares it.
func TestSharedChecksAreMetByEachFunction(t *testing.T) {
	b := compile(t, "testdata/Novice.sol")
	for seed := range uint64(8) {
		r := run(t, b, "Novice", Options{MaxInputs: 8000, Seed: seed, StopOnFirst: true, Oracles: []string{"assertion"}})
		if found := failing(r); len(found) == 0 {
			t.Errorf("seed %d: not found in %d inputs", seed, r.Stats.Inputs)
		} else {
			t.Logf("seed %d: %d inputs", seed, found[0].Inputs)
		}
	}
}
