package evm

import (
	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
)

// How arithmetic gets cheaper where some operands are known. It changes neither how
// far a path goes nor what the Recorder is told.

// simplify replaces an operation by a cheaper one with the same result, and returns
// its operands.
func (tr *translator) simplify(made *op, args []operand) []operand {
	switch made.code {
	case bytecode.EXP:
		if args[1].value != nil { // its price is static
			made.kind = opBinary
		}
	case bytecode.DIV:
		if n, ok := exponentOf(args[1].value); ok {
			made.kind, args[0], args[1] = opShr, tr.constant(*uint256.NewInt(n)), args[0]
		}
	case bytecode.MOD:
		if _, ok := exponentOf(args[1].value); ok {
			made.kind, args[1] = opAnd, tr.constant(*new(uint256.Int).SubUint64(args[1].value, 1))
		}
	case bytecode.ADD:
		if sum, ok := tr.sum(args[0], args[1]); ok {
			return sum.emitAs(tr, made)
		}
	}
	return args
}

// exponentOf returns the n of a known word 1<<n; false if it is no such word.
func exponentOf(word *uint256.Int) (n uint64, ok bool) {
	if word == nil || word.IsZero() {
		return 0, false
	}
	n = uint64(word.BitLen()) - 1
	var power uint256.Int
	return n, power.Lsh(power.SetOne(), uint(n)).Eq(word)
}

// A linear is x*factor + y + more. Most are addresses of elements in memory, which
// take three or four instructions.
type linear struct {
	x, y   operand
	factor *uint256.Int // of 64 bits; nil: no x
	more   uint256.Int
	hasY   bool
}

// sum returns the sum of two words of which at least one is a linear that nothing
// else uses, or is known. The operation that computes it goes.
func (tr *translator) sum(a, b operand) (l linear, ok bool) {
	if a.value != nil {
		a, b = b, a
	}
	if a == b {
		return l, false
	}
	for range 2 {
		if def := tr.definition(a); def != nil {
			if l, ok = def.linear(); ok && l.add(b) {
				tr.discard(def)
				return l, true
			}
		}
		if b.value != nil {
			break
		}
		a, b = b, a
	}
	return l, false
}

// linear returns what an operation computes; false if it is no linear.
func (o *op) linear() (l linear, ok bool) {
	x, y := o.operands()
	switch o.kind {
	case opMul:
		if x.value != nil {
			x, y = y, x
		}
		l.x, l.factor = x, y.value
	case opShl:
		if x.value != nil && x.value.LtUint64(64) {
			l.x, l.factor = y, uint256.NewInt(1<<x.value[0])
		}
	case opAdd:
		if x.value != nil {
			x, y = y, x
		}
		l.y, l.hasY = x, true
		if y.value != nil {
			l.more = *y.value
		} else {
			l.x, l.factor = y, &one
		}
		return l, true
	case opScale, opIndex:
		x.value, y.value = nil, nil
		return linear{x: x, y: y, factor: o.kx, more: *o.ky, hasY: o.kind == opIndex}, true
	}
	return l, l.factor != nil && l.factor.IsUint64()
}

// add adds an operand; false if it has no place.
func (l *linear) add(o operand) bool {
	switch {
	case o.value != nil:
		l.more.Add(&l.more, o.value)
	case !l.hasY:
		l.y, l.hasY = o, true
	case l.factor == nil:
		l.x, l.factor = o, &one
	default:
		return false
	}
	return true
}

// emitAs makes an operation compute the linear, and returns its operands.
func (l *linear) emitAs(tr *translator, made *op) []operand {
	more := tr.constant(l.more)
	switch {
	case l.factor == nil:
		made.kind = opAdd
		return []operand{l.y, more}
	case l.hasY:
		made.kind, made.kx, made.ky = opIndex, tr.constant(*l.factor).value, more.value
		return []operand{l.x, l.y}
	}
	made.kind, made.kx, made.ky = opScale, tr.constant(*l.factor).value, more.value
	return []operand{l.x}
}

// address has an MLOAD compute its address, if that is a linear that nothing else
// uses, and returns its operands.
func (tr *translator) address(made *op, args []operand) []operand {
	def := tr.definition(args[0])
	if def == nil || def.kind != opIndex {
		return args
	}
	made.kind, made.kx, made.ky = opLoadIndex, def.kx, def.ky
	x, y := def.operands()
	x.value, y.value = nil, nil
	tr.discard(def)
	return []operand{x, y}
}

// discard removes an operation whose result is not needed.
func (tr *translator) discard(def *op) {
	x, y := def.operands()
	switch def.kind {
	case opIndex:
		x.value, y.value = nil, nil
	case opScale:
		x.value, y.value = nil, &zero
	}
	for _, o := range []operand{x, y} {
		if i := int(o.reg - firstTemp - tr.first); o.value == nil && i >= 0 {
			tr.uses[i]--
		}
	}
	def.kind = opNone
}
