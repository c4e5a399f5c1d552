package engine

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/demand"
	"leveret/engine/lookahead"
)

// A direction tells a campaign with targets which way they lie: which
// functions can reach one, and behind which outcomes of conditional jumps one
// lies. The paper spends energy on paths with a rare no-target-ahead prefix;
// this is the same analysis, asked before there is any path, and it decides
// where the sources that know no energy look. It is nil without targets that
// somebody asked for, and where the analysis proves nothing or is compared
// with (configurations A, C and D).
type direction struct {
	callees  []callee // that can reach a target
	near     map[demand.Callee]bool
	outcomes map[cover.Branch]int  // conditional jumps from behind an outcome to a target
	beyond   map[cover.Branch]bool // outcomes that come after one
	levers   levers
	entries  []*corpus.Entry // of the functions that can
	turn     int             // among them
}

// aside is one in how many choices that take no notice of the direction: what
// other functions do to the state may be what it takes.
const aside = 4

// targetedWeight is that of the source that comes near to targets, among the
// others.
const targetedWeight = 60

// newDirection finds out from where the targets can be reached; nil if no
// function is known that can, or nobody asked.
func (c *campaign) newDirection() *direction {
	if !c.ahead.asked || !c.ahead.mode.Guides {
		return nil
	}
	began := c.options.Now()
	defer func() { c.ahead.spent += c.options.Now().Sub(began) }()
	ways := make([][]*lookahead.Ways, len(c.callees))
	for i, callee := range c.callees {
		ways[i] = c.waysOf(callee)
	}
	sure := func(w *lookahead.Ways) bool { return w.Met(lookahead.Reached) || !w.Whole() }
	maybe := func(w *lookahead.Ways) bool { return len(w.Reasons) > 0 } // the targets are in another code
	for _, suits := range []func(*lookahead.Ways) bool{sure, maybe} {
		d := &direction{near: map[demand.Callee]bool{}, outcomes: map[cover.Branch]int{}, beyond: map[cover.Branch]bool{}}
		for i, callee := range c.callees {
			if slices.ContainsFunc(ways[i], suits) {
				d.callees = append(d.callees, callee)
				d.near[callee.Callee] = true
			}
			for _, w := range ways[i] {
				if suits(w) {
					c.follow(d, callee, w)
				}
			}
		}
		if len(d.callees) > 0 {
			return d
		}
	}
	return nil
}

// waysOf asks the analysis about the calls of a function; nothing if it does
// not know the code.
func (c *campaign) waysOf(callee callee) (list []*lookahead.Ways) {
	code := c.base.world.Code(callee.Address)
	if code == nil {
		return nil
	}
	for _, calls := range c.callsOf(callee) {
		if ways, ok := c.ahead.analyzer.Ways(code.ID, calls); ok {
			list = append(list, ways)
		}
	}
	return list
}

// callsOf is the calldata that a function gets. To those without a selector
// goes what fits no other.
func (c *campaign) callsOf(f callee) []lookahead.Calls {
	if !f.Function.Raw {
		return []lookahead.Calls{{Selector: &f.Function.Selector}}
	}
	var foreign [4]byte
	for slices.ContainsFunc(c.callees, hasSelector(&foreign)) {
		foreign[3]++
	}
	return []lookahead.Calls{{Short: true}, {Selector: &foreign}}
}

func hasSelector(selector *[4]byte) func(callee) bool {
	return func(c callee) bool { return c.Function.Selector == *selector }
}

// follow takes over what the ways of a callee say of outcomes.
func (c *campaign) follow(d *direction, callee callee, ways *lookahead.Ways) {
	code := c.base.world.Code(callee.Address)
	for _, pc := range c.cover.Bytecode(code).Jumpis {
		for _, taken := range []bool{false, true} {
			b, ok := c.cover.Branch(code, uint64(pc), taken)
			if !ok {
				continue
			}
			if far, ok := ways.Outcome(uint64(pc), taken); ok {
				if was, known := d.outcomes[b]; !known || far < was {
					d.outcomes[b] = far
				}
			}
			if ways.Beyond(uint64(pc), taken) {
				d.beyond[b] = true
			}
		}
	}
}

