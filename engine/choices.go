package engine

import (
	"slices"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/demand"
	"leveret/engine/deploy"
	"leveret/engine/input"
)

// aside is one in how many choices that take no notice of the direction: what
// other functions do to the state may be what it takes.
const aside = 4

// tolerance is after how many inputs without a new path of a function that can
// reach a target half of the choices take no notice of the direction: what is
// missing then is most likely another state. In November 2026 that brought a
// target behind a role that another function grants (setRole of a solady
// timelock) from 5,600 inputs to 2,500, medians of four seeds.
const tolerance = 512

// keepsTo reports whether this choice is to keep to the direction; without one
// none has to.
func (c *campaign) keepsTo() bool {
	switch {
	case c.direction == nil:
		return false
	case c.stuck():
		return c.random.IntN(2) == 0
	}
	return c.random.IntN(aside) > 0
}

// stuck reports whether no target was reached so far, and the functions that can
// have shown nothing new for long.
func (c *campaign) stuck() bool {
	return !c.ahead.arrived && c.result.Stats.Inputs-c.direction.progress > tolerance
}

// anyCallee draws a function to call.
func (c *campaign) anyCallee() deploy.Callee {
	from := c.callees
	if c.direction != nil {
		from = c.direction.helpful
		if c.keepsTo() {
			from = c.direction.callees
		}
	}
	return from[c.random.IntN(len(from))]
}

// anyEntry draws an Entry, one of a function that can reach a target if it is
// to.
func (c *campaign) anyEntry() *corpus.Entry {
	drawn := c.corpus.Entries[c.random.IntN(len(c.corpus.Entries))]
	if c.direction.vain(drawn.Sequence.Last()) || c.keepsTo() {
		callee := c.direction.callees[c.random.IntN(len(c.direction.callees))].Callee
		if entries := c.byCallee[callee]; len(entries) > 0 {
			return entries[c.random.IntN(len(entries))]
		}
	}
	return drawn
}

// nextEntry is the one whose turn it is to be varied.
func (c *campaign) nextEntry() *corpus.Entry {
	keep := c.keepsTo()
	near := c.direction != nil && len(c.direction.entries) > 0
	if !keep || !near {
		c.turn++
		next := c.corpus.Entries[c.turn%len(c.corpus.Entries)]
		if !near || !c.direction.vain(next.Sequence.Last()) {
			return next
		}
	}
	c.direction.turn++
	return c.direction.entries[c.direction.turn%len(c.direction.entries)]
}

// frugal leaves little energy to Entries of functions that can reach no target.
func (c *campaign) frugal(e *corpus.Entry, energy int) int {
	if c.direction != nil && !c.direction.near[demand.CalleeOf(e.Sequence.Last())] {
		return min(energy, 1)
	}
	return energy
}

// joined notes that an Entry was added.
func (c *campaign) joined(e *corpus.Entry) {
	if d := c.direction; d != nil && d.near[demand.CalleeOf(e.Sequence.Last())] {
		d.entries = append(d.entries, e)
		d.progress = c.result.Stats.Inputs
	}
}

// anyIteration takes the next step of a prediction that takes long: of one that
// aims at what leads to a target, if it is to be; none if no other is left.
func (c *campaign) anyIteration() *candidate {
	if c.keepsTo() {
		for i, next := range c.iterations {
			if b, ok := next.solving.Goal.Branch(); ok && c.direction.leads(b) {
				c.iterations = slices.Delete(c.iterations, i, i+1)
				return next
			}
		}
		return nil
	}
	return take(&c.iterations)
}

// anyMark draws one of the functions that want other state.
func (c *campaign) anyMark(marked []*demand.Mark) *demand.Mark {
	if c.keepsTo() {
		var near []*demand.Mark
		for _, m := range marked {
			if c.direction.near[m.Callee] {
				near = append(near, m)
			}
		}
		if len(near) > 0 {
			marked = near
		}
	}
	return marked[c.random.IntN(len(marked))]
}

// strays reports whether what a Tx calls is to be left alone this time, because
// it can reach no target.
func (c *campaign) strays(tx *input.Tx) bool {
	return c.direction != nil && !c.direction.near[demand.CalleeOf(tx)] && (c.direction.vain(tx) || c.keepsTo())
}

// astray reports whether an outcome is to be left alone this time, because no
// target lies behind it. Of a Tx, nil if it is not known, that has nothing to do
// with the state it always is; of one that cannot reach a target it never is,
// for that one is there for what it does to the state.
func (c *campaign) astray(b cover.Branch, tx *input.Tx) bool {
	switch {
	case c.direction == nil || c.direction.leads(b):
		return false
	case tx != nil && stateless(tx.Function):
		return true
	case tx != nil && !c.direction.near[demand.CalleeOf(tx)]:
		return false
	}
	return c.keepsTo()
}

// vain reports whether a Tx can neither reach a target nor help another to, nor
// show what one did.
func (d *direction) vain(tx *input.Tx) bool {
	return d != nil && !d.near[demand.CalleeOf(tx)] && stateless(tx.Function)
}

// stateless reports whether a function neither changes the state nor reads it.
func stateless(f *input.Function) bool { return f.Mutability == input.Pure }

// anyMissed draws a just-missed outcome to come nearer to: in turn, or one on
// the way to a target; false if there is none of these.
func (c *campaign) anyMissed(missed []cover.Branch) (cover.Branch, bool) {
	if c.keepsTo() {
		return c.pursued()
	}
	c.branchTurn++
	return missed[c.branchTurn%len(missed)], true
}

// anyWanted draws a just-missed outcome that other state may turn.
func (c *campaign) anyWanted(missed []cover.Branch) cover.Branch {
	if c.keepsTo() {
		if leading := c.direction.byDistance(missed); len(leading) > 0 {
			return leading[c.halving(len(leading))]
		}
	}
	return missed[c.random.IntN(len(missed))]
}

// agreed gives a Tx before the last one the arguments that both can have, now
// and then: what one function files under a hash of all its arguments, another
// only finds if it is told the same. first is the first Tx that is new. In
// November 2026 that brought what a timelock checks of an operation that is
// ready from 6,900 inputs to 2,700.
func (c *campaign) agreed(s input.Sequence, first int) (input.Sequence, int) {
	last := len(s.Txs) - 1
	if c.direction == nil || last < 1 || c.random.IntN(3) > 0 {
		return s, first
	}
	i := last - 1
	if c.random.IntN(2) == 0 {
		i = c.random.IntN(last)
	}
	tx, ok := s.Txs[i].Agreeing(&s.Txs[last])
	if !ok {
		return s, first
	}
	return s.WithTx(i, tx), min(first, i)
}
