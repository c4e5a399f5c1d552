package engine

import (
	"slices"

	"github.com/holiman/uint256"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/demand"
	"leveret/engine/evm"
	"leveret/engine/exec"
	"leveret/engine/input"
	"leveret/engine/predict"
	"leveret/engine/shadow"
)

// An aim is what an input was made for: an outcome that was never seen, in
// sight on the path of an Entry.
type aim struct {
	goal    cover.Metric
	on      *corpus.Entry
	repairs int              // of what stood in the way, so far
	led     *input.Parameter // of the last Tx, that leads a write to the probe slot; nil: none does
	met     bool             // an input that was made for it came there
}

// An obstacle is an outcome that turned an input away on its way to a goal.
type obstacle struct {
	goal cover.Metric
	at   cover.Branch
}

// Bounds of repairing: how often on one way to a goal, how often for one goal,
// and how often for one obstacle on the way to it.
const (
	maxRepairs   = 4
	maxObstacles = 48
	maxHopes     = 6
)

// obstructed looks at an input that was made for a goal and left the path
// before it came there. What would turn the condition that stood in the way is
// tried: other parameters, another signature, a later time; or, if it depends on storage, another
// state. Then the input, and the storage that lets it pass, become a Dream for
// demand to fulfil. So a lock that opens after a week, or a bound that only
// wraps when a counter was abused, does not hide what lies behind it. Where an
// input came through in the end, the goal itself is solved for in the state
// that it found.
func (c *campaign) obstructed(r *result, to aim) {
	all := obstacle{goal: to.goal}
	if to.repairs >= maxRepairs || c.obstacles[all] >= maxObstacles || c.seen(&to) || !c.inspecting.Allows(c.work) {
		return
	}
	inSight := func(cost cover.Cost) bool { return cost.Metric == to.goal }
	if predict.Reached(to.goal, r.Run.Costs) || to.repairs == 0 && slices.ContainsFunc(r.Run.Costs, inSight) {
		return // met, or no further away than before
	}
	c.obstacles[all]++
	defer exec.Stopwatch(c.options.Now, &c.result.Stats.Shadow)()
	s := c.reenact(c.entry(r))
	if s == nil {
		return
	}
	to.repairs++
	s.aim = &to
	for i := range s.observer.Branches {
		d := &s.observer.Branches[i]
		b, ok := c.cover.Branch(d.Code, d.PC, d.Taken)
		if !ok || slices.Contains(to.on.Branches, b) && cover.BranchMetric(b.Other(), 0) != to.goal {
			continue
		}
		this := obstacle{to.goal, b + 1} // never 0, which is all of the goal's
		if c.obstacles[this] < maxHopes {
			c.obstacles[this]++
			s.bound, s.repairing = repairProposals, true
			s.compare(d)
			s.extend("operand", "xor") // what is hashed or signed is hashed and signed anew
			s.turn(d)
			c.hope(s.entry, &to, i, i+1)
		}
		return
	}
}

// repairProposals bounds the inputs proposed to turn one obstacle.
const repairProposals = 4

// decisions runs one Tx in the shadow tier by itself: what is in storage
// before it is a source like any other.
func (c *campaign) decisions(at exec.State, tx *input.Tx) []shadow.Decision {
	c.observer.Attach(shadow.NewState())
	_, outcome := c.judge.executor.Transact(at, tx, nil, c.observer.Hooks())
	c.inspecting.Spent += exec.ShadowCost * exec.Cost(&outcome)
	if outcome.Halt == evm.ErrCancelled {
		return nil
	}
	return c.observer.Branches
}

// passing makes Dreams, one for each storage word and value of it, in which a
// decision of the last Tx goes the other way.
func passing(s input.Sequence, world *evm.World, d *shadow.Decision) []demand.StateGoal {
	var wishes []demand.SlotGoal
	for leaf := range d.Condition.Leaves {
		for _, side := range turning(leaf) {
			for _, flow := range side.word.Flows() {
				field, ok := flow.Solve(side.target)
				if !ok || flow.Source.Kind != shadow.FromStorage {
					continue
				}
				had := world.Storage(flow.Source.Address, flow.Source.Slot)
				wish := demand.SlotGoal{Slot: evm.Slot{Address: flow.Source.Address, Key: flow.Source.Slot}, Accept: side.or}
				wish.Have.SetBytes32(had[:])
				wish.Want = flow.Blend(&wish.Have, &field)
				wish.Mask = flow.Blend(new(uint256.Int), new(uint256.Int).SetAllOne())
				if wish.Want != wish.Have && !slices.Contains(wishes, wish) {
					wishes = append(wishes, wish)
				}
			}
		}
	}
	dreams := make([]demand.StateGoal, len(wishes))
	for i, wish := range wishes {
		dreams[i] = demand.StateGoal{Sequence: s, Slots: []demand.SlotGoal{wish}}
	}
	return dreams
}

// A turn is a value of one operand that turns a comparison, and what else
// would.
type turn struct {
	word   shadow.Word
	target *uint256.Int
	or     demand.Accept
}

// turning lists the nearest values of each operand that turn a comparison, or
// a word that is taken for a truth value.
func turning(leaf *shadow.Condition) []turn {
	holds := leaf.Holds()
	switch {
	case leaf.Form == shadow.Compare:
		or := demand.Beyond
		switch leaf.Relation {
		case shadow.Equal:
			or = elseIf(holds)
		case shadow.Differ:
			or = elseIf(!holds)
		}
		return []turn{
			{leaf.Left, leaf.Relation.Targets(&leaf.R, holds)[0], or},
			{leaf.Right, leaf.Relation.Mirror().Targets(&leaf.L, holds)[0], or},
		}
	case leaf.L.IsZero():
		return []turn{{leaf.Left, uint256.NewInt(1), demand.AnyOther}}
	}
	return []turn{{leaf.Left, new(uint256.Int), demand.Exact}}
}

// elseIf is what else turns an equality: anything, if it is to be broken.
func elseIf(holds bool) demand.Accept {
	if holds {
		return demand.AnyOther
	}
	return demand.Exact
}

// hope makes Dreams of what would turn the decisions of the last Tx of e, from
// the nth on, that open says are worth it.
func (c *campaign) hope(e *corpus.Entry, to *aim, from, until int) {
	if c.options.NoDemand {
		return
	}
	last := len(e.Sequence.Txs) - 1
	at := c.statesOf(e)[last]
	for i, d := range c.decisions(at, &e.Sequence.Txs[last]) {
		goal := to
		switch {
		case i < from || i >= until:
			continue
		case to == nil:
			b, ok := c.openBranch(&d, e)
			if !ok {
				continue
			}
			goal = &aim{goal: cover.BranchMetric(b, 0), on: e}
			c.entangle(e, b, &d)
		}
		for _, dream := range passing(e.Sequence, at.World, &d) {
			dream.Origin = goal
			c.demand.AddGoal(c.random, dream)
		}
	}
}
