package direct

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/demand"
	"leveret/engine/deploy"
	"leveret/engine/input"
	"leveret/engine/lookahead"
	"leveret/engine/search"
)

// A Guide tells a campaign with targets where they lie: which functions can
// reach one, and behind which branches one lies. The paper spends energy on
// paths with a rare no-target-ahead prefix; a guide asks the same analysis
// before there is any path, for the sources that know no energy.
//
// A nil Guide guides nowhere: without targets of the user, and where the
// analysis proves nothing or is only compared with (configurations A, C, D).
type Guide struct {
	lookahead *Lookahead
	corpus    *search.Corpus
	progress  *search.Progress
	random    *rand.Rand

	callees    []deploy.Callee // can reach a target
	helpful    []deploy.Callee // these, and those that read or write state
	reaches    map[demand.Callee]bool
	ahead      map[cover.Branch]int  // conditional jumps from a branch to a target
	beyond     map[cover.Branch]bool // branches that come after a target
	influences influences
	pursuits   map[cover.Branch]int // inputs made for a branch
	entries    []*corpus.Entry      // of the functions that can reach a target
	forgets    int                  // of the corpus, when entries forgot the same
	turn       int                  // among entries
	lastNew    int                  // inputs when the last of entries was added
}

// NewGuide asks the analysis from where the targets can be reached; nil if no
// function is known to, or the user named no target.
func NewGuide(l *Lookahead, r *rand.Rand) *Guide {
	if l == nil || !l.asked || !l.mode.Guides {
		return nil
	}
	began := l.now()
	defer func() { l.spent += l.now().Sub(began) }()
	reached := func(w *lookahead.Distances) bool { return w.Met(lookahead.Reached) }
	reaches := func(list []*lookahead.Distances) bool { return slices.ContainsFunc(list, reached) }
	ways := l.allWays(l.reaching(l.sentTo))
	if !slices.ContainsFunc(ways, reaches) { // no encoded call reaches one, but other data may
		ways = l.allWays(l.reaching(l.rawTo))
	}
	if !slices.ContainsFunc(ways, reaches) {
		ways = l.allWays(l.sentTo)
	}
	lost := func(w *lookahead.Distances) bool { return !w.Complete() }
	elsewhere := func(w *lookahead.Distances) bool { return len(w.Reasons) > 0 } // the targets are in another code
	for _, suits := range []func(*lookahead.Distances) bool{reached, lost, elsewhere} {
		if g := newGuide(l, r, ways, suits); len(g.callees) > 0 {
			return g
		}
	}
	return nil
}

// newGuide follows the ways that suit.
func newGuide(l *Lookahead, r *rand.Rand, ways [][]*lookahead.Distances, suits func(*lookahead.Distances) bool) *Guide {
	g := &Guide{
		lookahead: l, corpus: l.corpus, progress: l.progress, random: r,
		reaches: map[demand.Callee]bool{}, ahead: map[cover.Branch]int{},
		beyond: map[cover.Branch]bool{}, pursuits: map[cover.Branch]int{},
	}
	for i, callee := range l.subject.Callees {
		if slices.ContainsFunc(ways[i], suits) {
			g.callees = append(g.callees, callee)
			g.reaches[callee.Callee] = true
		}
		if g.reaches[callee.Callee] || !search.Stateless(callee.Function) {
			g.helpful = append(g.helpful, callee)
		}
		for _, w := range ways[i] {
			if suits(w) {
				g.follow(callee, w)
			}
		}
	}
	return g
}

// follow records which branches of a callee's code lead to a target.
func (g *Guide) follow(callee deploy.Callee, ways *lookahead.Distances) {
	subject := g.lookahead.subject
	code := subject.Deployment.World.Code(callee.Address)
	for _, pc := range subject.Cover.Bytecode(code).Jumpis {
		for _, taken := range []bool{false, true} {
			b, ok := subject.Cover.Branch(code, uint64(pc), taken)
			if !ok {
				continue
			}
			if jumps, ok := ways.Outcome(uint64(pc), taken); ok {
				if was, known := g.ahead[b]; !known || jumps < was {
					g.ahead[b] = jumps
				}
			}
			if ways.Beyond(uint64(pc), taken) {
				g.beyond[b] = true
			}
		}
	}
}

// Leads reports whether a target lies behind a branch.
func (g *Guide) Leads(b cover.Branch) bool {
	if g == nil {
		return false
	}
	_, ok := g.ahead[b]
	return ok
}

// relevant reports whether a branch leads to a target or comes after one.
func (g *Guide) relevant(b cover.Branch) bool { return g.Leads(b) || g.beyond[b] }

// Relevant reports whether a target lies behind a branch or before it.
func (g *Guide) Relevant(b cover.Branch) bool { return g != nil && g.relevant(b) }

// Reaches reports whether a function can reach a target; without a guide all do.
func (g *Guide) Reaches(callee demand.Callee) bool { return g == nil || g.reaches[callee] }

// Guides reports whether there is a direction.
func (g *Guide) Guides() bool { return g != nil }

// ByDistance lists the branches that lead to a target, the nearest first, then
// those that come after one.
func (g *Guide) ByDistance(list []cover.Branch) []cover.Branch {
	relevant := slices.DeleteFunc(slices.Clone(list), func(b cover.Branch) bool { return !g.relevant(b) })
	slices.SortStableFunc(relevant, func(a, b cover.Branch) int { return cmp.Compare(g.distance(a), g.distance(b)) })
	return relevant
}

// distance returns the conditional jumps from a branch to a target. What comes
// after a target is farther than all that leads there.
func (g *Guide) distance(b cover.Branch) int {
	if jumps, ok := g.ahead[b]; ok {
		return jumps
	}
	return math.MaxInt
}

// remaining returns the smallest distance of the branches of an entry.
func (g *Guide) remaining(e *corpus.Entry) int {
	least := math.MaxInt
	for _, b := range e.Branches {
		least = min(least, g.distance(b))
	}
	return least
}

// Irrelevant reports whether a transaction can neither reach a target nor
// change or show the state for one that can.
func (g *Guide) Irrelevant(tx *input.Tx) bool {
	return g != nil && !g.reaches[demand.CalleeOf(tx)] && search.Stateless(tx.Function)
}
