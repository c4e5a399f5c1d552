package solve

import (
	"testing"

	"github.com/holiman/uint256"

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
		for _, d := range s.Solver.taint.decisions(r.States[0], &tx) {
			list := stateGoals(r.Sequence, r.States[0].World, &d)
			if len(list) == 0 {
				continue
			}
			goals++
			slot := list[0].Slots[0]
			if len(list) != 1 || len(list[0].Slots) != 1 || !slot.Want.Eq(uint256.NewInt(n+1)) || slot.Accept != demand.Beyond {
				t.Errorf("the goals of %d are %+v", n, list)
			}
			storage := []exec.Override{{Slot: slot.Slot, Value: slot.Want.Bytes32()}}
			if _, outcome := s.Replayer.Transact(r.States[0], &tx, storage, nil); (outcome.Status == evm.Success) == (n == 123456789) {
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
