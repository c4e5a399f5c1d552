package engine

import (
	"slices"
	"testing"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/input"
)

// Last, and so the first to be looked at, is what has a goal in sight that was
// looked at least, and the newest of these; what can reach no target comes
// after all others; what has no goal left is gone.
func TestTurnOfInspections(t *testing.T) {
	b := compile(t, "testdata/Novice.sol")
	c, err := newCampaign(t.Context(), contract(t, b, "Novice"), b.Contracts, Options{MaxInputs: 1})
	if err != nil {
		t.Fatal(err)
	}
	const often, seldom, never = cover.Metric(1<<62 | 1), cover.Metric(1<<62 | 2), cover.Metric(1<<62 | 3)
	c.looks[often], c.looks[seldom] = 9, 2
	waits := func(number int, stray bool, goals ...cover.Metric) {
		e := &corpus.Entry{Number: number, Sequence: input.Sequence{Txs: []input.Tx{{To: c.callees[0].Address, Function: c.callees[0].Function}}}}
		for _, g := range goals {
			e.Costs = append(e.Costs, cover.Cost{Metric: g})
		}
		c.postponed = append(c.postponed, postponed{Entry: e, stray: stray})
	}
	waits(0, false, often)
	waits(1, false, seldom, never)
	waits(2, true, never)
	waits(3, false)
	waits(4, false, often, seldom)
	waits(5, false, often)
	c.rank()
	var order []int
	for _, p := range c.postponed {
		order = append(order, p.Number)
	}
	if want := []int{2, 0, 5, 4, 1}; !slices.Equal(order, want) {
		t.Errorf("order is %v, want %v", order, want)
	}
}

// A campaign does not keep all that waits, but what it drops is what was looked
// at most.
func TestPostponedAreBounded(t *testing.T) {
	b := compile(t, "testdata/Novice.sol")
	c, err := newCampaign(t.Context(), contract(t, b, "Novice"), b.Contracts, Options{MaxInputs: 1})
	if err != nil {
		t.Fatal(err)
	}
	const often, never = cover.Metric(1<<62 | 1), cover.Metric(1<<62 | 2)
	c.looks[often] = 1
	for n := range 3*maxPostponed + 1 {
		goal := often
		if n%8 == 0 {
			goal = never
		}
		c.inspect(&corpus.Entry{Number: n, Costs: []cover.Cost{{Metric: goal}}, Sequence: input.Sequence{Txs: []input.Tx{{To: c.callees[0].Address, Function: c.callees[0].Function}}}})
		if len(c.postponed) >= 2*maxPostponed {
			t.Fatalf("%d wait", len(c.postponed))
		}
	}
	kept := 0
	for _, p := range c.postponed {
		if p.Costs[0].Metric == never {
			kept++
		}
	}
	if want := (3*maxPostponed + 8) / 8; kept != want {
		t.Errorf("%d of what was never looked at wait, want %d", kept, want)
	}
}
