package shadow

import (
	"encoding/binary"

	"leveret/engine/bytecode"
	"leveret/engine/evm"
)

// A function that returns whether something holds decides like a JUMPI, though no
// jump follows in its frame: the second comparison of "return x == a && y == b" is
// the result itself. A ReturnPC stands for it where a JUMPI has its pc.

// firstReturnPC is greater than all pcs.
const firstReturnPC = 1 << 32

// ReturnPC returns the ReturnPC of the function that a frame runs; false if it runs
// none.
func ReturnPC(f *evm.Frame) (pc uint64, ok bool) {
	if f.Code == nil || len(f.Input) < 4 || f.Kind == evm.FrameCreate || f.Kind == evm.FrameCreate2 {
		return 0, false
	}
	return firstReturnPC | uint64(binary.BigEndian.Uint32(f.Input)), true
}

// ReturnSelector returns the selector of the function that a ReturnPC belongs to.
func ReturnSelector(pc uint64) (selector [4]byte) {
	binary.BigEndian.PutUint32(selector[:], uint32(pc))
	return selector
}

func returned(pc uint64) bool { return pc >= firstReturnPC }

// Returned reports whether the Decision is a returned boolean.
func (d *Decision) Returned() bool { return returned(d.PC) }

// returns records the boolean that a frame returns as a Decision, taken if it is true.
// That of a JUMPI is known already: "if (x == a) return true".
func (o *Observer) returns(f *frame) {
	pc, ok := ReturnPC(f.live)
	if !ok || len(f.out) != 32 {
		return
	}
	r := o.g.valued((*[32]cell)(f.out))
	n := &o.g.nodes[r]
	if b := (builder{g: &o.g}); n.fixed || !n.val.LtUint64(2) || !b.boolean(r) || o.jumpedOn(r) {
		return
	}
	o.decide(f, pc, nil, r, !n.val.IsZero())
}

// jumpedOn reports whether a JUMPI of the transaction decided by a boolean, or by its
// negation.
func (o *Observer) jumpedOn(r ref) bool {
	r = o.g.unnegated(r)
	for _, b := range o.log[1:] {
		if o.g.unnegated(b.cond) == r {
			return true
		}
	}
	return false
}

// unnegated follows negations of a boolean to the word that they negate.
func (g *graph) unnegated(r ref) ref {
	for range termDepth {
		if r = g.strip(r); g.nodes[r].op != bytecode.ISZERO {
			break
		}
		r = g.nodes[r].a
	}
	return r
}

// flagWidth is the number of bits of words that may be booleans which the frame only
// passed on.
const flagWidth = 8

// compares reports whether the frame that returned the condition decided it, by a
// comparison that no JUMPI was found to repeat.
func (c *Condition) compares() bool {
	if c.Form == Truthy {
		return false // a boolean from elsewhere, made clean
	}
	for l := range c.Leaves {
		if returned(l.Place.PC) {
			return false // the word itself
		}
	}
	for l := range c.Leaves {
		if !l.Const && !l.Inferred && (l.Form == Compare || l.Width > flagWidth) {
			return true
		}
	}
	return false
}
