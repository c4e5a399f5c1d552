package attack

import (
	"testing"

	"github.com/holiman/uint256"

	"leveret/engine/input"
	"leveret/engine/search/searchtest"
)

// Only contracts that read balances have ether forced on them, and none of their code
// runs then.
func TestForced(t *testing.T) {
	b := searchtest.Compile(t, "../testdata/Forced.sol")
	for name, want := range map[string]bool{"Empty": true, "Booked": true, "Indifferent": false} {
		d := searchtest.New(t, b, name, 1)
		f := NewForced(d.Search, nil)
		if f.Active() != want {
			t.Errorf("%s: %v", name, f.Active())
		}
		if !want {
			continue
		}
		d.Seed()
		for next := d.Next(); next != nil && d.Progress.Inputs < 20; next = d.Next() {
			d.Execute(next)
		}
		seen := false
		for range 20 {
			next := f.Next()
			for _, tx := range next.Sequence.Txs {
				seen = seen || tx.Function.Forces() && !tx.Value.IsZero() && tx.To == d.Subject.Deployment.UnderTest().Address
			}
			d.Execute(next)
		}
		if !seen {
			t.Errorf("%s: no ether is forced on it", name)
		}
		under := d.Subject.Deployment.UnderTest().Address
		tx := input.Tx{From: input.User1, To: under, Function: input.Forced, Value: *uint256.NewInt(7)}
		next, outcome := d.Executor.Transact(d.Subject.Start, &tx, nil, nil)
		if wei := next.World.Balance(under); wei.Uint64() != 7 || outcome.Status != 0 {
			t.Errorf("%s has %s wei: %+v", name, &wei, outcome)
		}
	}
}
