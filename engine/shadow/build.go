package shadow

import (
	"leveret/engine/bytecode"

	"github.com/holiman/uint256"
)

// maxLeaves bounds a Condition; larger ones become Truthy.
const maxLeaves = 32

// A builder builds the Condition of a word from the graph. It serves runs and,
// for the static resolver, basic blocks.
type builder struct {
	g                *graph
	o                *Observer // nil on basic blocks
	leaves, inferred int
}

// relations are the comparisons among the opcodes.
var relations = map[bytecode.Op]struct {
	rel    Relation
	signed bool
}{
	bytecode.LT:  {Less, false},
	bytecode.GT:  {Greater, false},
	bytecode.SLT: {Less, true},
	bytecode.SGT: {Greater, true},
	bytecode.EQ:  {Equal, false},
}

// build returns the condition "r is not zero". The word can be seen at place.
func (b *builder) build(r ref, place OperandPlace, depth int) *Condition {
	r = b.g.strip(r)
	n := &b.g.nodes[r]
	if depth == 0 || b.leaves >= maxLeaves || n.op == opConst {
		return b.truthy(r, place)
	}
	at := OperandPlace{PC: uint64(n.pc), Frame: int(n.frame)}
	second := at
	second.Operand = 1
	switch n.op {
	case bytecode.ISZERO:
		return not(b.build(n.a, at, depth-1))
	case bytecode.LT, bytecode.GT, bytecode.SLT, bytecode.SGT, bytecode.EQ:
		return b.comparison(n, at, depth)
	case bytecode.OR:
		return &Condition{Form: Or, A: b.build(n.a, at, depth-1), B: b.build(n.b, second, depth-1)}
	case bytecode.AND, bytecode.MUL, bytecode.ADD, bytecode.XOR, bytecode.SUB:
		return b.algebra(r, n, at, place, depth)
	case bytecode.NOT:
		var max uint256.Int
		return b.pair(Differ, n.a, 0, at, nil, max.SetAllOne())
	case bytecode.SHL, bytecode.SHR, bytecode.DIV:
		return b.shifted(r, n, place, depth)
	}
	return b.truthy(r, place)
}

// algebra handles arithmetic on booleans, and differences that stand for
// inequality.
func (b *builder) algebra(r ref, n *node, at, place OperandPlace, depth int) *Condition {
	second := at
	second.Operand = 1
	if b.boolean(n.a) && b.boolean(n.b) && !b.same(n) {
		if c := b.neutral(n, at, second, depth); c != nil {
			return c
		}
		form := map[bytecode.Op]Form{
			bytecode.AND: And, bytecode.MUL: And, bytecode.ADD: Or, bytecode.XOR: Xor, bytecode.SUB: Xor,
		}[n.op]
		return &Condition{Form: form, A: b.build(n.a, at, depth-1), B: b.build(n.b, second, depth-1)}
	}
	switch n.op {
	case bytecode.XOR, bytecode.SUB:
		if c := b.zero(n, at, second, depth); c != nil {
			return c
		}
		return b.pair(Differ, n.a, n.b, at, nil, nil)
	case bytecode.AND:
		if b.g.nodes[n.b].fixed {
			return b.masked(r, n.a, at, &b.g.nodes[n.b].val, place, depth)
		}
		if b.g.nodes[n.a].fixed {
			return b.masked(r, n.b, second, &b.g.nodes[n.a].val, place, depth)
		}
	case bytecode.MUL:
		return b.shifted(r, n, place, depth)
	}
	return b.truthy(r, place)
}

// same reports whether both operands of n are one word, as in the check that a
// word is a boolean.
func (b *builder) same(n *node) bool { return b.g.strip(n.a) == b.g.strip(n.b) }

// neutral handles a boolean operation with a constant; nil if n is none.
func (b *builder) neutral(n *node, at, second OperandPlace, depth int) *Condition {
	x, k, place := n.a, &b.g.nodes[n.b], at
	if !k.fixed {
		x, k, place = n.b, &b.g.nodes[n.a], second
	}
	if !k.fixed {
		return nil
	}
	switch one := !k.val.IsZero(); n.op {
	case bytecode.XOR, bytecode.SUB:
		return notIf(one, b.build(x, place, depth-1))
	case bytecode.AND, bytecode.MUL:
		if one {
			return b.build(x, place, depth-1)
		}
	}
	return nil
}

// zero handles the comparison of a difference with zero; nil if n is none.
func (b *builder) zero(n *node, at, second OperandPlace, depth int) *Condition {
	x, k, place := b.g.strip(n.a), &b.g.nodes[n.b], at
	if !k.fixed {
		x, k, place = b.g.strip(n.b), &b.g.nodes[n.a], second
	}
	if !k.fixed || !k.val.IsZero() {
		return nil
	}
	if op := b.g.nodes[x].op; op != bytecode.XOR && op != bytecode.SUB {
		return nil
	}
	return b.build(x, place, depth-1)
}

// masked handles a mask of x, whose place is at.
func (b *builder) masked(r, x ref, at OperandPlace, mask *uint256.Int, place OperandPlace, depth int) *Condition {
	if b.boolean(x) && mask[0]&1 != 0 {
		return b.build(x, at, depth-1)
	}
	x = b.g.strip(x)
	m := &b.g.nodes[x]
	if m.op == bytecode.XOR || m.op == bytecode.SUB && lowMask(mask) {
		if !m.fixed {
			return b.pair(Differ, m.a, m.b, OperandPlace{PC: uint64(m.pc), Frame: int(m.frame)}, mask, nil)
		}
	}
	if sign := ones(255, 1); mask.Eq(&sign) && !m.fixed {
		c := b.pair(Less, x, 0, at, nil, new(uint256.Int))
		c.Signed = true
		return c
	}
	return b.truthy(r, place)
}

