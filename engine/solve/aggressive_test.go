package solve

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/cover"
	"leveret/engine/demand"
	"leveret/engine/evm"
	"leveret/engine/exec"
	"leveret/engine/input"
	"leveret/engine/mutate"
	"leveret/engine/search"
	"leveret/engine/search/searchtest"
)

// A new path that only overridden storage leads to becomes a state goal. While
// the path stays, the override is moved towards the real value, to distances
// that are powers of two.
func TestGoalsAreMinimised(t *testing.T) {
	s := newSolving(t, searchtest.Compile(t, "../testdata/Abused.sol"), "Bounded")
	s.calls(t, 0, "give", 3)
	e := s.calls(t, 0, "spend", 1<<60).Entry
	counter := evm.Slot{Address: e.Sequence.Last().To}
	far := new(uint256.Int).Lsh(uint256.NewInt(1), 200)
	next := s.Corpus.Child(e, e.Sequence, mutate.Diff{First: 0})
	next.Storage = []exec.Override{{Slot: counter, Value: far.Bytes32()}}
	nearest, runs := *far, 0
	var minimiser *goalMinimiser
	for ; next != nil; next = s.Queue.Take() {
		r := s.Execute(next)
		if runs++; runs > 2+8 {
			t.Fatal("it is no binary search")
		}
		if value := new(uint256.Int).SetBytes32(next.Storage[0].Value[:]); r.Succeeded() && value.Lt(&nearest) {
			nearest = *value
		}
		s.Aggressive.Learn(r)
		for _, m := range s.Aggressive.minimisers {
			minimiser = m
		}
	}
	if !nearest.Eq(uint256.NewInt(1 << 61)) {
		t.Errorf("the nearest override that suffices is %v", &nearest)
	}
	if goal := minimiser.goal.Slots; len(goal) != 1 || goal[0].Slot != counter || !goal[0].Want.Eq(&nearest) || goal[0].Accept != demand.Beyond {
		t.Errorf("the goal is %+v", goal)
	}
	if s.Generator.Demand.MarkOf(s.Callee(t, "spend").Callee) == nil {
		t.Error("the function is not marked")
	}
	attempt := s.attempt()
	if attempt == nil || attempt.Sequence.Last().Function.Name != "spend" || !s.Execute(attempt).Succeeded() {
		t.Error("no sequence is tried that reaches the goal")
	}
	if len(s.Aggressive.minimisers) > 0 {
		t.Errorf("%d minimisers are left", len(s.Aggressive.minimisers))
	}
}

// Overrides of an aggressive input are of words that the entry reads, each once.
// Inputs on known paths, and failed ones, give no state goal.
func TestAggressiveInputs(t *testing.T) {
	s := newSolving(t, searchtest.Compile(t, "../testdata/Abused.sol"), "Bounded")
	if s.Aggressive.Next() != nil {
		t.Error("there is an input though there is no entry")
	}
	e := s.calls(t, 0, "spend", 100).Entry
	for range 50 {
		next := s.Aggressive.Next()
		if next == nil || next.Parent != e || len(next.Storage) != 1 || next.Storage[0].Slot.Address != e.Sequence.Last().To {
			t.Fatalf("the input is %+v", next)
		}
	}
	same := s.Corpus.Child(e, e.Sequence, mutate.Diff{First: 0})
	same.Storage = []exec.Override{{Slot: evm.Slot{Address: e.Sequence.Last().To}, Value: uint256.NewInt(50).Bytes32()}}
	s.Aggressive.Learn(s.Execute(same))
	s.Aggressive.Learn(s.calls(t, 0, "give", 1)) // on real storage
	if s.Queue.Len() > 0 || s.attempt() != nil {
		t.Error("there is a state goal")
	}
}

// Groups leave out words that hold identities if there are others, are bounded
// for each branch, and end when the branch is covered.
func TestSlotGroups(t *testing.T) {
	s := newSolving(t, searchtest.Compile(t, "../testdata/Abused.sol"), "Anywhere")
	done := s.Callee(t, "done")
	tx := input.Tx{From: input.User1, To: done.Address, Function: done.Function}
	e := s.Execute(s.Generator.Single(tx, nil)).Entry
	owner, number := evm.Slot{Address: done.Address}, evm.Slot{Address: done.Address, Key: common.Hash{31: 1}}
	const open, other = cover.Branch(1 << 20), cover.Branch(1<<20 + 2)

	s.Groups.add(e, open, []evm.Slot{owner, number})
	s.Groups.add(e, open, []evm.Slot{owner}) // of the same entry
	s.Groups.add(e, open, nil)
	s.Groups.add(near(1), open, make([]evm.Slot, maxGroupSlots+1))
	if len(s.Groups.groups) != 1 || len(s.Groups.groups[0].slots) != 1 || s.Groups.groups[0].slots[0] != number {
		t.Fatalf("the groups are %+v", s.Groups.groups)
	}
	next := s.Groups.Next()
	if next == nil || next.Parent != e || len(next.Storage) != 1 || next.Storage[0].Slot != number {
		t.Errorf("the input is %+v", next)
	}
	s.Groups.add(e, other, []evm.Slot{owner})
	for n := range groupsPerBranch {
		s.Groups.add(near(n), open, []evm.Slot{owner, number})
	}
	if len(s.Groups.groups) != 1+groupsPerBranch || s.Groups.groups[0].open != other || s.Groups.groups[1].entry.Number != 0 {
		t.Errorf("the groups are %+v", s.Groups.groups)
	}
	s.Corpus.Cover([]cover.Branch{open})
	if next := s.Groups.Next(); next == nil || next.Storage[0].Slot != owner || len(s.Groups.groups) != 1 {
		t.Errorf("the groups are %+v", s.Groups.groups)
	}
	s.Corpus.Cover([]cover.Branch{other})
	if s.Groups.Next() != nil {
		t.Error("a group is left for a covered branch")
	}
}

// ReturnValue finds what a caller of the attacker contract compares the answer
// with.
func TestReturnValue(t *testing.T) {
	s := newSolving(t, searchtest.Compile(t, "testdata/Hooked.sol"), "Hooked")
	call := func(name string, answer uint64) *search.Result {
		callee := s.Callee(t, name)
		tx := input.Tx{From: input.Attacker, To: callee.Address, Function: callee.Function}
		tx.Script = &input.Script{Answers: [][]uint256.Int{{*uint256.NewInt(answer)}}}
		return s.Execute(s.Generator.Single(tx, nil))
	}
	value, ok := s.Solver.ReturnValue(call("hand", 5).Sequence)
	if !ok || !value.Eq(uint256.NewInt(424242)) {
		t.Fatalf("the value is %v, %v", &value, ok)
	}
	if !call("hand", value.Uint64()).Succeeded() {
		t.Error("the caller does not go on with it")
	}
	if value, ok := s.Solver.ReturnValue(call("push", 5).Sequence); ok {
		t.Errorf("a caller that compares nothing compares with %v", &value)
	}
}
