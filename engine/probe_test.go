package engine

import (
	"slices"
	"strings"
	"testing"
)

// Mocks stand where code calls contracts at addresses that it computes. What is behind such a
// call is found with each seed, and replayed.
func TestComputedAddresses(t *testing.T) {
	b := compile(t, "testdata/Pooled.sol")
	for name, told := range map[string]int{"Quotes": 1, "Syncs": 0} {
		for seed := range uint64(4) {
			found := failing(run(t, b, name, Options{MaxInputs: 3000, Seed: seed}))
			if len(found) != 1 || found[0].Oracle != "assertion" {
				t.Fatalf("%s, seed %d: %d findings", name, seed, len(found))
			}
			made := found[0].Witness.Deployment.Creations
			if last := made[len(made)-1]; !last.Named || last.Class() != "Answers" || len(last.Setup) < told {
				t.Errorf("%s, seed %d: %+v", name, seed, last)
			}
			replayed(t, b, name, found[0].Witness)
		}
	}
}

// A campaign with mocks at computed addresses is repeatable.
func TestProbeRepeats(t *testing.T) {
	b := compile(t, "testdata/Pooled.sol")
	one := run(t, b, "Quotes", Options{MaxInputs: 2000, Seed: 1})
	other := run(t, b, "Quotes", Options{MaxInputs: 2000, Seed: 1})
	if one.Stats.Paths != other.Stats.Paths || one.Stats.Inputs != 2000 || len(one.Findings) != len(other.Findings) {
		t.Errorf("%+v, then %+v", one.Stats, other.Stats)
	}
}

// Where a contract computes the addresses of its own children, these come to be.
func TestOwnChildrenAreNotMocked(t *testing.T) {
	b := compile(t, "testdata/Pooled.sol")
	found := failing(run(t, b, "Nest", Options{MaxInputs: 3000, Seed: 1}))
	if len(found) != 1 || !strings.Contains(found[0].Message, "laid() != 7") {
		t.Fatalf("%d findings", len(found))
	}
	for _, c := range found[0].Witness.Deployment.Creations {
		if c.Named || !slices.Contains([]string{"Nest", "Egg"}, c.Class()) {
			t.Errorf("%+v", c)
		}
	}
}
