package shadow

import (
	"leveret/engine/bytecode"

	"github.com/holiman/uint256"
)

// termDepth bounds the depth of searches in the graph.
const termDepth = 12

// A field is bits [low, low+size) of a word.
type field struct {
	word      ref
	low, size int
}

// origin follows a field to the word from which its bits were copied. It
// returns word 0 for bits known to be zero.
func (g *graph) origin(f field) field {
	for depth := termDepth; depth > 0; depth-- {
		next, ok := g.copiedFrom(f)
		if !ok {
			break
		}
		f = next
		if f.word == 0 {
			break
		}
	}
	return f
}

// copiedFrom follows one step.
func (g *graph) copiedFrom(f field) (field, bool) {
	n := &g.nodes[f.word]
	if n.fixed {
		return f, false
	}
	if x, left, k, ok := g.shift(n); ok {
		return shifted(f, x, left, int(k))
	}
	switch n.op {
	case opLoaded, opReturned:
		f.word = n.a
		return f, true
	case bytecode.AND:
		return g.copiedAnd(f, n)
	case bytecode.OR, bytecode.XOR, bytecode.ADD:
		if g.clear(n.a, f.low, f.size) && (n.op != bytecode.ADD || g.disjoint(n)) {
			f.word = n.b
			return f, true
		}
		if g.clear(n.b, f.low, f.size) && (n.op != bytecode.ADD || g.disjoint(n)) {
			f.word = n.a
			return f, true
		}
	case bytecode.SIGNEXTEND:
		if a := &g.nodes[n.a]; a.fixed && a.val.LtUint64(31) && f.low+f.size <= 8*(int(a.val.Uint64())+1) {
			f.word = n.b
			return f, true
		}
	case bytecode.BYTE:
		if a := &g.nodes[n.a]; a.fixed && a.val.LtUint64(32) && f.low+f.size <= 8 {
			return field{n.b, f.low + 8*(31-int(a.val.Uint64())), f.size}, true
		}
	case opConcat:
		return g.copiedConcat(f, n)
	}
	return f, false
}

// disjoint reports whether an addition cannot carry.
func (g *graph) disjoint(n *node) bool { return g.nodes[n.a].fixed && g.nodes[n.a].val.IsZero() }

func shifted(f field, x ref, left bool, k int) (field, bool) {
	low := f.low + k
	if left {
		low = f.low - k
	}
	switch {
	case left && low+f.size <= 0 || low >= 256:
		return field{}, true
	case low < 0 || low+f.size > 256:
		return f, false
	}
	return field{x, low, f.size}, true
}

func (g *graph) copiedAnd(f field, n *node) (field, bool) {
	x, mask := n.a, n.b
	if g.nodes[x].fixed {
		x, mask = mask, x
	}
	m := &g.nodes[mask]
	if !m.fixed {
		return f, false
	}
	window := ones(f.low, f.size)
	var kept uint256.Int
	kept.And(&m.val, &window)
	switch {
	case kept.IsZero():
		return field{}, true
	case kept.Eq(&window):
		f.word = x
		return f, true
	}
	return f, false
}

// copiedConcat follows bits to the single word whose bytes surround them.
func (g *graph) copiedConcat(f field, n *node) (field, bool) {
	cells := &g.concats[n.aux]
	first, last := 31-(f.low+f.size-1)/8, 31-f.low/8
	base := cells[last].ref()
	delta := cells[last].pos() - last
	for i := first; i <= last; i++ {
		c := cells[i]
		if c.ref() != base || base != 0 && c.pos()-i != delta {
			return f, false
		}
	}
	if base == 0 {
		return field{}, true
	}
	return field{base, f.low - 8*delta, f.size}, true
}

// ones returns a word in which bits [low, low+size) are set.
func ones(low, size int) (w uint256.Int) {
	w.SetAllOne()
	w.Rsh(&w, uint(256-size))
	return *w.Lsh(&w, uint(low))
}

// strip skips operations that preserve a word's value: masks and sign
// extensions of words that fit, pairs of shifts, double negations, memory,
// returns.
func (g *graph) strip(r ref) ref {
	for range termDepth {
		n := &g.nodes[r]
		if n.fixed {
			return r
		}
		if n.op == opReturned || n.op == opLoaded {
			r = n.a
			continue
		}
		if n.op == bytecode.ISZERO && g.nodes[n.a].op == bytecode.ISZERO {
			if inner := g.nodes[n.a].a; g.width(inner) == 1 {
				r = inner
				continue
			}
		}
		w := g.width(r)
		if w == 0 || w == 256 {
			return r
		}
		f := g.origin(field{r, 0, w})
		if f.word == r || f.size == 0 || f.low != 0 || g.width(f.word) > w {
			return r
		}
		r = f.word
	}
	return r
}
