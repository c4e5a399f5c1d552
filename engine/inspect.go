package engine

import (
	"slices"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/demand"
	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/engine/shadow"
)

// An approachRoute is a way to come near an outcome: the functions called, in
// order.
type approachRoute struct {
	outcome cover.Branch
	calls   uint64
}

// Bounds of the inspections for one outcome that was never seen, new paths
// apart: on one route, and on all.
const (
	routeInspections   = 4
	outcomeInspections = 48
)

// worth reports whether a result that is no new path is to be inspected: if it
// came nearer to an outcome that was never seen, or if transactions put in
// before it changed the distance from one.
func (c *campaign) worth(r *result, nearer bool) bool {
	route := approachRoute{calls: routeHash(r.sequence.Txs)}
	for i := range r.run.Costs {
		cost := &r.run.Costs[i]
		b, ok := cost.Metric.Branch()
		if !ok || c.corpus.Covered(b) || !c.worthwhile(b) {
			continue
		}
		if !nearer {
			if r.parent == nil || !r.change.Shape {
				return false
			}
			if was, ok := r.parent.Cost(cost.Metric); ok && was.Eq(&cost.Value) {
				continue
			}
		}
		route.outcome = b
		all := approachRoute{outcome: b}
		if n := c.inspections[route]; n == 0 || n < routeInspections && c.inspections[all] < c.patience(outcomeInspections) {
			c.inspections[route]++
			c.inspections[all]++
			return true
		}
	}
	return false
}

// routeHash identifies the functions that Txs call, in order; never 0.
func routeHash(txs []input.Tx) uint64 {
	h := uint64(14695981039346656037)
	for i := range txs {
		for _, b := range txs[i].To[16:] {
			h = (h ^ uint64(b)) * 1099511628211
		}
		for _, b := range txs[i].Function.Selector {
			h = (h ^ uint64(b)) * 1099511628211
		}
	}
	return h | 1
}

// maxLooks bounds how often the shadow tier is asked about one goal, whatever
// the path.
const maxLooks = 40

// open reports whether e came near to a goal that was never met and that is
// worth another look.
func (c *campaign) open(e *corpus.Entry) bool {
	open := false
	for i := range e.Costs {
		goal := e.Costs[i].Metric
		if b, ok := goal.Branch(); ok {
			if c.corpus.Covered(b) || !c.worthwhile(b) || c.astray(b, e.Sequence.Last()) {
				continue
			}
			goal = cover.BranchMetric(b, 0)
		}
		if c.looks[goal] < c.patience(maxLooks) {
			c.looks[goal]++
			open = true
		}
	}
	return open
}

// lookEvery is after how many inputs a goal is worth one more look than at the
// beginning: a campaign that goes on has come to states that were out of reach.
const lookEvery = 32

// patience is how many looks a goal is worth by now, that was worth n at first.
func (c *campaign) patience(n int) int { return n + c.result.Stats.Inputs/lookEvery }

// maxPreimage bounds what is remembered of what was hashed, in bytes.
const maxPreimage = 1024

// maxPostponed bounds the Entries that wait for an inspection.
const maxPostponed = 256

// inspect has e looked at, as soon as there is something left for it.
func (c *campaign) inspect(e *corpus.Entry) {
	last := e.Sequence.Last()
	if c.direction.vain(last) {
		return
	}
	if len(c.postponed) == maxPostponed {
		c.postponed = slices.Delete(c.postponed, 0, 1)
	}
	if c.strays(last) { // after the others
		c.postponed = slices.Insert(c.postponed, 0, e)
	} else {
		c.postponed = append(c.postponed, e)
	}
}

// catchUp looks at what waits for it, the newest first: what a campaign meets
// late is often what it looked for all the time.
func (c *campaign) catchUp() {
	for len(c.postponed) > 0 && c.inspecting.affords(c.work) {
		newest := len(c.postponed) - 1
		e := c.postponed[newest]
		c.postponed = c.postponed[:newest]
		if c.open(e) {
			c.look(e)
		}
	}
}

// look runs e in the shadow tier, learns where its conditions come from, and
// lines up substitutions.
func (c *campaign) look(e *corpus.Entry) {
	defer stopwatch(c.options.Now, &c.result.Stats.Shadow)()
	s := c.reenact(e)
	if s == nil {
		return
	}
	decisions := make([]*shadow.Decision, len(s.observer.Branches))
	for i := range s.observer.Branches {
		decisions[i] = &s.observer.Branches[i]
	}
	c.cover.Learn(decisions)
	for _, d := range decisions {
		c.compared(e.Function().Signature, d)
	}
	open := slices.DeleteFunc(decisions, func(d *shadow.Decision) bool { return !s.isOpen(d) })
	for _, d := range open {
		s.wantStorage(d)
		s.compare(d)
	}
	s.extend("operand") // what is certain
	for _, d := range open {
		s.decision(d)
	}
	s.lead()
	if s.made < enoughSubstitutions {
		s.extend("xor", "preimage", "signature") // what is guessed
	}
	if len(open) > 0 {
		c.hope(e, nil, 0, len(decisions))
	}
}

// reenact runs e in the shadow tier; nil if it was cancelled.
func (c *campaign) reenact(e *corpus.Entry) *substitution {
	s := &substitution{
		campaign: c, entry: e, observer: c.observer, bound: maxSubstitutions,
		offsets: map[int]input.OffsetMap{}, aims: map[cover.Metric]*aim{},
	}
	if c.direction == nil || c.direction.near[demand.CalleeOf(e.Sequence.Last())] {
		s.prompt = promptSubstitutions
	}
	c.observer.Attach(shadow.NewState())
	c.observer.Events.Arith = s.operands
	at := c.start
	last := len(e.Sequence.Txs) - 1
	defer func() { c.observer.Events.Store = nil }()
	for i := range e.Sequence.Txs {
		if i == last {
			c.observer.Events.Store = s.stored
		}
		next, outcome := c.judge.executor.transact(at, &e.Sequence.Txs[i], nil, s.observer.Hooks())
		if outcome.Halt == evm.ErrCancelled {
			return nil // the observer saw nothing of it
		}
		c.inspecting.spent += costOfShadow * workOf(&outcome)
		for p := range s.observer.Preimages {
			if p.Input.Len() <= maxPreimage {
				s.demand.Preimages.Add(p.Input.Value())
			}
		}
		if outcome.Status == evm.Success && i < last {
			at = next
		}
	}
	return s
}