// shifted handles shifts: of booleans, of differences, of the sign bit.
func (b *builder) shifted(r ref, n *node, place OperandPlace, depth int) *Condition {
	x, left, k, ok := b.g.shift(n)
	if !ok {
		return b.truthy(r, place)
	}
	at := OperandPlace{PC: uint64(n.pc), Frame: int(n.frame), Operand: 1}
	if x == n.a {
		at.Operand = 0
	}
	x = b.g.strip(x)
	m := &b.g.nodes[x]
	if left && b.g.width(x)+int(k) <= 256 {
		return b.build(x, at, depth-1)
	}
	mask := ones(int(k), 256-int(k))
	if left {
		mask = ones(0, 256-int(k))
	}
	if !m.fixed && (m.op == bytecode.XOR || m.op == bytecode.SUB && left) {
		return b.pair(Differ, m.a, m.b, OperandPlace{PC: uint64(m.pc), Frame: int(m.frame)}, &mask, nil)
	}
	if !left && k == 255 && !m.fixed {
		c := b.pair(Less, x, 0, at, nil, new(uint256.Int))
		c.Signed = true
		return c
	}
	return b.truthy(r, place)
}

// comparison handles LT, GT, SLT, SGT and EQ. A comparison of a boolean with a
// constant or another boolean is logic.
func (b *builder) comparison(n *node, at OperandPlace, depth int) *Condition {
	second := at
	second.Operand = 1
	row := relations[n.op]
	x, y := &b.g.nodes[n.a], &b.g.nodes[n.b]
	boolX, boolY := b.boolean(n.a), b.boolean(n.b)
	switch {
	case n.op == bytecode.EQ && boolX && boolY && !x.fixed && !y.fixed && !b.same(n):
		return not(&Condition{Form: Xor, A: b.build(n.a, at, depth-1), B: b.build(n.b, second, depth-1)})
	case n.op == bytecode.EQ && boolX && !x.fixed && y.fixed && y.val.LtUint64(2):
		return notIf(y.val.IsZero(), b.build(n.a, at, depth-1))
	case n.op == bytecode.EQ && boolY && !y.fixed && x.fixed && x.val.LtUint64(2):
		return notIf(x.val.IsZero(), b.build(n.b, second, depth-1))
	case n.op == bytecode.GT && boolX && !x.fixed && y.fixed && y.val.IsZero():
		return b.build(n.a, at, depth-1)
	case n.op == bytecode.LT && boolY && !y.fixed && x.fixed && x.val.IsZero():
		return b.build(n.b, second, depth-1)
	}
	if n.op == bytecode.EQ {
		if c := b.zero(n, at, second, depth); c != nil {
			return not(c)
		}
	}
	c := b.pair(row.rel, n.a, n.b, at, nil, nil)
	if n.op != bytecode.EQ {
		c.Signed = row.signed
	}
	return c
}

// boolean reports whether a word is 0 or 1, judged by its computation.
func (b *builder) boolean(r ref) bool { return b.g.width(b.g.strip(r)) <= 1 }

// pair returns a Compare.
func (b *builder) pair(rel Relation, l, r ref, at OperandPlace, mask, right *uint256.Int) *Condition {
	b.leaves++
	c := &Condition{Form: Compare, Relation: rel, Place: at, mask: mask, right: right}
	c.Const = b.g.nodes[l].fixed && b.g.nodes[r].fixed
	c.Signed = b.signed(l) || b.signed(r)
	c.Width = max(b.g.width(l), b.g.width(r))
	c.bind(&b.g.nodes[l].val, &b.g.nodes[r].val)
	c.Left, c.Right = Word{b.o, l}, Word{b.o, r}
	return c
}

// signed reports whether a word was sign-extended.
func (b *builder) signed(r ref) bool {
	n := &b.g.nodes[b.g.strip(r)]
	return n.op == bytecode.SIGNEXTEND && !n.fixed
}

// bind sets the values of a Compare.
func (c *Condition) bind(l, r *uint256.Int) {
	c.L, c.R = *l, *r
	if c.right != nil {
		c.R = *c.right
	}
	if c.mask != nil {
		c.L.And(&c.L, c.mask)
		c.R.And(&c.R, c.mask)
	}
}

// truthy returns a leaf for a word without a known comparison.
func (b *builder) truthy(r ref, place OperandPlace) *Condition {
	b.leaves++
	n := &b.g.nodes[r]
	if b.o != nil && n.fixed && n.op == opConst && n.aux != 0 {
		if c := b.infer(r); c != nil {
			return c
		}
	}
	return &Condition{
		Form: Truthy, Place: place, L: n.val, Left: Word{b.o, r},
		Width: b.g.width(r), Const: n.fixed,
	}
}

func not(c *Condition) *Condition {
	if c.Form == Not {
		return c.A
	}
	return &Condition{Form: Not, A: c}
}

func notIf(negate bool, c *Condition) *Condition {
	if negate {
		return not(c)
	}
	return c
}
