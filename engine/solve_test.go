package engine

import (
	"testing"

	"leveret/engine/cover"
	"leveret/engine/exec"
	"leveret/engine/input"
)

// What was made for an aim that was met meanwhile does not run; the rest does,
// in order.
func TestProposalsForWhatWasMetAreLeftOut(t *testing.T) {
	b := compile(t, "testdata/Ways.sol")
	c, err := newCampaign(t.Context(), contract(t, b, "Ways"), b.Contracts, Options{MaxInputs: 1})
	if err != nil {
		t.Fatal(err)
	}
	calling := func(name string, to *aim) *candidate {
		for _, f := range c.callees {
			if f.Function.Name == name {
				return &candidate{aim: to, Job: exec.Job{Sequence: input.Sequence{Txs: []input.Tx{{To: f.Address, Function: f.Function}}}}}
			}
		}
		t.Fatalf("no function %s", name)
		return nil
	}
	seen, missed := cover.BranchMetric(0, 0), cover.BranchMetric(2, 0)
	c.corpus.Cover([]cover.Branch{0})
	met := calling("direct", &aim{goal: missed, met: true})
	none, open, again := &candidate{}, calling("direct", &aim{goal: missed}), calling("direct", &aim{goal: seen})
	viewed, views := calling("looks", &aim{goal: seen}), calling("looks", &aim{goal: missed})
	queue := []*candidate{met, none, met, open, viewed, again, views, viewed}
	for i, want := range []*candidate{none, open, again, views, nil} {
		if got := c.takeOpen(&queue); got != want {
			t.Errorf("the candidate taken at %d is another", i)
		}
	}
}

// An input that comes where it was meant to says so to the others of its aim.
func TestAimsAreMet(t *testing.T) {
	b := compile(t, "testdata/Ways.sol")
	c, err := newCampaign(t.Context(), contract(t, b, "Ways"), b.Contracts, Options{MaxInputs: 400, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	c.loop(t.Context())
	e := c.corpus.Entries[0]
	s := c.reenact(e)
	taken := e.Branches[len(e.Branches)-1]
	s.aimAt(cover.BranchMetric(taken, 0))
	one := s.aim
	s.aimAt(cover.BranchMetric(taken.Other(), 0))
	other := s.aim
	if s.aimAt(one.goal); s.aim != one || other == one {
		t.Error("one goal of an Entry has two aims, or two have one")
	}
	for _, to := range []*aim{one, other} {
		r := &result{candidate: &candidate{Job: exec.Job{Sequence: e.Sequence}, aim: to, parent: e}, Result: exec.Result{Run: cover.Run{Branches: e.Branches, Costs: e.Costs}}}
		c.solve(r)
	}
	if !one.met || other.met {
		t.Errorf("met: %v, not met: %v", one.met, !other.met)
	}
}
