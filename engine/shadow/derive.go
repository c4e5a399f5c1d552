package shadow

import (
	"math/bits"

	"leveret/engine/bytecode"

	"github.com/holiman/uint256"
)

// derive sets the taint of a node from its n operands. Instructions that move
// bytes keep bytes apart; comparisons taint the lowest byte; all others taint
// every byte with every operand.
func (g *graph) derive(d *node, n int) {
	d.fixed = true
	for i, r := range [3]ref{d.a, d.b, d.c} {
		if i >= n {
			break
		}
		m := &g.nodes[r]
		d.fixed = d.fixed && m.fixed
		d.data = g.sets.Union(d.data, m.data)
		d.index = g.sets.Union(d.index, m.index)
		d.control = g.sets.Union(d.control, m.control)
	}
	if d.data == 0 {
		return
	}
	d.bytes = everywhere
	switch d.op {
	case bytecode.LT, bytecode.GT, bytecode.SLT, bytecode.SGT, bytecode.EQ, bytecode.ISZERO, bytecode.CLZ:
		d.bytes = 1
	case bytecode.NOT:
		m := &g.nodes[d.a]
		d.bytes, d.split = m.bytes, m.split
	case bytecode.AND:
		g.deriveAnd(d)
	case bytecode.OR, bytecode.XOR:
		g.deriveOr(d)
	case bytecode.SHL, bytecode.SHR, bytecode.MUL, bytecode.DIV:
		if x, left, k, ok := g.shift(d); ok {
			g.deriveShift(d, x, left, k)
		}
	case bytecode.BYTE, bytecode.SIGNEXTEND:
		g.deriveByte(d)
	}
}

// shift reports whether a node shifts x by k < 256 constant bits, by a shift or
// by a multiplication or division by a power of two.
func (g *graph) shift(d *node) (x ref, left bool, k uint, ok bool) {
	a, b := &g.nodes[d.a], &g.nodes[d.b]
	switch d.op {
	case bytecode.SHL, bytecode.SHR:
		if a.fixed && a.val.LtUint64(256) {
			return d.b, d.op == bytecode.SHL, uint(a.val.Uint64()), true
		}
	case bytecode.MUL:
		if k, ok := log2(&a.val); ok && a.fixed {
			return d.b, true, k, true
		}
		if k, ok := log2(&b.val); ok && b.fixed {
			return d.a, true, k, true
		}
	case bytecode.DIV:
		if k, ok := log2(&b.val); ok && b.fixed {
			return d.a, false, k, true
		}
	}
	return 0, false, 0, false
}

func log2(v *uint256.Int) (uint, bool) {
	ones := 0
	for _, w := range v {
		ones += bits.OnesCount64(w)
	}
	return uint(v.BitLen() - 1), ones == 1
}

// deriveAnd drops the bytes that a constant mask clears.
func (g *graph) deriveAnd(d *node) {
	x, mask := d.a, d.b
	if g.nodes[x].fixed {
		x, mask = mask, x
	}
	if !g.nodes[mask].fixed {
		g.deriveOr(d)
		return
	}
	g.keep(d, x, byteMask(&g.nodes[mask].val))
}

// keep gives d the bytes of x that are in mask.
func (g *graph) keep(d *node, x ref, mask uint32) {
	m := &g.nodes[x]
	if m.split == 0 {
		d.bytes = m.bytes & mask
		if d.bytes == 0 {
			d.data = 0
		}
		return
	}
	by := m.parts(g)
	for s := range by {
		if mask>>s&1 == 0 {
			by[s] = 0
		}
	}
	g.spread(d, &by)
}

// byteMask returns the nonzero bytes of v as a mask.
func byteMask(v *uint256.Int) uint32 {
	var mask uint32
	for s := range 32 {
		if byte(v[s/8]>>(8*(s%8))) != 0 {
			mask |= 1 << s
		}
	}
	return mask
}

// deriveOr joins two words byte by byte.
func (g *graph) deriveOr(d *node) {
	a, b := &g.nodes[d.a], &g.nodes[d.b]
	switch {
	case a.data == 0:
		d.bytes, d.split = b.bytes, b.split
	case b.data == 0:
		d.bytes, d.split = a.bytes, a.split
	case a.data == b.data && a.split == 0 && b.split == 0:
		d.bytes = a.bytes | b.bytes
	default:
		x, y := a.parts(g), b.parts(g)
		for s := range x {
			x[s] = g.sets.Union(x[s], y[s])
		}
		g.spread(d, &x)
	}
}

// deriveShift moves the bytes of x. A shift by part of a byte taints two bytes
// with each source byte.
func (g *graph) deriveShift(d *node, x ref, left bool, k uint) {
	m := &g.nodes[x]
	whole, part := int(k/8), k%8 != 0
	if m.split == 0 {
		d.bytes = shiftMask(m.bytes, left, whole)
		if part {
			d.bytes |= shiftMask(m.bytes, left, whole+1)
		}
		if d.bytes == 0 {
			d.data = 0
		}
		return
	}
	src := m.parts(g)
	var by [32]Set
	for s, set := range src {
		for _, move := range [2]int{whole, whole + 1} {
			if move == whole+1 && !part {
				continue
			}
			to := s + move
			if !left {
				to = s - move
			}
			if to >= 0 && to < 32 {
				by[to] = g.sets.Union(by[to], set)
			}
		}
	}
	g.spread(d, &by)
}

func shiftMask(m uint32, left bool, n int) uint32 {
	if left {
		return m << n
	}
	return m >> n
}

// deriveByte handles BYTE and SIGNEXTEND at a constant position.
func (g *graph) deriveByte(d *node) {
	at, x := &g.nodes[d.a], &g.nodes[d.b]
	if !at.fixed || !at.val.LtUint64(31) {
		if d.op == bytecode.BYTE {
			d.bytes = 1
		}
		return
	}
	k := int(at.val.Uint64())
	var by [32]Set
	if d.op == bytecode.BYTE {
		by[0] = x.byteSet(g, 31-k)
	} else {
		by = x.parts(g)
		for s := k + 1; s < 32; s++ {
			by[s] = by[k]
		}
	}
	g.spread(d, &by)
}
