package direct

import (
	"slices"

	"github.com/holiman/uint256"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/demand"
	"leveret/engine/input"
	"leveret/engine/mutate"
	"leveret/engine/search"
)

// An influence is a word of an input whose change changed the distance from a
// branch. Near a target these are the words to mutate: where no cost tells a
// direction, as behind a hash, they are at least the words to vary.
type influence struct {
	branch   cover.Branch
	function *input.Function // of the last transaction
	back     int             // transactions from the last one
	index    int             // of the parameter
}

// influences are those of a campaign.
type influences struct {
	known map[influence]bool
	list  map[cover.Branch][]influence
}

// maxInfluences bounds what is remembered for a branch.
const maxInfluences = 32

func (l *influences) add(known influence) {
	if l.known == nil {
		l.known, l.list = map[influence]bool{}, map[cover.Branch][]influence{}
	}
	if !l.known[known] && len(l.list[known.branch]) < maxInfluences {
		l.known[known] = true
		l.list[known.branch] = append(l.list[known.branch], known)
	}
}

// of lists the influences that an entry has on a branch.
func (l *influences) of(b cover.Branch, e *corpus.Entry) (list []influence) {
	for _, known := range l.list[b] {
		if known.function == e.Function() && known.back < len(e.Sequence.Txs) {
			list = append(list, known)
		}
	}
	return list
}

// A Targeted source mutates what influences a branch on the way to a target.
type Targeted struct {
	guide     *Guide
	generator *search.Generator
	attacks   Attacks
}

// Attacks make inputs in which the attacker contract does more than accept.
type Attacks interface {
	Next() *search.Candidate
	// Near reports whether such an input is known that can reach a target.
	Near() bool
}

// NewTargeted returns the source of a guide.
func NewTargeted(g *Guide, generator *search.Generator, a Attacks) *Targeted {
	return &Targeted{g, generator, a}
}

// Learn records new entries of functions that can reach a target, and what a
// change of one word did to the distances from branches on the way.
func (t *Targeted) Learn(r *search.Result) {
	g := t.guide
	if g == nil || !r.Real() {
		return
	}
	if n := g.corpus.Forgets(); n != g.forgets {
		g.forgets = n
		g.entries = slices.DeleteFunc(g.entries, (*corpus.Entry).Forgotten)
	}
	if r.NewPath && g.reaches[demand.CalleeOf(r.Sequence.Last())] {
		g.entries = append(g.entries, r.Entry)
		g.lastNew = g.progress.Inputs
	}
	if !r.Fast() || r.Parent == nil || !r.Change.Single || r.Change.Tx >= len(r.Parent.Sequence.Txs) || len(r.Sequence.Txs) != len(r.Parent.Sequence.Txs) {
		return
	}
	for i := range r.Run.Costs {
		cost := &r.Run.Costs[i]
		b, ok := cost.Metric.Branch()
		if !ok || g.corpus.Covered(b) || !g.relevant(b) {
			continue
		}
		if was, ok := r.Parent.Cost(cost.Metric); ok && !was.Eq(&cost.Value) {
			g.influences.add(influence{b, r.Sequence.Last().Function, len(r.Sequence.Txs) - 1 - r.Change.Tx, r.Change.Param.Index})
		}
	}
}

// Next mutates a word that influences a branch on the way to a target; without
// one it varies the entry that comes nearest, or changes the state before it.
// Where no branch is missed any more, or only ones that resist, it varies
// entries that can reach a target.
func (t *Targeted) Next() *search.Candidate {
	g, random := t.guide, t.guide.random
	if g.onPlateau() && !g.Exploit() {
		return nil
	}
	if random.IntN(8) == 0 && t.attacks.Near() {
		return t.attacks.Next()
	}
	b, ok := g.Pursue()
	if !ok {
		return t.nearby()
	}
	e := g.nearest(b)
	if e == nil {
		return t.nearby()
	}
	list := g.influences.of(b, e)
	if len(list) == 0 && random.IntN(2) == 0 {
		if longer := t.generator.Longer(e, g.Agree); longer != nil {
			return longer
		}
	}
	if len(list) == 0 || random.IntN(8) == 0 {
		return t.generator.Vary(e)
	}
	s, change := t.mutate(e.Sequence, list[random.IntN(len(list))])
	if random.IntN(4) == 0 {
		other := list[random.IntN(len(list))]
		var second mutate.Diff
		s, second = t.mutate(s, other)
		change = mutate.Diff{Tx: change.Tx, First: min(change.First, second.First)}
	}
	return g.corpus.Child(e, s, change)
}

