package solve

import (
	"slices"
	"testing"

	"github.com/holiman/uint256"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/demand"
	"leveret/engine/evm"
	"leveret/engine/exec"
	"leveret/engine/input"
	"leveret/engine/search"
	"leveret/engine/search/searchtest"
)

// A decision on a storage word, such as a bound, becomes a state goal: with the
// word that it asks for, the same transaction goes the other way.
func TestBoundsBecomeStateGoals(t *testing.T) {
	s := explored(t, searchtest.Compile(t, "../testdata/Abused.sol"), "Bounded", 1)
	spend := s.Callee(t, "spend")
	for _, n := range []uint64{0, 1, 123456789, 1 << 60} {
		tx := input.Tx{From: input.User1, To: spend.Address, Function: spend.Function, Args: spend.Function.Zero()}
		tx.Args[0].Word.SetUint64(n)
		r := s.Execute(s.Generator.Single(tx, nil))
		if r.Succeeded() {
			t.Fatalf("%d is within the bound", n)
		}
		goals := 0
		for _, d := range s.Solver.taint.decisions(r.At, &tx) {
			list := stateGoals(r.Sequence, r.At.World, &d)
			if len(list) == 0 {
				continue
			}
			goals++
			slot := list[0].Slots[0]
			if len(list) != 1 || len(list[0].Slots) != 1 || !slot.Want.Eq(uint256.NewInt(n+1)) || slot.Accept != demand.Beyond {
				t.Errorf("the goals of %d are %+v", n, list)
			}
			storage := []exec.Override{{Slot: slot.Slot, Value: slot.Want.Bytes32()}}
			if _, outcome := s.Replayer.Transact(r.At, &tx, storage, nil); (outcome.Status == evm.Success) == (n == 123456789) {
				t.Errorf("%d ends in %v with %s in storage", n, outcome.Status, slot.Want.Dec())
			}
		}
		if goals != 1 {
			t.Errorf("%d decisions of %d have state goals", goals, n)
		}
	}
}

// What lies behind a bound is reached by sequences that were made for a state
// goal: no other source makes sequences of several transactions here.
func TestBoundsArePassed(t *testing.T) {
	s := newSolving(t, searchtest.Compile(t, "../testdata/Abused.sol"), "Bounded")
	next := func() *search.Candidate {
		for _, source := range []func() *search.Candidate{s.urgent, s.Solver.Next} {
			if c := source(); c != nil {
				return c
			}
		}
		return s.Generator.Fresh()
	}
	s.Seed()
	passed := false
	for n := 0; n < 2000 && !passed; n++ {
		s.explore(1, next, func(r *search.Result) { passed = r.Real() && r.Shows(cover.Panicked) })
	}
	if !passed {
		t.Errorf("not passed in %d inputs", s.Progress.Inputs)
	}
}

// missed returns an aim at the uncovered branch that an entry misses by a
// distance.
func (s *solving) missed(t *testing.T, e *corpus.Entry, distance uint64) *Aim {
	t.Helper()
	for _, cost := range e.Costs {
		if b, ok := cost.Metric.Branch(); ok && !s.Corpus.Covered(b) && cost.Value.Eq(uint256.NewInt(distance)) {
			return &Aim{goal: cover.BranchMetric(b, 0), on: e, corpus: s.Corpus}
		}
	}
	t.Fatalf("no branch is missed by %d: %+v", distance, e.Costs)
	return nil
}

// An input that was made for an aim and that another branch blocks is repaired:
// proposals for the same aim pass that branch.
func TestBlockedInputsAreRepaired(t *testing.T) {
	s := newSolving(t, searchtest.Compile(t, "testdata/Locked.sol"), "Locked")
	const week = 7 * 86400
	e := s.calls(t, 2*week, "open", 84).Entry
	aim := s.missed(t, e, 7)
	blocked := s.calls(t, 0, "open", 77)
	if blocked.Succeeded() {
		t.Fatal("nothing blocks the input")
	}
	s.Solver.blockedBy(blocked, *aim)
	reached := false
	proposed := slices.Concat(s.Queue.All(), s.Solver.waiting.All())
	if len(proposed) == 0 || len(proposed) > proposalsToPass {
		t.Errorf("%d inputs are proposed", len(proposed))
	}
	for _, c := range proposed {
		if to, ok := c.Purpose.(*Aim); !ok || to.goal != aim.goal || to.repairs != 1 {
			t.Errorf("the purpose is %+v", c.Purpose)
		}
		r := s.Execute(c)
		b, _ := aim.goal.Branch()
		reached = reached || slices.Contains(r.Run.Branches, b) && r.Sequence.Last().Delay.Seconds == week
	}
	if !reached {
		t.Error("no proposal passes the blocking branch at the first possible time")
	}
}

// Where storage decides about the blocking branch, the input becomes a state
// goal for the same aim.
func TestBlockedInputsBecomeStateGoals(t *testing.T) {
	s := newSolving(t, searchtest.Compile(t, "../testdata/Abused.sol"), "Bounded")
	e := s.calls(t, 0, "give", 1, "spend", 123456798).Entry
	aim := s.missed(t, e, 9)
	s.calls(t, 0, "give", 1)
	blocked := s.calls(t, 0, "spend", 123456789)
	if blocked.Succeeded() || blocked.Shows(cover.Panicked) {
		t.Fatal("nothing blocks the input")
	}
	s.Solver.blockedBy(blocked, *aim)
	attempt := s.attempt()
	if attempt == nil {
		t.Fatal("there is no state goal")
	}
	if to, ok := attempt.Purpose.(*Aim); !ok || to.goal != aim.goal {
		t.Errorf("the purpose is %+v", attempt.Purpose)
	}
	if r := s.Execute(attempt); !r.Shows(cover.Panicked) {
		t.Errorf("%v does not reach the aim", attempt.Sequence)
	}
}

// Inputs that came as near as before, and those for an aim that needs no more
// inputs, are not repaired; neither are those that were repaired often.
func TestRepairsAreBounded(t *testing.T) {
	s := newSolving(t, searchtest.Compile(t, "testdata/Locked.sol"), "Locked")
	const weeks = 14 * 86400
	e := s.calls(t, weeks, "open", 84).Entry
	aim := s.missed(t, e, 7)
	blocked := s.calls(t, 0, "open", 77)
	repairs := func(r *search.Result, to Aim) bool {
		before := s.Solver.blocked[blockingBranch{goal: aim.goal}]
		s.Solver.blockedBy(r, to)
		return s.Solver.blocked[blockingBranch{goal: aim.goal}] > before
	}
	if repairs(s.calls(t, weeks, "open", 85), *aim) {
		t.Error("an input that is as near is repaired")
	}
	often := *aim
	if often.repairs = maxRepairs; repairs(blocked, often) {
		t.Error("an input is repaired too often")
	}
	for n := range maxBlockedPerGoal {
		if !repairs(blocked, *aim) {
			t.Fatalf("not repaired after %d others", n)
		}
	}
	if repairs(blocked, *aim) {
		t.Error("too many inputs are repaired for one goal")
	}
	clear(s.Solver.blocked)
	if s.Corpus.Cover(s.calls(t, weeks, "open", 77).Run.Branches); repairs(blocked, *aim) {
		t.Error("an input is repaired though its branch is covered")
	}
}
