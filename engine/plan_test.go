package engine

import "testing"

// Sequences are planned that lead to states over several words, in an order that later
// calls need, with arguments and signatures that depend on the state.
func TestPlans(t *testing.T) {
	b := compile(t, "testdata/Sequences.sol")
	for _, row := range []struct {
		name   string
		inputs int
	}{{"Lock", 12000}, {"Queue", 6000}, {"Permits", 4000}, {"Turns", 8000}} {
		found := failing(run(t, b, row.name, Options{MaxInputs: row.inputs, Seed: 1, Oracles: []string{"assertion"}}))
		if len(found) != 1 {
			t.Errorf("%s: %d findings", row.name, len(found))
			continue
		}
		replayed(t, b, row.name, found[0].Witness)
	}
}
