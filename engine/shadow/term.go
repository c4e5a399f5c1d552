package shadow

import (
	"leveret/engine/bytecode"

	"github.com/holiman/uint256"
)

// termDepth bounds how deep the graph is looked into.
const termDepth = 12

// width returns how many bits a word can have by the way it was computed.
func (g *graph) width(r ref, depth int) int {
	n := &g.nodes[r]
	if n.fixed {
		return n.val.BitLen()
	}
	if depth == 0 {
		return 256
	}
	if x, left, k, ok := g.shift(n); ok {
		w := g.width(x, depth-1)
		if left {
			return min(256, w+int(k))
		}
		return max(0, w-int(k))
	}
	switch n.op {
	case bytecode.LT, bytecode.GT, bytecode.SLT, bytecode.SGT, bytecode.EQ, bytecode.ISZERO, opFlag:
		return 1
	case bytecode.AND:
		return min(g.width(n.a, depth-1), g.width(n.b, depth-1))
	case bytecode.OR, bytecode.XOR:
		return max(g.width(n.a, depth-1), g.width(n.b, depth-1))
	case bytecode.ADD:
		return min(256, 1+max(g.width(n.a, depth-1), g.width(n.b, depth-1)))
	case bytecode.MUL:
		return min(256, g.width(n.a, depth-1)+g.width(n.b, depth-1))
	case bytecode.DIV:
		return g.width(n.a, depth-1)
	case bytecode.MOD:
		return min(g.width(n.a, depth-1), g.width(n.b, depth-1))
	case bytecode.BYTE:
		return 8
	case opLoaded, opReturned:
		return g.width(n.a, depth-1)
	case opConcat:
		return g.concatWidth(n)
	}
	return sourceWidth(n)
}

// sourceWidth returns how many bits an answer of the environment can have.
func sourceWidth(n *node) int {
	switch n.op {
	case bytecode.ADDRESS, bytecode.CALLER, bytecode.ORIGIN, bytecode.COINBASE:
		return 160
	case bytecode.TIMESTAMP, bytecode.NUMBER, bytecode.GAS, bytecode.GASLIMIT, bytecode.MSIZE, bytecode.CODESIZE,
		bytecode.CALLDATASIZE, bytecode.RETURNDATASIZE, bytecode.EXTCODESIZE, bytecode.PC:
		return 64
	case opSource:
		return maskWidth(n.bytes)
	}
	return 256
}

func maskWidth(bytes uint32) int {
	for s := 31; s >= 0; s-- {
		if bytes>>s&1 != 0 {
			return 8 * (s + 1)
		}
	}
	return 256
}

func (g *graph) concatWidth(n *node) int {
	for i, c := range g.concats[n.aux] {
		if m := &g.nodes[c.ref()]; !m.fixed || g.byteValue(c) != 0 {
			return 8 * (32 - i)
		}
	}
	return 0
}

// A field is bits [low, low+size) of a word.
type field struct {
	word      ref
	low, size int
}

// origin follows a field to the word that its bits were copied from. It
// returns word 0 for bits that are known to be zero.
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

// copiedFrom goes one step back.
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
		if g.clear(n.a, f.low, f.size, termDepth) && (n.op != bytecode.ADD || g.disjoint(n)) {
			f.word = n.b
			return f, true
		}
		if g.clear(n.b, f.low, f.size, termDepth) && (n.op != bytecode.ADD || g.disjoint(n)) {
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

// disjoint reports that an addition cannot carry.
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

// copiedConcat follows bits into the one word that the bytes around them are
// of.
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

// clear reports that bits of a word are known to be zero.
func (g *graph) clear(r ref, low, size, depth int) bool {
	n := &g.nodes[r]
	if n.fixed {
		window := ones(low, size)
		return window.And(&window, &n.val).IsZero()
	}
	if depth == 0 {
		return false
	}
	if g.width(r, depth-1) <= low {
		return true
	}
	switch n.op {
	case bytecode.AND:
		return g.clear(n.a, low, size, depth-1) || g.clear(n.b, low, size, depth-1)
	case bytecode.OR, bytecode.XOR:
		return g.clear(n.a, low, size, depth-1) && g.clear(n.b, low, size, depth-1)
	case bytecode.SHL, bytecode.SHR, bytecode.MUL, bytecode.DIV:
		x, left, k, ok := g.shift(n)
		if !ok {
			return false
		}
		f, known := shifted(field{r, low, size}, x, left, int(k))
		return known && (f.word == 0 && f.size == 0 || g.clear(f.word, f.low, f.size, depth-1))
	case opConcat:
		f, ok := g.copiedConcat(field{r, low, size}, n)
		return ok && f.size == 0
	}
	return false
}

// strip looks through what leaves a word's value as it is: masks and sign
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
			if inner := g.nodes[n.a].a; g.width(inner, termDepth) == 1 {
				r = inner
				continue
			}
		}
		w := g.width(r, termDepth)
		if w == 0 || w == 256 {
			return r
		}
		f := g.origin(field{r, 0, w})
		if f.word == r || f.size == 0 || f.low != 0 || g.width(f.word, termDepth) > w {
			return r
		}
		r = f.word
	}
	return r
}
