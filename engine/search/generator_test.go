package search_test

import (
	"math/rand/v2"
	"testing"

	"leveret/engine/input"
	"leveret/engine/search"
	"leveret/engine/search/searchtest"
)

// A sequence is proposed once.
func TestPropose(t *testing.T) {
	d := searchtest.New(t, searchtest.Compile(t, "testdata/Phases.sol"), "Phases", 1)
	open, pay := d.Generator.NewTx(d.Callee(t, "open").Callee), d.Generator.NewTx(d.Callee(t, "pay").Callee)
	one, other := input.Sequence{Txs: []input.Tx{open, pay}}, input.Sequence{Txs: []input.Tx{pay, open}}
	for i, row := range []struct {
		seq input.Sequence
		new bool
	}{{one, true}, {one, false}, {other, true}, {one, false}, {other, false}} {
		if got := d.Generator.Propose(row.seq); got != row.new {
			t.Errorf("proposal %d is new: %v", i, got)
		}
	}
}

// Each index is drawn half as often as the one before it.
func TestHalving(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	const draws, n = 8000, 3
	var count [n]int
	for range draws {
		count[search.Halving(r, n)]++
	}
	for i, eighths := range [n]float64{4, 2, 1} {
		want := draws / 8 * (eighths + 1.0/n) // the rest is drawn evenly
		if got := float64(count[i]); got < want-200 || got > want+200 {
			t.Errorf("index %d is drawn %v of %d times, want about %v", i, got, draws, want)
		}
	}
}
