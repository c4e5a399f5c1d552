package direct

import (
	"math/rand/v2"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/demand"
	"leveret/engine/deploy"
	"leveret/engine/input"
	"leveret/engine/search"
)

// One choice in exploreOneIn ignores the direction: other functions may lead to
// the state that a target needs.
const exploreOneIn = 4

// plateauLength is after how many inputs without a new path of a function that
// can reach a target half of the choices ignore the direction: then most likely
// another state is missing. In November 2026 that cut the inputs to a target
// behind a role that another function grants (setRole of a solady timelock)
// from 5,600 to 2,500 (medians of four seeds).
const plateauLength = 512

// Exploit draws whether a choice follows the direction.
func (g *Guide) Exploit() bool {
	switch {
	case g == nil:
		return false
	case g.onPlateau():
		return g.random.IntN(2) == 0
	}
	return g.random.IntN(exploreOneIn) > 0
}

// onPlateau reports whether no target was covered so far, and the functions
// that can reach one found no new path for long.
func (g *Guide) onPlateau() bool {
	return !g.lookahead.arrived && g.progress.Inputs-g.lastNew > plateauLength
}

// Callee draws a function to call.
func (g *Guide) Callee() deploy.Callee {
	from := g.helpful
	if g.Exploit() {
		from = g.callees
	}
	return from[g.random.IntN(len(from))]
}

// AnyEntry draws an entry of a corpus; one of a function that can reach a target
// if the choice follows the direction.
func (g *Guide) AnyEntry(c *search.Corpus, r *rand.Rand) *corpus.Entry {
	drawn := c.Entries[r.IntN(len(c.Entries))]
	if g.Irrelevant(drawn.Sequence.Last()) || g.Exploit() {
		callee := g.callees[r.IntN(len(g.callees))].Callee
		if entries := c.ByCallee(callee); len(entries) > 0 {
			return entries[r.IntN(len(entries))]
		}
	}
	return drawn
}

// NextEntry returns the entry whose turn it is to be mutated. other returns the
// next one of all.
func (g *Guide) NextEntry(other func() *corpus.Entry) *corpus.Entry {
	exploit := g.Exploit()
	if g == nil || len(g.entries) == 0 {
		return other()
	}
	if !exploit {
		if next := other(); !g.Irrelevant(next.Sequence.Last()) {
			return next
		}
	}
	g.turn++
	return g.entries[g.turn%len(g.entries)]
}

// Energy leaves little energy to entries of functions that can reach no target.
func (g *Guide) Energy(e *corpus.Entry, energy int) int {
	if !g.Reaches(demand.CalleeOf(e.Sequence.Last())) {
		return min(energy, 1)
	}
	return energy
}

// SkipsTx draws whether a transaction is left alone this time because it can
// reach no target.
func (g *Guide) SkipsTx(tx *input.Tx) bool {
	return g != nil && !g.reaches[demand.CalleeOf(tx)] && (g.Irrelevant(tx) || g.Exploit())
}

// Skips draws whether a branch on the path of tx is left alone this time
// because no target lies behind it. tx may be nil if it is not known. Branches
// of a transaction that cannot reach a target are not skipped, as it is there
// for its effect on the state; unless it has none.
func (g *Guide) Skips(b cover.Branch, tx *input.Tx) bool {
	switch {
	case g == nil || g.relevant(b):
		return false
	case tx != nil && search.Stateless(tx.Function):
		return true
	case tx != nil && !g.reaches[demand.CalleeOf(tx)]:
		return false
	}
	return g.Exploit()
}

// Marks keeps the functions that can reach a target if the choice follows the
// direction and there are any.
func (g *Guide) Marks(marked []*demand.Mark) []*demand.Mark {
	if !g.Exploit() {
		return marked
	}
	var near []*demand.Mark
	for _, m := range marked {
		if g.reaches[m.Callee] {
			near = append(near, m)
		}
	}
	if len(near) == 0 {
		return marked
	}
	return near
}

// Agree gives a transaction before the last one the arguments that both can
// have, one time in three: what one function stores under a hash of all its
// arguments, another finds only with the same arguments. first is the first new
// transaction. In November 2026 that cut the inputs to what a timelock checks
// about a ready operation from 6,900 to 2,700.
func (g *Guide) Agree(s input.Sequence, first int) (input.Sequence, int) {
	last := len(s.Txs) - 1
	if g == nil || last < 1 || g.random.IntN(3) > 0 {
		return s, first
	}
	i := last - 1
	if g.random.IntN(2) == 0 {
		i = g.random.IntN(last)
	}
	tx, ok := s.Txs[i].Agreeing(&s.Txs[last])
	if !ok {
		return s, first
	}
	return s.WithTx(i, tx), min(first, i)
}
