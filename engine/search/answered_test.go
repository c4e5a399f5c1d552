package search_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/input"
	"leveret/engine/search"
	"leveret/engine/search/searchtest"
)

// An input whose calls the attacker contract answers is an entry of its own, though a
// precompile that answers leads through the same branches: its answers can be changed.
func TestAnsweredPath(t *testing.T) {
	d := searchtest.New(t, searchtest.Compile(t, "../oracle/testdata/assertion/hit_effect_08.sol"), "Sums", 1)
	count := func(token common.Address) search.Result {
		tx := d.Generator.NewTx(d.Callee(t, "count").Callee)
		tx.Args[0] = input.NewAddress(token)
		r := search.Execute(d.Executor, d.Generator.Single(tx, d.Origin))
		r.Run.Keep()
		return *r
	}
	hash, attacker := count(common.Address{19: 2}), count(input.Attacker.Address())
	if !hash.Succeeded() || len(hash.Run.Asked) > 0 || !attacker.Succeeded() || len(attacker.Run.Asked) == 0 {
		t.Fatalf("the precompile leads to %v, asked %v; the attacker to %v, asked %v", hash.Outcome.Status, hash.Run.Asked, attacker.Outcome.Status, attacker.Run.Asked)
	}
	if attacker.Run.Path == hash.Run.Path {
		t.Error("both are one path")
	}
}
