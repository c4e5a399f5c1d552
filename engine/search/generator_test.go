package search_test

import (
	"math/rand/v2"
	"slices"
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

// A candidate that is changed further keeps what it shares with its parent, which is not
// changed; one that was not made at random stays.
func TestFurther(t *testing.T) {
	d := searchtest.New(t, searchtest.Compile(t, "testdata/Phases.sol"), "Phases", 1)
	kept, changed, single := 0, 0, 0
	for range 3000 {
		next := d.Next()
		made, was, parent := *next, input.Digest(next.Sequence), input.Sequence{}
		if next.Parent != nil {
			parent = next.Parent.Sequence
		}
		before, text := next.Sequence.String(), parent.String()
		made.Sequence.Txs = slices.Clone(made.Sequence.Txs) // they are changed in place
		if further := next; d.Generator.Further(further) {
			first := further.Change.First
			if first > made.Change.First || further.Parent != made.Parent || further.Origin != made.Origin {
				t.Fatalf("%+v became %+v", made, further)
			}
			for i := range first {
				if a, b := input.DigestTx(0, &made.Sequence.Txs[i]), input.DigestTx(0, &further.Sequence.Txs[i]); a != b {
					t.Fatalf("%s became %s, of which %d should be the same", before, further.Sequence, first)
				}
				kept++
			}
			if input.Digest(further.Sequence) != was {
				changed++
			}
			if further.Change.Single {
				single++
			}
			fixed := made
			if fixed.Random = false; d.Generator.Further(&fixed) {
				t.Fatal("a candidate that was not made at random is changed further")
			}
		}
		if parent.String() != text {
			t.Fatalf("the parent %s became %s", text, parent)
		}
		d.Execute(next)
	}
	if kept < 100 || changed < 1000 || single > changed/2 {
		t.Errorf("%d were changed further, %d of them in the same place, and kept %d transactions", changed, single, kept)
	}
}

// Parts of a search prefer different functions, two of them the halves of one split, and call all.
func TestDivide(t *testing.T) {
	build := searchtest.Compile(t, "testdata/Phases.sol")
	const draws = 8000
	counts := func(part int) map[string]int {
		d, n := searchtest.New(t, build, "Phases", 1), map[string]int{}
		d.Generator.Divide(part)
		for range draws {
			n[d.Generator.Callee().Function.Name]++
		}
		return n
	}
	even, one, two := counts(0), counts(1), counts(2)
	preferred := 0
	for name, n := range even {
		if one[name] < n/2 || two[name] < n/2 {
			t.Errorf("%s is called %d and %d times of %d", name, one[name], two[name], n)
		}
		if more := one[name] > n; more == (two[name] > n) {
			t.Errorf("%s is called %d times, by the parts %d and %d times", name, n, one[name], two[name])
		} else if more {
			preferred++
		}
	}
	if preferred == 0 || preferred == len(even) {
		t.Errorf("part 1 prefers %d of %d functions", preferred, len(even))
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
