package plan

import (
	"testing"

	"github.com/holiman/uint256"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/demand"
	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/engine/search/searchtest"
)

// A budgeted implements Repairs. It finds nothing and counts its calls.
type budgeted struct {
	affordable bool
	asked      int
}

func (b *budgeted) Needs(cover.Branch) []evm.Slot { return nil }

func (b *budgeted) Repair(input.Sequence, []cover.Branch) ([]input.Sequence, []demand.SlotGoal) {
	b.asked++
	return nil, nil
}

func (b *budgeted) Affordable() bool { return b.affordable }

func (b *budgeted) Wants(input.Sequence, []cover.Branch) []demand.SlotGoal {
	b.asked++
	return nil
}

// A plan takes over a nearer entry once there is budget for it.
func TestNearerEntriesWait(t *testing.T) {
	d := searchtest.New(t, searchtest.Compile(t, "../search/testdata/Phases.sol"), "Phases", 1)
	d.Seed()
	d.Run(len(d.Subject.Callees), d.Next, d.Approach)
	var nearest *corpus.Entry
	var p *plan
	for _, b := range d.Corpus.Missed() {
		if nearest, _ = d.Corpus.Best(b); nearest != nil {
			p = newPlan(b)
			break
		}
	}
	if p == nil {
		t.Fatal("no branch is missed")
	}
	repairs := &budgeted{}
	s := New(d.Search, nil, nil, repairs)
	farther := &corpus.Entry{}
	p.entry, p.nearest, p.entries = farther, *new(uint256.Int).SetAllOne(), len(d.Corpus.Entries)
	if s.refresh(p); p.entry != farther || repairs.asked > 0 {
		t.Errorf("a nearer entry is taken over without a budget, after %d questions", repairs.asked)
	}
	repairs.affordable = true
	if s.refresh(p); p.entry != nearest || repairs.asked == 0 {
		t.Error("the nearer entry is not taken over with a budget")
	}
}
