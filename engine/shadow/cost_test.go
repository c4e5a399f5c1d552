package shadow

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/holiman/uint256"
)

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
