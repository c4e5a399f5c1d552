package solve

import (
	"slices"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/demand"
	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/engine/shadow"
)

// Needs returns the storage words that the condition of a branch depended on when a
// taint run saw it last; none if it saw none.
func (s *Solver) Needs(b cover.Branch) []evm.Slot { return s.needs[b] }

// The share of the work that repairs may take, besides that of other taint runs, what they
// may take at first, and the share of Wants, which is one of the taint runs'.
const (
	repairShare   = 0.1
	repairInitial = 40e6
	wantsShare    = 0.05
)

// proposalsToRepair bounds the sequences that one repair proposes.
const proposalsToRepair = 8

// Affordable reports whether Wants took no more than its share of the work so far.
func (s *Solver) Affordable() bool { return s.wants.Allows(s.search.Progress.Work) }

// Repair runs a sequence whose last transaction should have taken some branches with
// taint tracking. Of the first decision that differs, or of the last one if none
// does, it returns sequences that may decide it otherwise, and the storage that
// would. It returns nothing if there is no budget.
func (s *Solver) Repair(seq input.Sequence, like []cover.Branch) (sequences []input.Sequence, goals []demand.SlotGoal) {
	if !s.repairs.Allows(s.search.Progress.Work) {
		return nil, nil
	}
	defer s.taint.measure()()
	defer func(before uint64) {
		s.repairs.Spent += s.taint.budget.Spent - before
		s.taint.budget.Spent = before
	}(s.taint.budget.Spent)
	e := &corpus.Entry{Sequence: seq}
	p := s.proposalsFor(e)
	if p == nil {
		return nil, nil
	}
	at := s.firstUnlike(s.taint.observer.Branches, like)
	if at < 0 {
		return nil, nil
	}
	p.most = proposalsToRepair
	p.take = func(child input.Sequence) { sequences = append(sequences, child) }
	d := &s.taint.observer.Branches[at]
	p.compare(d)
	p.extend("operand", "xor") // hash and sign again what is hashed and signed
	p.flip(d)
	return sequences, s.Wants(seq, like)
}

// Wants returns the storage that would decide the first decision of the last
// transaction that differs from some branches, or the last one, otherwise. Only that
// transaction is run with taint tracking.
func (s *Solver) Wants(seq input.Sequence, like []cover.Branch) (goals []demand.SlotGoal) {
	if s.options.NoDemand {
		return nil
	}
	defer func(before uint64) { s.wants.Spent += s.taint.budget.Spent - before }(s.taint.budget.Spent)
	state := s.search.Corpus.LastState(&corpus.Entry{Sequence: seq})
	decisions := s.taint.decisions(state, seq.Last())
	at := s.firstUnlike(decisions, like)
	if at < 0 {
		return nil
	}
	for _, goal := range stateGoals(seq, state.World, &decisions[at]) {
		goals = append(goals, goal.Slots...)
	}
	return goals
}

// firstUnlike returns the index of the first decision with a side that is not among
// some branches; of the last one of watched code if there is none, or -1.
func (s *Solver) firstUnlike(decisions []shadow.Decision, like []cover.Branch) int {
	last := -1
	for i := range decisions {
		d := &decisions[i]
		b, ok := s.search.Subject.Cover.Branch(d.Code, d.PC, d.Taken)
		if !ok || !s.search.Subject.Watched(d.Code) {
			continue
		}
		if last = i; like != nil && !slices.Contains(like, b) {
			return i
		}
	}
	return last
}
