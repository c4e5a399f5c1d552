// Package mutate derives Sequences from others. All is a table of named,
// weighted mutators: every row of sFuzz's Table 1 (ICSE 2020, section 3.3),
// which are AFL's operators and three on calls, and typed ones that know the
// type of a word. Dictionary and Addresses hold candidate values; EffectMap
// records which words of an Entry affect its execution.
//
// It knows no execution, no coverage and no corpus: the caller runs the results
// and fills dictionaries and effect maps.
//
//	env := &mutate.Env{Targets: targets, Dictionary: dict, Addresses: addrs, Tx: -1, MaxTxs: 1}
//	child, diff, ok := mutate.Any(r, env, parent)   // one row of All
//	child, diff, ok = mutate.Stack(r, env, parent)  // havoc: several rows
//	effects.Record(diff, run(child) != before)
package mutate

import (
	"math/rand/v2"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/input"
)

// A Mutator is one way to change a Sequence. Apply returns false if it made
// nothing new. It changes its arguments only as far as Env.Owned allows.
type Mutator struct {
	Name   string
	Weight int
	Apply  func(r *rand.Rand, env *Env, s input.Sequence) (input.Sequence, Diff, bool)
}

// A Diff is the difference between a child and its parent.
type Diff struct {
	Tx     int             // index of the changed Tx in the child
	Single bool            // only Param of Tx differs, as prediction requires
	Param  input.Parameter // of the parent's Tx and, unless it is a length, of the child's; set if Single
	First  int             // number of first Txs shared with the parent, whose states can be reused
	Shape  bool            // Txs were added, removed or moved
}

// A Target is a function that transactions can call.
type Target struct {
	To       common.Address
	Function *input.Function
}

// An Env is what mutators draw from. It belongs to one goroutine.
type Env struct {
	Targets    []Target                                  // functions for new Txs and for re-entrant calls
	Dictionary *Dictionary                               // may be nil
	Addresses  *Addresses                                // may be nil
	Effects    *EffectMap                                // of the Entry being mutated; may be nil
	Tx         int                                       // the only Tx to change; negative: any, usually the last
	MaxTxs     int                                       // maximal length of Sequences; 0 means 1
	Scripts    bool                                      // the contract calls out, so that attacker scripts have an effect
	Donor      func(r *rand.Rand) (input.Sequence, bool) // another Sequence for crossover; may be nil
	Owned      bool                                      // the list of Txs is the caller's alone: a Tx may be replaced in it

	lister   input.Lister // of the Tx being changed
	replaced input.Tx     // in the list, if it is Owned
	pools    map[*input.Function]*pool
}

// with returns s with its ith Tx replaced.
func (c *Env) with(s input.Sequence, i int, tx input.Tx) input.Sequence {
	if !c.Owned {
		return s.WithTx(i, tx)
	}
	c.replaced, s.Txs[i] = s.Txs[i], tx
	return s
}

// attempts bounds the rows that Any tries on a Sequence.
const attempts = 24

// Any applies one row of All, drawn by weight among those that apply.
func Any(r *rand.Rand, env *Env, s input.Sequence) (input.Sequence, Diff, bool) {
	for range attempts {
		m := draw(r)
		child, change, ok := m.Apply(r, env, s)
		if !ok {
			continue
		}
		inPlace := env.Owned && !change.Shape
		var was *input.Tx
		switch i := change.Tx; {
		case inPlace:
			was = &env.replaced
		case i < len(s.Txs):
			was = &s.Txs[i]
		}
		if change.Tx >= len(child.Txs) || !outgrown(was, &child.Txs[change.Tx]) {
			return child, change, true
		}
		if inPlace {
			s.Txs[change.Tx] = env.replaced
		}
	}
	return s, Diff{}, false
}

// outgrown reports whether the arguments of a Tx grew too large; was is nil if it is a new
// one.
func outgrown(was, now *input.Tx) bool { return now.Oversized() && (was == nil || !was.Oversized()) }

// draw draws a row by weight.
func draw(r *rand.Rand) *Mutator { return byWeight[r.IntN(len(byWeight))] }

// byWeight has each row of All as often as its weight says.
var byWeight = repeated(All)

func repeated(rows []Mutator) (list []*Mutator) {
	for i := range rows {
		for range rows[i].Weight {
			list = append(list, &rows[i])
		}
	}
	return list
}

// Stack applies two to eight rows in sequence: AFL's havoc.
func Stack(r *rand.Rand, env *Env, s input.Sequence) (input.Sequence, Diff, bool) {
	var all Diff
	changed := 0
	defer func(was bool) { env.Owned = was }(env.Owned)
	for range 1 << (1 + r.IntN(3)) {
		child, change, ok := Any(r, env, s)
		if !ok {
			continue
		}
		env.Owned = true
		if s = child; changed == 0 {
			all = change
		} else {
			all = all.Then(change)
		}
		changed++
	}
	return s, all, changed > 0
}

// Then combines two changes made in sequence.
func (c Diff) Then(d Diff) Diff {
	same := c.Single && d.Single && !c.Shape && !d.Shape && c.Tx == d.Tx &&
		c.Param.Index == d.Param.Index && c.Param.Kind == d.Param.Kind
	c.Single = same
	c.Tx, c.First, c.Shape = d.Tx, min(c.First, d.First), c.Shape || d.Shape
	if !same {
		c.Param = input.Parameter{}
	}
	return c
}
