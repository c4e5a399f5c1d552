package engine

import (
	"slices"
	"testing"
)

// Ether that nobody asked for is forced on contracts that read balances; the amount
// that they do not expect is found, and the witness can be replayed.
func TestForcedEther(t *testing.T) {
	b := compile(t, "testdata/Forced.sol")
	for _, row := range []struct {
		name string
		txs  []string
	}{
		{"Empty", []string{"selfdestruct", "check"}},
		{"Booked", []string{"deposit", "selfdestruct", "check"}},
	} {
		found := failing(run(t, b, row.name, Options{MaxInputs: 200, Seed: 1, Oracles: []string{"assertion"}}))
		if len(found) != 1 {
			t.Fatalf("%s: %d findings", row.name, len(found))
		}
		var names []string
		for _, tx := range found[0].Witness.Txs {
			names = append(names, tx.Function.Name)
		}
		if !slices.Equal(names, row.txs) {
			t.Errorf("%s: %s", row.name, found[0].Witness)
		}
		replayed(t, b, row.name, found[0].Witness)
	}
}

// What only a well-known account of tests may sign is signed by it.
func TestWellKnownSigner(t *testing.T) {
	b := compile(t, "testdata/Signed.sol")
	found := failing(run(t, b, "Signed", Options{MaxInputs: 3000, Seed: 1, Oracles: []string{"assertion"}}))
	if len(found) != 1 {
		t.Fatalf("%d findings", len(found))
	}
	replayed(t, b, "Signed", found[0].Witness)
}
