package shadow

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"leveret/engine/bytecode"

	"github.com/holiman/uint256"
)

// TestSets compares interned sets with maps.
func TestSets(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	sets := NewSets()
	type pair struct {
		set  Set
		want map[Source]bool
	}
	pool := []pair{{0, nil}}
	for i := range 40 {
		s := Source{Kind: FromStorage, Offset: uint64(i)}
		pool = append(pool, pair{sets.Of(s), map[Source]bool{s: true}})
	}
	for range 2000 {
		a, b := pool[r.IntN(len(pool))], pool[r.IntN(len(pool))]
		union := map[Source]bool{}
		for s := range a.want {
			union[s] = true
		}
		for s := range b.want {
			union[s] = true
		}
		u := sets.Union(a.set, b.set)
		if got := sets.Sources(u); len(got) != len(union) {
			t.Fatalf("union of %d and %d Sources has %d, want %d", len(a.want), len(b.want), len(got), len(union))
		}
		for s := range union {
			if !sets.Has(u, s) {
				t.Fatalf("%s is missing", s)
			}
		}
		if sets.Union(b.set, a.set) != u || sets.Union(u, u) != u {
			t.Fatal("equal sets have different numbers")
		}
		pool = append(pool, pair{u, union})
	}
}

// TestWiden lets a set grow beyond its bound.
func TestWiden(t *testing.T) {
	sets := NewSets()
	var all Set
	for i := range 10 * widenAt {
		all = sets.Union(all, sets.Of(Source{Kind: FromCalldata, Offset: uint64(32 * i)}))
	}
	all = sets.Union(all, sets.Of(Source{Kind: FromTimestamp}))
	if n := len(sets.Sources(all)); n > widenAt {
		t.Errorf("the set has %d members", n)
	}
	if !sets.Has(all, Source{Kind: FromCalldata, Offset: 64}) || !sets.Has(all, Source{Kind: FromTimestamp}) {
		t.Error("the set lost members")
	}
	if sets.Has(all, Source{Kind: FromCalldata, Tx: 1, Offset: 64}) || sets.Has(all, Source{Kind: FromNumber}) {
		t.Error("the set has what was never added")
	}
}

var edges = []uint256.Int{
	{}, {1}, {2}, {0xff}, {0x100}, {^uint64(0)}, {0, 1}, {0, 0, 0, 1 << 63}, {1, 0, 0, 1 << 63},
	{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0) >> 1}, {^uint64(0) - 1, ^uint64(0), ^uint64(0), ^uint64(0)},
	{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)},
}

// TestCost compares costs with the cost functions of [HARVEY 4.3] in exact
// arithmetic.
func TestCost(t *testing.T) {
	limit := new(big.Int).Lsh(big.NewInt(1), 256)
	for _, l := range edges {
		for _, r := range edges {
			for _, rel := range []Relation{Equal, Differ, Less, Greater} {
				for _, signed := range []bool{false, true} {
					for _, outcome := range []bool{false, true} {
						got := Cost(rel, signed, &l, &r, outcome)
						want := exactCost(rel, value(&l, signed), value(&r, signed), outcome)
						if want.Cmp(limit) >= 0 {
							want.Sub(limit, big.NewInt(1))
						}
						if got.ToBig().Cmp(want) != 0 {
							t.Errorf("%s %s %s signed %v to %v costs %s, want %s", l.Hex(), relationNames[rel], r.Hex(), signed, outcome, got.Dec(), want)
						}
					}
				}
			}
		}
	}
}

func value(v *uint256.Int, signed bool) *big.Int {
	b := v.ToBig()
	if signed && v.Sign() < 0 {
		b.Sub(b, new(big.Int).Lsh(big.NewInt(1), 256))
	}
	return b
}

func exactCost(rel Relation, l, r *big.Int, outcome bool) *big.Int {
	switch rel {
	case Differ:
		return exactCost(Equal, l, r, !outcome)
	case Greater:
		return exactCost(Less, r, l, outcome)
	}
	d := new(big.Int).Sub(l, r)
	zero, one := new(big.Int), big.NewInt(1)
	switch {
	case rel == Equal && outcome:
		return d.Abs(d)
	case rel == Equal && d.Sign() == 0:
		return one
	case rel == Less && outcome && d.Sign() >= 0:
		return d.Add(d, one)
	case rel == Less && !outcome && d.Sign() < 0:
		return d.Neg(d)
	}
	return zero
}

