package engine

import (
	"cmp"
	"math"
	"slices"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/demand"
	"leveret/engine/deploy"
	"leveret/engine/input"
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
	callees  []deploy.Callee // that can reach a target
	helpful  []deploy.Callee // and those that have to do with the state
	near     map[demand.Callee]bool
	outcomes map[cover.Branch]int  // conditional jumps from behind an outcome to a target
	beyond   map[cover.Branch]bool // outcomes that come after one
	levers   levers
	pursuits map[cover.Branch]int // inputs that went for an outcome
	entries  []*corpus.Entry      // of the functions that can
	turn     int                  // among them
	progress int                  // inputs when the last of them was added
}

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
	reached := func(w *lookahead.Distances) bool { return w.Met(lookahead.Reached) }
	reaches := func(list []*lookahead.Distances) bool { return slices.ContainsFunc(list, reached) }
	ways := c.allWays(c.reaching(c.sentTo))
	if !slices.ContainsFunc(ways, reaches) { // what no encoded call does, data of any kind may
		ways = c.allWays(c.reaching(c.rawTo))
	}
	if !slices.ContainsFunc(ways, reaches) {
		ways = c.allWays(c.sentTo)
	}
	lost := func(w *lookahead.Distances) bool { return !w.Complete() }
	elsewhere := func(w *lookahead.Distances) bool { return len(w.Reasons) > 0 } // the targets are in another code
	for _, suits := range []func(*lookahead.Distances) bool{reached, lost, elsewhere} {
		if d := c.towards(ways, suits); len(d.callees) > 0 {
			return d
		}
	}
	return nil
}

// towards is the direction that some of the ways of the callees give.
func (c *campaign) towards(ways [][]*lookahead.Distances, suits func(*lookahead.Distances) bool) *direction {
	d := &direction{
		near: map[demand.Callee]bool{}, outcomes: map[cover.Branch]int{},
		beyond: map[cover.Branch]bool{}, pursuits: map[cover.Branch]int{},
	}
	for i, callee := range c.callees {
		if slices.ContainsFunc(ways[i], suits) {
			d.callees = append(d.callees, callee)
			d.near[callee.Callee] = true
		}
		if d.near[callee.Callee] || !stateless(callee.Function) {
			d.helpful = append(d.helpful, callee)
		}
		for _, w := range ways[i] {
			if suits(w) {
				c.follow(d, callee, w)
			}
		}
	}
	return d
}

// allWays asks the analysis about some calls of each function.
func (c *campaign) allWays(of func(deploy.Callee) []lookahead.Calls) [][]*lookahead.Distances {
	all := make([][]*lookahead.Distances, len(c.callees))
	for i, callee := range c.callees {
		all[i] = c.waysOf(callee, of(callee))
	}
	return all
}

// waysOf asks the analysis about some calls of a function; nothing if it does
// not know the code.
func (c *campaign) waysOf(callee deploy.Callee, all []lookahead.Calls) (list []*lookahead.Distances) {
	code := c.base.World.Code(callee.Address)
	if code == nil {
		return nil
	}
	for _, calls := range all {
		if ways, ok := c.ahead.analyzer.Distances(code.ID, calls); ok {
			list = append(list, ways)
		}
	}
	return list
}

// reaching are those of some calls that may get to a target.
func (c *campaign) reaching(of func(deploy.Callee) []lookahead.Calls) func(deploy.Callee) []lookahead.Calls {
	return func(callee deploy.Callee) []lookahead.Calls {
		code := c.base.World.Code(callee.Address)
		return slices.DeleteFunc(of(callee), func(calls lookahead.Calls) bool {
			return code == nil || !c.ahead.analyzer.Reaches(code.ID, calls)
		})
	}
}

// sentTo are the calls that the campaign makes of a function: wei comes along
// only where it is taken.
func (c *campaign) sentTo(f deploy.Callee) []lookahead.Calls {
	all := c.callsOf(f)
	for i := range all {
		all[i].Free = f.Function.Mutability != input.Payable
	}
	return all
}

// rawTo is what may be sent to a function that takes data as it comes: the
// selector of another function, wei with it that this one refuses, or anything.
// In November 2026 that brought the places where a crowdsale refuses wei from
// more than 12,000 inputs to 32.
func (c *campaign) rawTo(f deploy.Callee) (all []lookahead.Calls) {
	if !f.Function.Raw || f.Function.Name == "receive" {
		return nil
	}
	free := f.Function.Mutability != input.Payable
	for _, other := range c.callees {
		if other.Address == f.Address && !other.Function.Raw {
			all = append(all, lookahead.Calls{Selector: &other.Function.Selector, Free: free})
		}
	}
	return append(all, lookahead.Calls{Free: free})
}

// callsOf is the calldata that a function gets. To those without a selector
// goes what fits no other.
func (c *campaign) callsOf(f deploy.Callee) []lookahead.Calls {
	if !f.Function.Raw {
		return []lookahead.Calls{{Selector: &f.Function.Selector}}
	}
	var foreign [4]byte
	for slices.ContainsFunc(c.callees, hasSelector(&foreign)) {
		foreign[3]++
	}
	return []lookahead.Calls{{Short: true}, {Selector: &foreign}}
}

func hasSelector(selector *[4]byte) func(deploy.Callee) bool {
	return func(c deploy.Callee) bool { return c.Function.Selector == *selector }
}

// follow takes over what the ways of a callee say of outcomes.
func (c *campaign) follow(d *direction, callee deploy.Callee, ways *lookahead.Distances) {
	code := c.base.World.Code(callee.Address)
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

// ahead reports whether an outcome is on a way to a target; without a direction
// none is.
func (d *direction) ahead(b cover.Branch) bool {
	if d == nil {
		return false
	}
	_, ok := d.outcomes[b]
	return ok
}

// leads reports whether an outcome is on a way to a target, or comes after one.
func (d *direction) leads(b cover.Branch) bool {
	return d.ahead(b) || d.beyond[b]
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

// remaining is the distance from a target of the outcome on the path of an Entry
// that is nearest to one.
func (d *direction) remaining(e *corpus.Entry) int {
	least := math.MaxInt
	for _, b := range e.Branches {
		least = min(least, d.distance(b))
	}
	return least
}
