package solve

import (
	"slices"

	"github.com/holiman/uint256"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/demand"
	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/engine/predict"
	"leveret/engine/search"
	"leveret/engine/shadow"
)

// A blockingBranch turned an input away on its way to a goal.
type blockingBranch struct {
	goal cover.Metric
	at   cover.Branch // 0: all of the goal's; else the branch plus 1
}

// Bounds of passing blocking branches: on one way to a goal, for one goal, and
// for one branch on the way to it.
const (
	maxRepairs         = 4
	maxBlockedPerGoal  = 48
	maxBlockedByBranch = 6
	proposalsToPass    = 4
)

// blockedBy follows up an input that was made for an aim and left the path
// before it got there. It proposes inputs that flip the blocking branch: other
// parameters, another signature, a later time. If the condition depends on
// storage, the input and the storage that lets it pass become a state goal.
// So a lock that opens after a week, or a bound that wraps only once a counter
// was abused, does not hide what lies behind it.
func (s *Solver) blockedBy(r *search.Result, to Aim) {
	all := blockingBranch{goal: to.goal}
	if to.repairs >= maxRepairs || s.blocked[all] >= maxBlockedPerGoal || s.isCovered(&to) || !s.taint.allows() {
		return
	}
	inSight := func(cost cover.Cost) bool { return cost.Metric == to.goal }
	if predict.Reached(to.goal, r.Run.Costs) || to.repairs == 0 && slices.ContainsFunc(r.Run.Costs, inSight) {
		return // reached, or no farther away than before
	}
	s.blocked[all]++
	defer s.taint.measure()()
	e := s.search.Corpus.NewEntry(r)
	p := s.proposalsFor(e)
	if p == nil {
		return
	}
	to.repairs++
	for i := range s.taint.observer.Branches {
		d := &s.taint.observer.Branches[i]
		b, ok := s.search.Subject.Cover.Branch(d.Code, d.PC, d.Taken)
		if aimed := cover.BranchMetric(b.Other(), 0) == to.goal; !ok || !aimed && (d.Returned() || slices.Contains(to.on.Branches, b)) {
			continue
		}
		this := blockingBranch{to.goal, b + 1}
		if s.blocked[this] < maxBlockedByBranch {
			s.blocked[this]++
			p.most, p.aim, p.fixed = proposalsToPass, &to, true
			p.compare(d)
			p.extend("operand", "xor") // hash and sign again what is hashed and signed
			p.flip(d)
			s.addGoals(e, &to, i, i+1)
		}
		return
	}
}

// isCovered reports whether an aim needs no more inputs.
func (s *Solver) isCovered(to *Aim) bool {
	if b, ok := to.goal.Branch(); ok {
		return !to.shared && !s.search.Corpus.Uncovered(b, to.on.Sequence.Last())
	}
	return s.predict.Seen(to.goal)
}

// addGoals makes state goals of what would flip the decisions of the last
// transaction of e from one index to another. Without an aim, of those that
// are open.
func (s *Solver) addGoals(e *corpus.Entry, to *Aim, from, until int) {
	if s.options.NoDemand {
		return
	}
	at := s.search.Corpus.LastState(e)
	for i, d := range s.taint.decisions(at, e.Sequence.Last()) {
		if i < from || i >= until {
			continue
		}
		aim := to
		if to == nil {
			b, ok := s.openBranch(&d, e)
			if !ok {
				continue
			}
			aim = s.aim(cover.BranchMetric(b, 0), e)
			s.groups.add(e, b, s.taint.storageOf(&d))
		}
		for _, goal := range stateGoals(e.Sequence, at.World, &d) {
			goal.Origin = aim
			s.search.Generator.Demand.AddGoal(s.search.Generator.Random, goal)
		}
	}
}

// stateGoals returns a goal for each storage word, and value of it, that flips a
// decision of the last transaction.
func stateGoals(s input.Sequence, world *evm.World, d *shadow.Decision) []demand.StateGoal {
	var slots []demand.SlotGoal
	for leaf := range d.Condition.Leaves {
		for _, side := range flips(leaf) {
			for _, flow := range side.word.Flows() {
				field, ok := flow.Solve(side.target)
				if !ok || flow.Source.Kind != shadow.FromStorage {
					continue
				}
				had := world.Storage(flow.Source.Address, flow.Source.Slot)
				goal := demand.SlotGoal{Slot: evm.Slot{Address: flow.Source.Address, Key: flow.Source.Slot}, Accept: side.or}
				goal.Have.SetBytes32(had[:])
				goal.Want = flow.Blend(&goal.Have, &field)
				goal.Mask = flow.Blend(new(uint256.Int), new(uint256.Int).SetAllOne())
				if goal.Want != goal.Have && !slices.Contains(slots, goal) {
					slots = append(slots, goal)
				}
			}
		}
	}
	goals := make([]demand.StateGoal, len(slots))
	for i, goal := range slots {
		goals[i] = demand.StateGoal{Sequence: s, Slots: []demand.SlotGoal{goal}}
	}
	return goals
}

// A flip is a value of one operand that flips a comparison, and what else
// would.
type flip struct {
	word   shadow.Word
	target *uint256.Int
	or     demand.Accept
}

// flips returns the nearest value of each operand that flips a comparison, or a
// word that is tested for zero.
func flips(leaf *shadow.Condition) []flip {
	holds := leaf.Holds()
	switch {
	case leaf.Form == shadow.Compare:
		or := demand.Beyond
		switch leaf.Relation {
		case shadow.Equal:
			or = anythingIf(holds)
		case shadow.Differ:
			or = anythingIf(!holds)
		}
		return []flip{
			{leaf.Left, leaf.Relation.Targets(&leaf.R, holds)[0], or},
			{leaf.Right, leaf.Relation.Mirror().Targets(&leaf.L, holds)[0], or},
		}
	case leaf.L.IsZero():
		return []flip{{leaf.Left, uint256.NewInt(1), demand.AnyOther}}
	}
	return []flip{{leaf.Left, new(uint256.Int), demand.Exact}}
}

// anythingIf returns what else flips an equality: anything if it holds.
func anythingIf(holds bool) demand.Accept {
	if holds {
		return demand.AnyOther
	}
	return demand.Exact
}