// TestTrees checks over random trees that the cost is zero exactly for the
// outcome that the tree comes to.
func TestTrees(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for range 5000 {
		c := randomTree(r, 4)
		took, other := c.Cost(c.Holds()), c.Cost(!c.Holds())
		if !took.IsZero() || other.IsZero() {
			t.Fatalf("%s holds %v, costs %s and %s", c, c.Holds(), took.Hex(), other.Hex())
		}
	}
}

func randomTree(r *rand.Rand, depth int) *Condition {
	if depth == 0 || r.IntN(4) == 0 {
		return &Condition{
			Form: Form(r.IntN(2)), Relation: Relation(r.IntN(4)), Signed: r.IntN(2) == 0,
			L: edges[r.IntN(len(edges))], R: edges[r.IntN(len(edges))],
		}
	}
	c := &Condition{Form: And + Form(r.IntN(4)), A: randomTree(r, depth-1)}
	if c.Form != Not {
		c.B = randomTree(r, depth-1)
	}
	return c
}

// TestPostDominators compares with the definition: p post-dominates b if
// without p no exit can be reached from b.
func TestPostDominators(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for range 300 {
		n := 1 + r.IntN(9)
		edges := make([][]int, n)
		for b := range edges {
			for range 1 + r.IntN(2) {
				to := r.IntN(n + 2)
				if to >= n {
					to = exitBlock
				}
				edges[b] = append(edges[b], to)
			}
		}
		got := postDominators(edges)
		for b := range edges {
			if want := slowPostDominator(edges, b); got[b] != want {
				t.Fatalf("%v: post-dominator of %d is %d, want %d", edges, b, got[b], want)
			}
		}
	}
}

// leaves reports whether an exit can be reached from b without without.
func leaves(edges [][]int, b, without int, seen []bool) bool {
	if b < 0 {
		return true
	}
	if b == without || seen[b] {
		return false
	}
	seen[b] = true
	return slices.ContainsFunc(edges[b], func(s int) bool { return leaves(edges, s, without, seen) })
}

func slowPostDominator(edges [][]int, b int) int {
	n := len(edges)
	if !leaves(edges, b, n, make([]bool, n)) {
		return exitBlock
	}
	var strict []int
	for p := range n {
		if p != b && !leaves(edges, b, p, make([]bool, n)) {
			strict = append(strict, p)
		}
	}
	for _, p := range strict {
		closest := true
		for _, q := range strict {
			closest = closest && (q == p || !leaves(edges, p, q, make([]bool, n)))
		}
		if closest {
			return p
		}
	}
	return exitBlock
}

// TestDerive changes one byte of an operand at a time: result bytes into
// which it is not said to flow stay the same.
func TestDerive(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 11))
	for op, f := range folds {
		for range 400 {
			checkDerive(t, r, op, f)
		}
	}
}

func checkDerive(t *testing.T, r *rand.Rand, op bytecode.Op, f func(z, a, b *uint256.Int)) {
	g := &graph{sets: NewSets()}
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
				by[i] = g.sets.Of(Source{Kind: FromCalldata, Tx: len(g.nodes), Offset: uint64(i)})
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
	f(&was, &a, &b)
	for i, input := range [2]ref{d.a, d.b} {
		if g.nodes[input].fixed || i >= int(bytecode.Ops[op].Pops) {
			continue
		}
		s := r.IntN(32)
		words := [2]uint256.Int{a, b}
		words[i][s/8] ^= uint64(1+r.IntN(255)) << (8 * (s % 8))
		f(&now, &words[0], &words[1])
		src := Source{Kind: FromCalldata, Tx: int(input), Offset: uint64(s)}
		for k := range 32 {
			if byte(was[k/8]>>(8*(k%8))) != byte(now[k/8]>>(8*(k%8))) && !g.sets.Has(d.byteSet(g, k), src) {
				t.Fatalf("%s(%s, %s): byte %d of operand %d changes byte %d of the result unsaid", bytecode.Ops[op].Name, a.Hex(), b.Hex(), s, i, k)
			}
		}
	}
}
