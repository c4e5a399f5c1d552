package shadow

import (
	"slices"

	"leveret/engine/bytecode"

	"github.com/holiman/uint256"
)

// A pattern is a Condition without values.

// pattern returns the pattern of the JUMPI at pc if its basic block determines
// it completely.
func (p *program) pattern(pc uint32) (*Condition, bool) {
	i, ok := p.code.BlockAt(uint64(pc))
	if !ok {
		return nil, false
	}
	x := p.execute(i)
	b := builder{g: x.g}
	c := b.build(x.cond, OperandPlace{PC: uint64(pc), Operand: 1}, termDepth)
	for l := range c.Leaves {
		if !x.tells(l) {
			return nil, false
		}
	}
	return c.blank(), true
}

// tells reports whether a leaf is a complete comparison. A boolean computed
// elsewhere, on the stack or in memory, is not.
func (x *basicBlock) tells(l *Condition) bool {
	if l.Const {
		return false
	}
	if l.Form == Truthy {
		return !x.foreign(l.Left.ref, termDepth)
	}
	left, right := &x.g.nodes[l.Left.ref], &x.g.nodes[l.Right.ref]
	if l.right != nil || l.Relation != Equal && l.Relation != Differ {
		return true
	}
	return !(left.fixed && left.val.LtUint64(2) && x.foreign(l.Right.ref, termDepth) ||
		right.fixed && right.val.LtUint64(2) && x.foreign(l.Left.ref, termDepth))
}

// foreign reports whether a word is, apart from masks and shifts, one that the
// block found on the stack or in memory.
func (x *basicBlock) foreign(r ref, depth int) bool {
	n := &x.g.nodes[r]
	if depth == 0 || n.fixed {
		return false
	}
	switch n.op {
	case opInput:
		return n.aux == foreignWord
	case bytecode.AND, bytecode.OR, bytecode.XOR, bytecode.MUL, bytecode.DIV:
		return x.foreign(n.a, depth-1) || x.foreign(n.b, depth-1)
	case bytecode.SHL, bytecode.SHR, bytecode.BYTE, bytecode.SIGNEXTEND:
		return x.foreign(n.b, depth-1)
	}
	return false
}

// foreignWord marks nodes of words that the block found on the stack or in
// memory.
const foreignWord = 1

// blank returns a copy without values and frames.
func (c *Condition) blank() *Condition {
	out := *c
	out.L, out.R, out.Left, out.Right = uint256.Int{}, uint256.Int{}, Word{}, Word{}
	out.Place.Frame, out.Width = 0, 0
	if c.A != nil {
		out.A = c.A.blank()
	}
	if c.B != nil {
		out.B = c.B.blank()
	}
	return &out
}

// like reports whether two Conditions have the same pattern.
func (c *Condition) like(d *Condition) bool {
	if c == nil || d == nil {
		return c == d
	}
	return c.Form == d.Form && c.Relation == d.Relation && c.Signed == d.Signed &&
		c.Place.PC == d.Place.PC && c.Place.Operand == d.Place.Operand &&
		sameWord(c.mask, d.mask) && sameWord(c.right, d.right) && c.A.like(d.A) && c.B.like(d.B)
}

func sameWord(a, b *uint256.Int) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Eq(b)
}

// resolve returns the Resolution of a pattern.
func resolve(pc uint64, c *Condition) Resolution {
	r := Resolution{JumpPC: pc, pattern: c}
	for l := range c.Leaves {
		r.PCs = append(r.PCs, l.Place.PC)
	}
	slices.Sort(r.PCs)
	r.PCs = slices.Compact(r.PCs)
	leaf := c
	if c.Form == Not {
		r.Negated, leaf = true, c.A
	}
	r.ComparePC, r.Operand, r.Relation, r.Signed = leaf.Place.PC, leaf.Place.Operand, leaf.Relation, leaf.Signed
	switch {
	case leaf.Form == Truthy:
		r.Shape, r.Relation = NonZero, Differ
	case leaf.Form == Compare && leaf.mask == nil && leaf.right == nil:
		r.Shape = Pair
	default:
		r.ComparePC = 0
	}
	return r
}
