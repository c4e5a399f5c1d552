package engine

import (
	"slices"

	"github.com/holiman/uint256"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/input"
	"leveret/engine/mutate"
	"leveret/engine/predict"
)

// A solving is a prediction under way: the Session that proposes inputs, which
// are moves away from the parent of its candidates.
type solving = predict.LineSearch

// solve goes on with the prediction that a result belongs to, or starts one if
// the result differs from its parent in one Parameter [HARVEY 4.1].
func (c *campaign) solve(r *result) {
	if r.solving != nil {
		r.solving.Feed(r.Run.Costs, r.Run.Reached(r.solving.Goal))
		c.foundPen(r)
		if r.steps == 1 && !r.Run.Reached(r.solving.Goal) {
			c.obstructed(r, aim{goal: r.solving.Goal, on: r.parent})
		}
		c.propose(r)
		return
	}
	if r.aim != nil {
		if b, ok := r.aim.goal.Branch(); ok && slices.Contains(r.Run.Branches, b) {
			r.aim.met = true
		}
		c.foundPen(r)
		c.obstructed(r, *r.aim)
	}
	if r.parent == nil || !r.change.Single || r.change.Tx >= len(r.parent.Sequence.Txs) {
		return
	}
	before := input.Get(&r.parent.Sequence.Txs[r.change.Tx], &r.change.Param)
	after := input.Get(&r.Sequence.Txs[r.change.Tx], &r.change.Param)
	c.pulled(r)
	attached(r.parent).effects.Record(r.change, r.Run.Path != r.parent.Path || c.differ(r))
	if c.options.NoPrediction {
		return
	}
	c.pair(r, before, after)
	trial := predict.Trial{
		Tx: r.change.Tx, Param: r.change.Param, Before: before, After: after,
		Execution: predict.Execution{Costs: r.Run.Costs, Branches: r.Run.Branches},
	}
	s := c.predictor.Start(&trial, predict.Execution{Costs: r.parent.Costs, Branches: r.parent.Branches})
	if s == nil {
		return
	}
	r.solving = s
	c.propose(r)
}

// Bounds of the search in two Parameters at once.
const (
	maxTrials       = 6 // remembered per Entry
	maxPairSessions = 8 // per goal
)

// pair looks for two Parameters to move together, where changing either alone
// leaves the path on which a goal is in sight (ENGINE.md section 5, d).
func (c *campaign) pair(r *result, before, after uint256.Int) {
	if r.Run.Path == r.parent.Path || !c.isBest(r.parent) {
		return
	}
	a := attached(r.parent)
	trial := predict.Trial{Tx: r.change.Tx, Param: r.change.Param, Before: before, After: after, Execution: predict.Execution{Costs: slices.Clone(r.Run.Costs)}}
	for _, b := range c.corpus.Missed() {
		best, _ := c.corpus.Best(b)
		goal := cover.BranchMetric(b, 0)
		if best != r.parent || c.attempts[goal] < freeAttempts || c.pairs[goal] >= maxPairSessions {
			continue
		}
		for _, other := range a.trials {
			for _, s := range c.predictor.StartPair(goal, r.parent.Costs, other, trial) {
				c.pairs[goal]++
				c.propose(&result{candidate: &candidate{parent: r.parent, solving: s, steps: promptly}})
			}
		}
	}
	if len(a.trials) < maxTrials {
		a.trials = append(a.trials, trial)
	}
}

// isBest reports whether e is the nearest Entry to a missed outcome.
func (c *campaign) isBest(e *corpus.Entry) bool {
	for _, b := range c.corpus.Missed() {
		if best, _ := c.corpus.Best(b); best == e {
			return true
		}
	}
	return false
}

// freeAttempts is how often a goal is followed without second thoughts.
const freeAttempts = 12

// affordable keeps goals that resist from eating the campaign: the more
// Sessions a goal has had, the rarer they become.
func (c *campaign) affordable(goal cover.Metric) bool {
	b, isBranch := goal.Branch()
	if isBranch && (!c.worthwhile(b) || c.astray(b, nil)) {
		return false
	}
	c.attempts[goal]++
	n := c.attempts[goal]
	if isBranch && c.corpus.Covered(b) {
		n += freeAttempts // what was seen already is worth little
	}
	return n <= freeAttempts || c.random.IntN(1+n/4) == 0
}

// unsolved tells the prediction that a result belongs to that it led nowhere.
func (c *campaign) unsolved(r *result) {
	if r.solving != nil {
		r.solving.Feed(nil, false)
		c.propose(r)
	}
}

// promptly is how many inputs of a prediction run before anything else; the
// later ones of those that take long wait for their turn.
const promptly = 3

// propose lines up the next input of a prediction. It runs even if the
// parent's energy is spent.
func (c *campaign) propose(r *result) {
	moves, ok := r.solving.Next()
	if !ok {
		return
	}
	next := c.child(r.parent, predict.Apply(r.parent.Sequence, moves), mutate.Diff{
		Tx: moves[0].Tx, Param: moves[0].Param, First: predict.First(moves),
	})
	next.solving, next.steps, next.source = r.solving, r.steps+1, c.predicted
	if next.steps <= promptly {
		c.predictions = append(c.predictions, next)
	} else {
		next.source = nil // the one that offers it
		c.iterations = append(c.iterations, next)
	}
}

// iterated goes on with the predictions that take long, in turn.
func (c *campaign) iterated() *candidate { return c.anyIteration() }

// take removes the first of a queue; nil if it is empty.
func take(queue *[]*candidate) *candidate {
	if len(*queue) == 0 {
		return nil
	}
	first := (*queue)[0]
	*queue = (*queue)[1:]
	return first
}

// takeOpen is take, leaving out what was made for an aim that was met since.
func (c *campaign) takeOpen(queue *[]*candidate) *candidate {
	for {
		if next := take(queue); next == nil || next.aim == nil || !c.met(next) {
			return next
		}
	}
}

// met reports whether the aim of a candidate was met. In a function that has
// nothing to do with the state an outcome that was seen at all will do.
func (c *campaign) met(next *candidate) bool {
	b, ok := next.aim.goal.Branch()
	return next.aim.met || ok && stateless(next.Sequence.Last().Function) && c.corpus.Covered(b)
}

// differ reports whether a result's costs are not its parent's.
func (c *campaign) differ(r *result) bool {
	if len(r.Run.Costs) != len(r.parent.Costs) {
		return true
	}
	for i := range r.Run.Costs {
		was, ok := r.parent.Cost(r.Run.Costs[i].Metric)
		if !ok || !was.Eq(&r.Run.Costs[i].Value) {
			return true
		}
	}
	return false
}
