package solve

import (
	"testing"

	"leveret/engine/search/searchtest"
)

// Wants has a share of the work, though it is not refused without.
func TestWantsAreAffordable(t *testing.T) {
	s := newSolving(t, searchtest.Compile(t, "testdata/Locked.sol"), "Locked")
	e := s.calls(t, 2*7*86400, "open", 84).Entry
	s.Solver.wants.Initial = 0
	if !s.Solver.Affordable() {
		t.Error("nothing is affordable at first")
	}
	taint := s.Solver.taint.budget.Spent
	s.Solver.Wants(e.Sequence, e.Branches)
	spent := s.Solver.wants.Spent
	if spent == 0 || s.Solver.taint.budget.Spent != taint+spent {
		t.Errorf("%d spent, of %d of taint runs", spent, s.Solver.taint.budget.Spent-taint)
	}
	s.Progress.Work = 0
	if s.Solver.Affordable() {
		t.Error("more is affordable")
	}
	if s.Solver.Wants(e.Sequence, e.Branches); s.Solver.wants.Spent != 2*spent {
		t.Error("it is refused")
	}
	if s.Progress.Work = uint64(2 * float64(spent) / wantsShare); !s.Solver.Affordable() {
		t.Error("nothing is affordable after more work")
	}
}
