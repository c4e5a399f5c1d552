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
	if c.direction == nil || r.parent == nil || !r.change.Single || len(r.sequence.Txs) != len(r.parent.Sequence.Txs) {
		return
	}
	for i := range r.run.Costs {
		cost := &r.run.Costs[i]
		b, ok := cost.Metric.Branch()
		if !ok || c.corpus.Covered(b) || !c.direction.leads(b) {
			continue
		}
		if was, ok := r.parent.Cost(cost.Metric); ok && !was.Eq(&cost.Value) {
			c.direction.levers.add(lever{b, r.sequence.Last().Function, len(r.sequence.Txs) - 1 - r.change.Tx, r.change.Param.Index})
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
// varies what comes near, and where nothing is missed any more, what can reach
// a target.
func (c *campaign) targeted() *candidate {
	leading := c.direction.byDistance(c.corpus.Missed())
	if len(leading) == 0 {
		callee := c.direction.callees[c.random.IntN(len(c.direction.callees))].Callee
		if entries := c.byCallee[callee]; len(entries) > 0 {
			return c.vary(entries[c.random.IntN(len(entries))], -1)
		}
		return c.single(c.newTx(callee), nil)
	}
	b := leading[c.halving(len(leading))]
	e := c.comesNear(b)
	list := c.direction.levers.of(b, e)
	if len(list) == 0 || c.random.IntN(8) == 0 {
		return c.vary(e, -1)
	}
	s, change := c.pull(e.Sequence, list[c.random.IntN(len(list))])
	if c.random.IntN(4) == 0 {
		other := list[c.random.IntN(len(list))]
		var second mutate.Change
		s, second = c.pull(s, other)
		change = mutate.Change{Tx: change.Tx, First: min(change.First, second.First)}
	}
	return c.child(e, s, change)
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

// comesNear is an Entry that misses an outcome: mostly the one that comes
// nearest, for the others may have what it lacks.
func (c *campaign) comesNear(b cover.Branch) *corpus.Entry {
	best, _ := c.corpus.Best(b)
	if c.random.IntN(2) == 0 {
		return best
	}
	entries := c.byCallee[demand.CalleeOf(best.Sequence.Last())]
	for range min(8, len(entries)) {
		e := entries[c.random.IntN(len(entries))]
		if _, ok := e.Cost(cover.BranchMetric(b, 0)); ok {
			return e
		}
	}
	return best
}

// pull gives the word that a lever names another value.
func (c *campaign) pull(s input.Sequence, l lever) (input.Sequence, mutate.Change) {
	i := len(s.Txs) - 1 - l.back
	tx := &s.Txs[i]
	all := input.Parameters(tx)
	p := &all[min(l.index, len(all)-1)]
	word := c.another(p.Word, input.Get(tx, p), tx.Function)
	return s.WithTx(i, input.Set(tx, p, word)), mutate.Change{Tx: i, Single: true, Param: *p, First: i}
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
