package engine

import (
	"testing"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/demand"
	"leveret/engine/input"
)

// What one function met in the code that it shares with another, the other has
// to meet, too.
func TestSharedChecksAreMetByEachFunction(t *testing.T) {
	b := compile(t, "testdata/Novice.sol")
	for seed := range uint64(8) {
		r := run(t, b, "Novice", Options{MaxInputs: 4000, Seed: seed, StopOnFirst: true, Oracles: []string{"assertion"}})
		if found := failing(r); len(found) == 0 {
			t.Errorf("seed %d: not found in %d inputs", seed, r.Stats.Inputs)
		} else {
			t.Logf("seed %d: %d inputs", seed, found[0].Inputs)
		}
	}
}

// A function is a novice until it comes to its end, and each for itself.
func TestNovices(t *testing.T) {
	b := compile(t, "testdata/Novice.sol")
	c, err := newCampaign(t.Context(), contract(t, b, "Novice"), b.Contracts, Options{MaxInputs: 1})
	if err != nil {
		t.Fatal(err)
	}
	calling := func(name string, success bool, branches ...cover.Branch) *corpus.Entry {
		for _, f := range c.callees {
			if f.Function.Name == name {
				tx := input.Tx{To: f.Address, Function: f.Function}
				return &corpus.Entry{Sequence: input.Sequence{Txs: []input.Tx{tx}}, Success: success, Branches: branches}
			}
		}
		t.Fatalf("no function %s", name)
		return nil
	}
	const met, own, never = cover.Branch(2), cover.Branch(4), cover.Branch(6)
	move, safe := calling("move", true, met), calling("safeMove", false, own)
	for _, e := range []*corpus.Entry{move, safe} {
		c.corpus.Cover(e.Branches)
		c.practise(e)
	}
	for _, row := range []struct {
		entry  *corpus.Entry
		branch cover.Branch
		unseen bool
	}{
		{move, met, false}, {move, own, false}, {move, never, true},
		{safe, met, true}, {safe, own, false}, {safe, never, true},
	} {
		if got := c.unseen(row.branch, row.entry.Sequence.Last()); got != row.unseen {
			t.Errorf("%s: outcome %d unseen: %v", row.entry.Function().Name, row.branch, got)
		}
	}
	c.practise(calling("safeMove", true))
	if _, ok := c.novices[demand.CalleeOf(safe.Sequence.Last())]; ok || c.unseen(met, safe.Sequence.Last()) {
		t.Error("what came to its end is a novice still")
	}
}
