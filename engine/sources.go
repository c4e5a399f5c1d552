package engine

import (
	"leveret/engine/corpus"
	"leveret/engine/demand"
	"leveret/engine/exec"
	"leveret/engine/input"
	"leveret/engine/mutate"
)

// plan composes the strategy.
func (c *campaign) plan() {
	c.seed = &source{name: "seed"}
	c.predicted = &source{name: "predicted"}
	c.substituted = &source{name: "substituted", weight: c.unless(c.options.NoPrediction, 30), make: c.substitute}
	c.attacking = &source{name: "agents", weight: 8, make: c.attack}
	c.recalled = &source{name: "recalled"}
	c.lengthened = &source{name: "demand", weight: c.unless(c.options.NoDemand, 20), make: c.demanded}
	c.strategy = strategy{
		random:  c.random,
		waiting: c.waiting,
		first:   []*source{c.recalled, c.seed, c.predicted},
		shared: []*source{
			{name: "scheduled", weight: 34, make: c.scheduled},
			{name: "targeted", weight: c.unless(c.direction == nil, targetedWeight), make: c.targeted},
			{name: "best-per-branch", weight: c.unless(c.options.NoAdaptive, 30), make: c.bestPerBranch},
			c.substituted,
			{name: "iterated", weight: c.unless(c.options.NoPrediction, 24), make: c.iterated},
			c.lengthened,
			{name: "overwrite", weight: 6, make: c.overwritten},
			{name: "aggressive", weight: c.unless(c.options.NoDemand, 12), make: c.aggressive},
			{name: "tangled", weight: c.unless(c.options.NoDemand, 12), make: c.untangle},
			c.attacking,
			{name: "deposits", weight: 5, make: c.fund},
			{name: "eager", weight: c.unless(!c.options.NoDemand, 20), make: c.eager},
			{name: "fresh", weight: 4, make: c.fresh},
		},
	}
}

// unless is weight, or nothing if the source is switched off.
func (c *campaign) unless(off bool, weight int) int {
	if off {
		return 0
	}
	return weight
}

// waiting returns the next input that was lined up: predictions first.
func (c *campaign) waiting() *candidate {
	if next := take(&c.predictions); next != nil {
		return next
	}
	if next := c.takeOpen(&c.queue); next != nil {
		return next
	}
	if next := c.plotted(); next != nil {
		return next
	}
	if len(c.later) > 0 && !c.keepsTo() {
		return c.takeOpen(&c.later)
	}
	if c.digresses() {
		return nil
	}
	return c.hoped()
}

// drought is after how many inputs that brought nothing new to light Dreams
// have to share with the other sources: where every input is a new path, as
// with the bits of a map, Dreams alone would fill a campaign. In November 2026
// that brought the coverage of Uniswap v3's libraries from 4,187 to 4,352
// instructions in 6,000 inputs, means of 12 and of 24 seeds.
const drought = 256

// digresses reports whether Dreams have to wait this time.
func (c *campaign) digresses() bool {
	return c.result.Stats.Inputs-c.news > drought && c.random.IntN(2) == 0
}

// hoped tries what is new of the Dreams.
func (c *campaign) hoped() *candidate {
	if c.options.NoDemand {
		return nil
	}
	attempt, ok := c.demand.NextAttempt(c.random)
	for ok && !c.over() && !c.novel(attempt.Sequence) {
		attempt, ok = c.demand.NextAttempt(c.random)
	}
	if !ok {
		return nil
	}
	e := c.wanting(demand.CalleeOf(attempt.Sequence.Last()))
	if e == nil {
		return nil
	}
	s, _ := c.agreed(attempt.Sequence, 0)
	next := c.child(e, s, mutate.Diff{Shape: true})
	next.source = c.lengthened
	next.aim, _ = attempt.Origin.(*aim)
	return next
}

// lineUp has a candidate run before what the sources make; if no target is in
// reach of its function, now and then.
func (c *campaign) lineUp(next *candidate) {
	if c.direction != nil && !c.direction.near[demand.CalleeOf(next.Sequence.Last())] {
		c.later = append(c.later, next)
		return
	}
	c.queue = append(c.queue, next)
}

// seedsPerFunction is how many random inputs each function starts with,
// besides the all-zero one of the papers.
const seedsPerFunction = 2

func (c *campaign) lineUpSeeds() {
	for _, callee := range c.callees {
		zero := input.Tx{From: input.User1, To: callee.Address, Function: callee.Function, Args: callee.Function.Zero()}
		c.lineUp(c.single(zero, c.seed))
		for range seedsPerFunction {
			c.lineUp(c.single(c.newTx(callee.Callee), c.seed))
		}
	}
}

// single makes a candidate of one Tx.
func (c *campaign) single(tx input.Tx, from *source) *candidate {
	return &candidate{
		Job:    exec.Job{Sequence: input.Sequence{Deployment: c.base.Record, Txs: []input.Tx{tx}}, States: []exec.State{c.start}},
		source: from,
	}
}

