package engine

import (
	"slices"

	"github.com/holiman/uint256"

	"leveret/engine/cover"
	"leveret/engine/demand"
	"leveret/engine/evm"
	"leveret/engine/predict"
	"leveret/engine/shadow"
)

// maxObstacles bounds how often an obstacle on the way to a goal is looked at.
const maxObstacles = 6

// obstructed looks at a prediction that left the path before it came to its
// goal. If the condition that turned it away depends on storage, then another
// state is what it takes: the input, and the storage that lets it pass, become
// a Dream for demand to fulfil. So a bound that only wraps when a counter was
// abused does not hide what lies behind it.
func (c *campaign) obstructed(r *result) {
	goal := r.solving.Goal
	if c.options.NoDemand || c.obstacles[goal] >= maxObstacles || c.predictor.Seen(goal) {
		return
	}
	inSight := func(cost cover.Cost) bool { return cost.Metric == goal }
	if predict.Reached(goal, r.run.Costs) || slices.ContainsFunc(r.run.Costs, inSight) {
		return // met, or not on the way
	}
	c.obstacles[goal]++
	for _, d := range c.decisions(r) {
		b, ok := c.cover.Branch(d.Code, d.PC, d.Taken)
		if !ok || slices.Contains(r.parent.Branches, b) {
			continue
		}
		if dream, ok := c.passing(r, &d); ok {
			c.demand.Imagine(dream)
		}
		return
	}
}

// decisions runs the last Tx of r in the shadow tier, by itself: what was in
// storage before it is a source like any other.
func (c *campaign) decisions(r *result) []shadow.Decision {
	c.observer.Attach(shadow.NewState())
	last := len(r.sequence.Txs) - 1
	_, outcome := c.judge.executor.transact(r.states[last], &r.sequence.Txs[last], nil, c.observer.Hooks())
	if outcome.Halt == evm.ErrCancelled {
		return nil
	}
	return c.observer.Branches
}

// passing makes the Dream in which a decision goes the other way because of
// what is in storage.
func (c *campaign) passing(r *result, d *shadow.Decision) (demand.Dream, bool) {
	dream := demand.Dream{Sequence: r.sequence}
	world := r.states[len(r.sequence.Txs)-1].world
	for leaf := range d.Condition.Leaves {
		if leaf.Form != shadow.Compare {
			continue
		}
		sides := []struct {
			word    shadow.Word
			targets []*uint256.Int
		}{
			{leaf.Left, targets(leaf.Relation, &leaf.R, leaf.Holds())},
			{leaf.Right, targets(mirror(leaf.Relation), &leaf.L, leaf.Holds())},
		}
		for _, side := range sides {
			for _, flow := range side.word.Flows() {
				field, ok := flow.Solve(side.targets[0])
				if !ok || flow.Source.Kind != shadow.FromStorage {
					continue
				}
				old := world.Storage(flow.Source.Address, flow.Source.Slot)
				word := blend(new(uint256.Int).SetBytes32(old[:]), &flow, &field)
				dream.Slots = append(dream.Slots, demand.Slot{Address: flow.Source.Address, Key: flow.Source.Slot})
				dream.Values = append(dream.Values, word)
			}
		}
	}
	return dream, len(dream.Slots) > 0
}