// maxPursuits is how many inputs a branch gets before it shares with others
// that may lead to a target.
const maxPursuits = 64

// Pursue draws the branch on the way to a target to cover next, a near one more
// often. It returns false if there is none or if the branch resists. The last
// branch before a target is not given up while a word influences it.
func (g *Guide) Pursue() (cover.Branch, bool) {
	relevant := g.ByDistance(g.corpus.Missed())
	if len(relevant) == 0 {
		return 0, false
	}
	b := relevant[search.Halving(g.random, len(relevant))]
	if g.distance(b) <= 1 && len(g.influences.list[b]) > 0 {
		return b, true
	}
	g.pursuits[b]++
	return b, g.random.IntN(1+g.pursuits[b]/maxPursuits) == 0
}

// nearby varies an entry of a function that can reach a target, those that come
// nearer more often.
func (t *Targeted) nearby() *search.Candidate {
	g, random := t.guide, t.guide.random
	callee := g.callees[random.IntN(len(g.callees))].Callee
	entries := g.corpus.ByCallee(callee)
	if len(entries) == 0 {
		return t.generator.Single(t.generator.NewTx(callee), nil)
	}
	best := entries[random.IntN(len(entries))]
	for range 3 {
		if e := entries[random.IntN(len(entries))]; g.remaining(e) < g.remaining(best) {
			best = e
		}
	}
	return t.generator.Vary(best)
}

// nearest returns an entry of a function that can reach a target and misses a
// branch: half of the time the one that comes nearest, as others may have what
// it lacks. The nearest of all may belong to a function that shares code and
// goes elsewhere afterwards. It returns nil if it finds none.
func (g *Guide) nearest(b cover.Branch) *corpus.Entry {
	best, _ := g.corpus.Best(b)
	if !g.reaches[demand.CalleeOf(best.Sequence.Last())] {
		best = nil
	} else if g.random.IntN(2) == 0 {
		return best
	}
	for range min(8, len(g.entries)) {
		e := g.entries[g.random.IntN(len(g.entries))]
		if _, ok := e.Cost(cover.BranchMetric(b, 0)); ok {
			return e
		}
	}
	return best
}

// mutate gives the word of an influence another value.
func (t *Targeted) mutate(s input.Sequence, l influence) (input.Sequence, mutate.Diff) {
	i := len(s.Txs) - 1 - l.back
	tx := &s.Txs[i]
	all := input.Parameters(tx)
	p := &all[min(l.index, len(all)-1)]
	word := t.another(p.Word, input.Get(tx, p), tx.Function)
	return s.WithTx(i, input.Set(tx, p, word)), mutate.Diff{Tx: i, Single: true, Param: *p, First: i}
}

// another draws a value in place of old: one from the dictionary, one of any
// magnitude, or one close to old.
func (t *Targeted) another(kind input.WordType, old uint256.Int, f *input.Function) uint256.Int {
	r := t.guide.random
	spare := uint(256 - kind.Bits)
	if kind.Left {
		old.Rsh(&old, spare)
	}
	word, bits := old, max(kind.Bits, 1)
	random := uint256.Int{r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64()}
	switch r.IntN(6) {
	case 0, 1:
		return input.RandomWord(r, kind, t.generator.Pool(f))
	case 2, 3:
		word.Rsh(&random, uint(255-r.IntN(bits)))
	case 4:
		random.Rsh(&random, uint(255-r.IntN(max(bits/2, 1))))
		if r.IntN(2) == 0 {
			word.Add(&old, &random)
		} else {
			word.Sub(&old, &random)
		}
	default:
		for range 1 + r.IntN(3) {
			var bit uint256.Int
			word.Xor(&word, bit.Lsh(bit.SetOne(), uint(r.IntN(bits))))
		}
	}
	if kind.Left {
		word.Lsh(&word, spare)
	}
	return kind.Wrap(&word)
}
