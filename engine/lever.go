package engine

import (
	"github.com/holiman/uint256"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/demand"
	"leveret/engine/input"
	"leveret/engine/mutate"
)

// A lever is a word of an input that was seen to move the distance from an
// outcome. Near a target, that is what to move: where no cost tells in which
// direction, as behind a hash, it is at least the word that tries differ in.
type lever struct {
	outcome  cover.Branch
	function *input.Function // of the last Tx
	back     int             // Txs from the last one
	index    int             // of the Parameter
}

// levers are those of a campaign with a direction.
type levers struct {
	known map[lever]bool
	list  map[cover.Branch][]lever
}

// maxLevers bounds what is remembered for an outcome.
const maxLevers = 32

// pulled notes what a change of one word did to the distances from outcomes
// on the way to a target.
func (c *campaign) pulled(r *result) {
	if c.direction == nil || r.parent == nil || !r.change.Single || len(r.Sequence.Txs) != len(r.parent.Sequence.Txs) {
		return
	}
	for i := range r.Run.Costs {
		cost := &r.Run.Costs[i]
		b, ok := cost.Metric.Branch()
		if !ok || c.corpus.Covered(b) || !c.direction.leads(b) {
			continue
		}
		if was, ok := r.parent.Cost(cost.Metric); ok && !was.Eq(&cost.Value) {
			c.direction.levers.add(lever{b, r.Sequence.Last().Function, len(r.Sequence.Txs) - 1 - r.change.Tx, r.change.Param.Index})
		}
	}
}

func (l *levers) add(known lever) {
	if l.known == nil {
		l.known, l.list = map[lever]bool{}, map[cover.Branch][]lever{}
	}
	if !l.known[known] && len(l.list[known.outcome]) < maxLevers {
		l.known[known] = true
		l.list[known.outcome] = append(l.list[known.outcome], known)
	}
}

// of lists the levers that an Entry has for an outcome.
func (l *levers) of(b cover.Branch, e *corpus.Entry) (list []lever) {
	for _, known := range l.list[b] {
		if known.function == e.Function() && known.back < len(e.Sequence.Txs) {
			list = append(list, known)
		}
	}
	return list
}

// targeted pulls a lever of an outcome on the way to a target; without one it
// varies what comes near, or puts before it what changes the state that it
// finds. Where nothing is missed any more, or only what resists, it varies what
// can reach a target.
func (c *campaign) targeted() *candidate {
	if c.stuck() && !c.keepsTo() {
		return nil
	}
	if c.random.IntN(8) == 0 && len(c.nearCallers()) > 0 {
		return c.attack()
	}
	b, ok := c.pursued()
	if !ok {
		return c.nearby()
	}
	e := c.comesNear(b)
	if e == nil {
		return c.nearby()
	}
	list := c.direction.levers.of(b, e)
	if len(list) == 0 && c.random.IntN(2) == 0 {
		if longer := c.longer(e); longer != nil {
			return longer
		}
	}
	if len(list) == 0 || c.random.IntN(8) == 0 {
		return c.vary(e, -1)
	}
	s, change := c.pull(e.Sequence, list[c.random.IntN(len(list))])
	if c.random.IntN(4) == 0 {
		other := list[c.random.IntN(len(list))]
		var second mutate.Diff
		s, second = c.pull(s, other)
		change = mutate.Diff{Tx: change.Tx, First: min(change.First, second.First)}
	}
	return c.child(e, s, change)
}

// perseverance is how many inputs an outcome gets before it has to share with
// what else may lead to a target.
const perseverance = 64

// pursued draws the outcome on the way to a target that is to be met next: a
// near one more often. False: none, or one that resists. The last one before a
// target, with a lever to pull, is not given up.
func (c *campaign) pursued() (cover.Branch, bool) {
	leading := c.direction.byDistance(c.corpus.Missed())
	if len(leading) == 0 {
		return 0, false
	}
	b := leading[c.halving(len(leading))]
	if c.direction.distance(b) <= 1 && len(c.direction.levers.list[b]) > 0 {
		return b, true
	}
	c.direction.pursuits[b]++
	return b, c.random.IntN(1+c.direction.pursuits[b]/perseverance) == 0
}

// nearby varies one of the Entries of a function that can reach a target, those
// that came farther more often.
func (c *campaign) nearby() *candidate {
	callee := c.direction.callees[c.random.IntN(len(c.direction.callees))].Callee
	entries := c.byCallee[callee]
	if len(entries) == 0 {
		return c.single(c.newTx(callee), nil)
	}
	best := entries[c.random.IntN(len(entries))]
	for range 3 {
		if e := entries[c.random.IntN(len(entries))]; c.direction.remaining(e) < c.direction.remaining(best) {
			best = e
		}
	}
	return c.vary(best, -1)
}

// halving draws an index below n: each half as often as the one before it.
func (c *campaign) halving(n int) int {
	for i := range n {
		if c.random.IntN(2) == 0 {
			return i
		}
	}
	return c.random.IntN(n)
}

// comesNear is an Entry of a function that can reach a target and misses an
// outcome: mostly the one that comes nearest, for the others may have what it
// lacks. What is nearest may be of a function that shares code with those, and
// goes elsewhere from there. It is nil if none is found.
func (c *campaign) comesNear(b cover.Branch) *corpus.Entry {
	best, _ := c.corpus.Best(b)
	if !c.direction.near[demand.CalleeOf(best.Sequence.Last())] {
		best = nil
	} else if c.random.IntN(2) == 0 {
		return best
	}
	entries := c.direction.entries
	for range min(8, len(entries)) {
		e := entries[c.random.IntN(len(entries))]
		if _, ok := e.Cost(cover.BranchMetric(b, 0)); ok {
			return e
		}
	}
	return best
}

// pull gives the word that a lever names another value.
func (c *campaign) pull(s input.Sequence, l lever) (input.Sequence, mutate.Diff) {
	i := len(s.Txs) - 1 - l.back
	tx := &s.Txs[i]
	all := input.Parameters(tx)
	p := &all[min(l.index, len(all)-1)]
	word := c.another(p.Word, input.Get(tx, p), tx.Function)
	return s.WithTx(i, input.Set(tx, p, word)), mutate.Diff{Tx: i, Single: true, Param: *p, First: i}
}

// another draws a value that a word may have in place of old: one that means
// something, one of any magnitude, or one close to it.
func (c *campaign) another(t input.WordType, old uint256.Int, f *input.Function) uint256.Int {
	spare := uint(256 - t.Bits)
	if t.Left {
		old.Rsh(&old, spare)
	}
	word, bits := old, max(t.Bits, 1)
	random := uint256.Int{c.random.Uint64(), c.random.Uint64(), c.random.Uint64(), c.random.Uint64()}
	switch c.random.IntN(6) {
	case 0, 1:
		return input.RandomWord(c.random, t, c.context.Pool(f))
	case 2, 3:
		word.Rsh(&random, uint(255-c.random.IntN(bits)))
	case 4:
		random.Rsh(&random, uint(255-c.random.IntN(max(bits/2, 1))))
		if c.random.IntN(2) == 0 {
			word.Add(&old, &random)
		} else {
			word.Sub(&old, &random)
		}
	default:
		for range 1 + c.random.IntN(3) {
			var bit uint256.Int
			word.Xor(&word, bit.Lsh(bit.SetOne(), uint(c.random.IntN(bits))))
		}
	}
	if t.Left {
		word.Lsh(&word, spare)
	}
	return t.Wrap(&word)
}
