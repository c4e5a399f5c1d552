package engine

import "testing"

// Calls go on to name what an earlier call made by a hash when that call changes, and tokens
// that nobody deployed give way to contracts that answer.
func TestIdentifiers(t *testing.T) {
	b := compile(t, "testdata/Offers.sol")
	for _, name := range []string{"Encoded", "Packed", "Touched"} {
		for seed := range uint64(3) {
			found := failing(run(t, b, name, Options{MaxInputs: 6000, Seed: seed}))
			if len(found) != 1 || found[0].Oracle != "assertion" {
				t.Errorf("%s, seed %d: %d findings", name, seed, len(found))
				continue
			}
			t.Log(name, seed, found[0].Inputs)
			replayed(t, b, name, found[0].Witness)
		}
	}
}