// newTx draws a Tx that calls callee.
func (c *campaign) newTx(callee demand.Callee) input.Tx {
	tx := input.RandomTx(c.random, callee.Function, callee.Address, c.context.Pool(callee.Function))
	return tx
}

// fresh calls a random function with random arguments.
func (c *campaign) fresh() *candidate {
	return c.single(c.newTx(c.anyCallee().Callee), nil)
}

// scheduled mutates the Entry whose turn it is, as often as the schedule says.
func (c *campaign) scheduled() *candidate {
	for tries := 0; c.energy <= 0; tries++ {
		if len(c.corpus.Entries) == 0 {
			return nil
		}
		c.current = c.nextEntry()
		c.energy = c.frugal(c.current, c.schedule.Energy(c.corpus, c.current))
		if c.energy == 0 && tries > 2*len(c.corpus.Entries) {
			c.energy = 1
		}
		if c.energy > 0 {
			c.current.Usage.Selected++
		}
	}
	c.energy--
	return c.vary(c.current, -1)
}

// bestPerBranch mutates the nearest Entry to each branch that was just missed,
// in turn [sFuzz 3.2].
func (c *campaign) bestPerBranch() *candidate {
	missed := c.corpus.Missed()
	if len(missed) == 0 {
		return nil
	}
	b, ok := c.anyMissed(missed)
	if !ok {
		return nil
	}
	best := c.corpus.Near(c.random, b)
	if c.strays(best.Sequence.Last()) {
		return nil
	}
	if corpus.Slowed(best, 100) <= c.random.IntN(100) {
		return nil
	}
	return c.vary(best, -1)
}

// vary makes a child of e: mostly one word changed, which prediction can learn
// from, now and then several changes at once.
func (c *campaign) vary(e *corpus.Entry, tx int) *candidate {
	c.refresh(e)
	c.context.Tx = tx
	c.context.MaxTxs = len(e.Sequence.Txs)
	c.context.Effects = &attached(e).effects
	apply := mutate.Any
	if c.random.IntN(5) == 0 {
		apply = mutate.Stack
	}
	child, change, ok := apply(c.random, &c.context, e.Sequence)
	if !ok || len(child.Txs) == 0 {
		return c.fresh()
	}
	return c.child(e, child, change)
}

// child makes a candidate that shares what it can with its parent.
func (c *campaign) child(e *corpus.Entry, s input.Sequence, change mutate.Diff) *candidate {
	states := c.statesOf(e)
	from := min(change.First, len(states)-1, len(s.Txs)-1)
	return &candidate{Job: exec.Job{Sequence: s, From: from, States: states}, parent: e, change: change}
}

// demanded makes a longer sequence for a function that wants other state, and
// varies what it put in.
func (c *campaign) demanded() *candidate {
	marked := c.demand.Marked()
	if len(marked) == 0 {
		return nil
	}
	e := c.wanting(c.anyMark(marked).Callee)
	if e == nil {
		return nil
	}
	return c.longer(e)
}

// longer puts before the last Tx of an Entry what changes the state that it
// finds; nil if it wants no other, or nothing is known that would.
func (c *campaign) longer(e *corpus.Entry) *candidate {
	s, first, ok := c.demand.Lengthen(c.random, e.Sequence, e.Reads)
	if !ok {
		return nil
	}
	for range c.random.IntN(3) {
		c.context.Tx, c.context.MaxTxs, c.context.Effects = c.random.IntN(len(s.Txs)), len(s.Txs), nil
		if child, change, ok := mutate.Any(c.random, &c.context, s); ok && len(child.Txs) > 0 {
			s, first = child, min(first, change.First)
		}
	}
	s, first = c.agreed(s, first)
	return c.child(e, s, mutate.Diff{First: first, Shape: true})
}

// wanting draws an Entry that calls a marked function: now and then one that
// is the nearest to a branch that was just missed.
func (c *campaign) wanting(callee demand.Callee) *corpus.Entry {
	if missed := c.corpus.Missed(); len(missed) > 0 && !c.options.NoAdaptive && c.random.IntN(3) == 0 {
		e := c.corpus.Near(c.random, c.anyWanted(missed))
		if c.demand.MarkOf(demand.CalleeOf(e.Sequence.Last())) != nil {
			return e
		}
	}
	entries := c.byCallee[callee]
	if len(entries) == 0 {
		return nil
	}
	return entries[c.random.IntN(len(entries))]
}

// eager lengthens any sequence by any call: what replaces demand in HARVEY's
// configuration D.
func (c *campaign) eager() *candidate {
	e := c.corpus.Entries[c.random.IntN(len(c.corpus.Entries))]
	at := c.random.IntN(len(e.Sequence.Txs) + 1)
	s := e.Sequence.Insert(at, c.newTx(c.callees[c.random.IntN(len(c.callees))].Callee))
	return c.child(e, s, mutate.Diff{First: at, Shape: true})
}
