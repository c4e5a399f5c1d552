package shadow

import (
	"leveret/engine/bytecode"

	"github.com/holiman/uint256"
)

// could returns the bits of a word that can be set, judged by its computation.
func (g *graph) could(r ref) *uint256.Int {
	n := &g.nodes[r]
	if n.fixed {
		return &n.val
	}
	return &n.could
}

// width returns the number of bits that a word can have.
func (g *graph) width(r ref) int { return g.could(r).BitLen() }

// clear reports whether bits of a word are known to be zero.
func (g *graph) clear(r ref, low, size int) bool {
	window := ones(low, size)
	return window.And(&window, g.could(r)).IsZero()
}

// bound sets which bits of a node can be set.
func (g *graph) bound(n *node) {
	if x, left, k, ok := g.shift(n); ok {
		n.could = *g.could(x)
		if left {
			n.could.Lsh(&n.could, k)
		} else {
			n.could.Rsh(&n.could, k)
		}
		return
	}
	switch n.op {
	case bytecode.LT, bytecode.GT, bytecode.SLT, bytecode.SGT, bytecode.EQ, bytecode.ISZERO, opFlag:
		n.could.SetOne()
	case bytecode.AND:
		n.could.And(g.could(n.a), g.could(n.b))
	case bytecode.OR, bytecode.XOR:
		n.could.Or(g.could(n.a), g.could(n.b))
	case bytecode.ADD, bytecode.MUL, bytecode.DIV, bytecode.MOD:
		n.could = ones(0, g.arithmeticWidth(n))
	case bytecode.BYTE:
		n.could.SetUint64(0xff)
	case bytecode.SIGNEXTEND:
		g.boundExtension(n)
	case opLoaded, opReturned:
		n.could = *g.could(n.a)
	case opConcat:
		g.boundConcat(n)
	case opSource, opInput:
		n.could = spreadMask(n.bytes)
		if n.bytes == 0 {
			n.could.SetAllOne()
		}
	default:
		n.could = answerBound(n.op)
	}
}

// arithmeticWidth returns the number of bits of an arithmetic result. The
// product of two booleans has one.
func (g *graph) arithmeticWidth(n *node) int {
	a, b := g.width(n.a), g.width(n.b)
	switch n.op {
	case bytecode.ADD:
		return min(256, 1+max(a, b))
	case bytecode.DIV:
		return a
	case bytecode.MOD:
		return min(a, b)
	}
	if a <= 1 && b <= 1 {
		return min(a, b)
	}
	return min(256, a+b)
}

func (g *graph) boundExtension(n *node) {
	n.could.SetAllOne()
	at := &g.nodes[n.a]
	if !at.fixed || !at.val.LtUint64(31) {
		return
	}
	bits := 8 * (int(at.val.Uint64()) + 1)
	if g.clear(n.b, bits-1, 1) {
		low := ones(0, bits)
		n.could.And(g.could(n.b), &low)
	}
}

func (g *graph) boundConcat(n *node) {
	n.could.Clear()
	for i, c := range g.concats[n.aux] {
		if c == 0 {
			continue
		}
		s, t := 31-c.pos(), 31-i
		b := byte(g.could(c.ref())[s/8] >> (8 * (s % 8)))
		n.could[t/8] |= uint64(b) << (8 * (t % 8))
	}
}

// spreadMask returns a word with the bytes of a byte mask set.
func spreadMask(bytes uint32) (w uint256.Int) {
	for s := range 32 {
		if bytes>>s&1 != 0 {
			w[s/8] |= 0xff << (8 * (s % 8))
		}
	}
	return w
}

// answerBound returns the bits that can be set in environment words and in
// results that are otherwise unknown.
func answerBound(op bytecode.Op) (w uint256.Int) {
	switch op {
	case bytecode.ADDRESS, bytecode.CALLER, bytecode.ORIGIN, bytecode.COINBASE:
		return spreadMask(addressBytes)
	case bytecode.TIMESTAMP, bytecode.NUMBER, bytecode.GAS, bytecode.GASLIMIT, bytecode.MSIZE, bytecode.CODESIZE,
		bytecode.CALLDATASIZE, bytecode.RETURNDATASIZE, bytecode.EXTCODESIZE, bytecode.PC:
		return spreadMask(0xff)
	}
	return *w.SetAllOne()
}