// leads reports whether an outcome is on a way to a target, or comes after one.
func (d *direction) leads(b cover.Branch) bool {
	_, ok := d.outcomes[b]
	return ok || d.beyond[b]
}

// keepsTo reports whether this choice is to keep to the direction; without one
// none has to.
func (c *campaign) keepsTo() bool { return c.direction != nil && c.random.IntN(aside) > 0 }

// anyCallee draws a function to call.
func (c *campaign) anyCallee() callee {
	from := c.callees
	if c.keepsTo() {
		from = c.direction.callees
	}
	return from[c.random.IntN(len(from))]
}

// anyEntry draws an Entry, one of a function that can reach a target if it is
// to.
func (c *campaign) anyEntry() *corpus.Entry {
	if c.keepsTo() {
		callee := c.direction.callees[c.random.IntN(len(c.direction.callees))].Callee
		if entries := c.byCallee[callee]; len(entries) > 0 {
			return entries[c.random.IntN(len(entries))]
		}
	}
	return c.corpus.Entries[c.random.IntN(len(c.corpus.Entries))]
}

// nextEntry is the one whose turn it is to be varied.
func (c *campaign) nextEntry() *corpus.Entry {
	if c.keepsTo() && len(c.direction.entries) > 0 {
		c.direction.turn++
		return c.direction.entries[c.direction.turn%len(c.direction.entries)]
	}
	c.turn++
	return c.corpus.Entries[c.turn%len(c.corpus.Entries)]
}

// frugal leaves little energy to Entries of functions that can reach no target.
func (c *campaign) frugal(e *corpus.Entry, energy int) int {
	if c.direction != nil && !c.direction.near[demand.CalleeOf(e.Sequence.Last())] {
		return min(energy, 1)
	}
	return energy
}

// joined notes that an Entry was added.
func (d *direction) joined(e *corpus.Entry) {
	if d != nil && d.near[demand.CalleeOf(e.Sequence.Last())] {
		d.entries = append(d.entries, e)
	}
}

// anyIteration takes the next step of a prediction that takes long: of one that
// aims at what leads to a target, if it is to be.
func (c *campaign) anyIteration() *candidate {
	if c.keepsTo() {
		for i, next := range c.iterations {
			if b, ok := next.solving.Goal.Branch(); ok && c.direction.leads(b) {
				c.iterations = slices.Delete(c.iterations, i, i+1)
				return next
			}
		}
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

// astray reports whether an outcome is to be left alone this time, because no
// target lies behind it.
func (c *campaign) astray(b cover.Branch) bool {
	return c.direction != nil && !c.direction.leads(b) && c.keepsTo()
}

// anyMissed draws a just-missed outcome to come nearer to: in turn, or one on
// the way to a target, those that are near to it more often.
func (c *campaign) anyMissed(missed []cover.Branch) cover.Branch {
	if c.keepsTo() {
		if leading := c.direction.byDistance(missed); len(leading) > 0 {
			return leading[min(bits.LeadingZeros64(c.random.Uint64())*c.random.IntN(4), len(leading)-1)]
		}
	}
	c.branchTurn++
	return missed[c.branchTurn%len(missed)]
}

// byDistance lists the outcomes that lead to a target, the nearest first, and
// then those that come after one.
func (d *direction) byDistance(list []cover.Branch) []cover.Branch {
	leading := slices.DeleteFunc(slices.Clone(list), func(b cover.Branch) bool { return !d.leads(b) })
	slices.SortStableFunc(leading, func(a, b cover.Branch) int { return cmp.Compare(d.distance(a), d.distance(b)) })
	return leading
}

// distance is that of an outcome from a target; what comes after one is farther
// than what leads there.
func (d *direction) distance(b cover.Branch) int {
	if far, ok := d.outcomes[b]; ok {
		return far
	}
	return math.MaxInt
}
