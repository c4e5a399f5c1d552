package shadow

import (
	"math/rand/v2"
	"testing"

	"leveret/engine/bytecode"

	"github.com/holiman/uint256"
)

// TestDerive changes one byte of an operand at a time: result bytes into
// which it is not said to flow stay the same.
func TestDerive(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 11))
	for op := range folds {
		for range 400 {
			checkDerive(t, r, op)
		}
	}
}

func checkDerive(t *testing.T, r *rand.Rand, op bytecode.Op) {
	g := &graph{sets: newSets()}
	g.reset()
	operand := func(fixed bool) ref {
		n := node{op: opSource, fixed: fixed, val: edges[r.IntN(len(edges))]}
		switch r.IntN(3) {
		case 0:
			n.val.Rsh(&n.val, uint(r.IntN(256)))
		case 1:
			n.val.SetUint64(uint64(r.IntN(40)) * 8 % 256)
		}
		if !fixed {
			var by [32]Set
			for i := range by {
				by[i] = g.sets.Of(TaintSource{Kind: FromCalldata, Tx: len(g.nodes), Offset: uint64(i)})
			}
			g.spread(&n, &by)
		}
		return g.add(n)
	}
	which := r.IntN(3)
	d := node{op: op, a: operand(which == 1), b: operand(which == 2)}
	g.derive(&d, int(bytecode.Ops[op].Pops))
	a, b := g.nodes[d.a].val, g.nodes[d.b].val
	var was, now uint256.Int
	Compute(&was, op, &a, &b, nil)
	for i, input := range [2]ref{d.a, d.b} {
		if g.nodes[input].fixed || i >= int(bytecode.Ops[op].Pops) {
			continue
		}
		s := r.IntN(32)
		words := [2]uint256.Int{a, b}
		words[i][s/8] ^= uint64(1+r.IntN(255)) << (8 * (s % 8))
		Compute(&now, op, &words[0], &words[1], nil)
		src := TaintSource{Kind: FromCalldata, Tx: int(input), Offset: uint64(s)}
		for k := range 32 {
			if byte(was[k/8]>>(8*(k%8))) != byte(now[k/8]>>(8*(k%8))) && !g.sets.Has(d.byteSet(g, k), src) {
				t.Fatalf("%s(%s, %s): byte %d of operand %d changes byte %d of the result unsaid", bytecode.Ops[op].Name, a.Hex(), b.Hex(), s, i, k)
			}
		}
	}
}
