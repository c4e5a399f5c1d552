package engine

import (
	"slices"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/demand"
	"leveret/engine/evm"
	"leveret/engine/exec"
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
	route := approachRoute{calls: routeHash(r.Sequence.Txs)}
	for i := range r.Run.Costs {
		cost := &r.Run.Costs[i]
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

// maxPreimage bounds what is remembered of what was hashed, in bytes.
const maxPreimage = 1024

// look runs e in the shadow tier, learns where its conditions come from, and
// lines up substitutions.
func (c *campaign) look(e *corpus.Entry) {
	defer exec.Stopwatch(c.options.Now, &c.result.Stats.Shadow)()
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
		next, outcome := c.judge.executor.Transact(at, &e.Sequence.Txs[i], nil, s.observer.Hooks())
		if outcome.Halt == evm.ErrCancelled {
			return nil // the observer saw nothing of it
		}
		c.inspecting.Spent += exec.ShadowCost * exec.Cost(&outcome)
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
