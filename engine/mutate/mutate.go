// Package mutate makes new Sequences from old ones. All is a table of named,
// weighted mutators: every row of sFuzz's Table 1 (ICSE 2020, section 3.3),
// which are AFL's operators and three on calls, and typed ones that know what
// a word stands for. Dictionary and Addresses hold values worth trying;
// EffectMap remembers which words of an Entry ever mattered.
//
// It knows no execution, no coverage and no corpus: the caller runs what comes
// out and feeds dictionaries and effect maps.
//
//	ctx := &mutate.Context{Targets: targets, Dictionary: dict, Addresses: addrs, Tx: -1, MaxTxs: 1}
//	child, change, ok := mutate.Any(r, ctx, parent)   // one row of All
//	child, change, ok = mutate.Stack(r, ctx, parent)  // havoc: several rows
//	effects.Record(change, run(child) != before)
package mutate

import (
	"math/rand/v2"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/input"
)

// A Mutator is one way to change a Sequence. Apply tells whether it made
// something new; it never changes what it was given.
type Mutator struct {
	Name   string
	Weight int
	Apply  func(r *rand.Rand, ctx *Env, s input.Sequence) (input.Sequence, Diff, bool)
}

// A Change says where a child differs from its parent.
type Diff struct {
	Tx     int             // the Tx that was changed; index in the child
	Single bool            // nothing but Param of Tx differs: what prediction needs
	Param  input.Parameter // of the parent's Tx and, unless it is a length, of the child's; set if Single
	First  int             // Txs before it are the parent's: their World can be reused
	Shape  bool            // Txs were added, removed or moved
}

// A Target is a function that can be called.
type Target struct {
	To       common.Address
	Function *input.Function
}

// A Context is what mutators may draw from. It is only read; several workers
// may share one as long as nobody feeds its dictionaries meanwhile.
type Env struct {
	Targets    []Target                                  // functions for new Txs and for agents that re-enter
	Dictionary *Dictionary                               // may be nil
	Addresses  *Addresses                                // may be nil
	Effects    *EffectMap                                // of the Entry being mutated; may be nil
	Tx         int                                       // the only Tx to change; negative: any, the last most often
	MaxTxs     int                                       // Sequences grow up to this; 0 means 1
	Scripts    bool                                      // the contract calls out: scripts for the attacker's contract make sense
	Donor      func(r *rand.Rand) (input.Sequence, bool) // another Sequence for crossover; may be nil
}

// attempts bounds how many rows Any tries on a Sequence that few rows fit.
const attempts = 24

// Any applies one row of All, drawn by weight among those that fit.
func Any(r *rand.Rand, ctx *Env, s input.Sequence) (input.Sequence, Diff, bool) {
	for range attempts {
		m := draw(r)
		if child, change, ok := m.Apply(r, ctx, s); ok && !outgrown(&s, &child, change.Tx) {
			return child, change, true
		}
	}
	return s, Diff{}, false
}

// outgrown reports whether a change made the arguments of Tx i too large.
func outgrown(parent, child *input.Sequence, i int) bool {
	return i < len(child.Txs) && child.Txs[i].Oversized() && (i >= len(parent.Txs) || !parent.Txs[i].Oversized())
}

func draw(r *rand.Rand) *Mutator {
	n := r.IntN(total)
	for i := range All {
		if n -= All[i].Weight; n < 0 {
			return &All[i]
		}
	}
	return &All[0] // not reached: total is the sum of the weights
}

var total = sum(All)

func sum(rows []Mutator) int {
	n := 0
	for i := range rows {
		n += rows[i].Weight
	}
	return n
}

// Stack applies two to eight rows one after the other, AFL's havoc.
func Stack(r *rand.Rand, ctx *Env, s input.Sequence) (input.Sequence, Diff, bool) {
	var all Diff
	changed := 0
	for range 1 << (1 + r.IntN(3)) {
		child, change, ok := Any(r, ctx, s)
		if !ok {
			continue
		}
		if s = child; changed == 0 {
			all = change
		} else {
			all = all.then(change)
		}
		changed++
	}
	return s, all, changed > 0
}

// then joins two changes made one after the other.
func (c Diff) then(d Diff) Diff {
	same := c.Single && d.Single && !c.Shape && !d.Shape && c.Tx == d.Tx &&
		c.Param.Index == d.Param.Index && c.Param.Kind == d.Param.Kind
	c.Single = same
	c.Tx, c.First, c.Shape = d.Tx, min(c.First, d.First), c.Shape || d.Shape
	if !same {
		c.Param = input.Parameter{}
	}
	return c
}
