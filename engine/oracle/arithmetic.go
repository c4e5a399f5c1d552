package oracle

import (
	"math/big"
	"slices"
	"strings"

	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
	"leveret/engine/shadow"
	"leveret/solc/ast"
)

// An Operation is source-level arithmetic that may wrap, done by one
// instruction.
type Operation struct {
	Operator string // "+", "-", "*", "**", "<<", "neg"
	Op       byte   // the instruction
	Bits     int
	Signed   bool
	Negated  bool // the right operand is a negation
	Node     *ast.Node
}

// instructions are the opcodes that compilers use for an operation. Optimisers
// turn the subtraction of a constant or a negation into an addition and the
// multiplication by a power of two into a shift; before the EVM had shifts it was the
// reverse.
var instructions = map[string][]byte{
	"+":   {bytecode.ADD},
	"-":   {bytecode.SUB, bytecode.ADD},
	"*":   {bytecode.MUL, bytecode.SHL},
	"**":  {bytecode.EXP},
	"<<":  {bytecode.SHL, bytecode.MUL},
	"neg": {bytecode.SUB},
}

// OperationAt returns the Operation that an instruction at b does; false if it
// does none, or one that is checked or modular on purpose.
func OperationAt(b Blame, op byte) (Operation, bool) {
	if b.Node == nil || !b.Whole {
		return Operation{}, false
	}
	operator := operatorOf(b.Node)
	if operator == "" || !strings.Contains(string(instructions[operator]), string([]byte{op})) {
		return Operation{}, false
	}
	t := b.Node.ValueType()
	checked := !b.Wraps && !b.Node.InUnchecked() && operator != "<<"
	if !t.Integer() || checked || modular(b.Node) || operator == "neg" && magnitude(b.Node) {
		return Operation{}, false
	}
	return Operation{operator, op, t.Bits, t.Signed(), operator == "-" && negation(b.Node.Operands()), b.Node}, true
}

// negation reports whether the last of operands is a negation, converted or not.
func negation(operands []*ast.Node) bool {
	if len(operands) == 0 {
		return false
	}
	n := operands[len(operands)-1].Unconverted()
	return n.Type == ast.UnaryOperation && n.Operator() == "-"
}

// doneBy reports whether an instruction with these operands can be the operation:
// only of constants and negated numbers is a subtraction an addition, and only by
// constants is a product a shift.
func (o *Operation) doneBy(a *shadow.Arith) bool {
	switch operands := o.Node.Operands(); {
	case o.Operator == "-" && o.Op == bytecode.ADD:
		return a.A.Fixed() || a.B.Fixed() || contains(operands[len(operands)-1], func(n *ast.Node) bool { return operatorOf(n) == "neg" })
	case o.Operator == "*" && o.Op == bytecode.SHL:
		return a.A.Fixed()
	}
	return true
}

// magnitude reports whether a negation is converted to the unsigned type of the
// same size, which holds the negation of the smallest number.
func magnitude(n *ast.Node) bool {
	to, ok := convertedTo(n)
	return ok && to.Kind == ast.TypeUint && to.Bits == n.ValueType().Bits
}

// operatorOf returns the operator of an arithmetic node; empty if it is none.
func operatorOf(n *ast.Node) string {
	operator := n.Operator()
	switch n.Type {
	case ast.BinaryOperation:
	case ast.Assignment:
		operator = strings.TrimSuffix(operator, "=")
	case ast.UnaryOperation:
		operator = map[string]string{"++": "+", "--": "-", "-": "neg"}[operator]
	default:
		return ""
	}
	if instructions[operator] == nil {
		return ""
	}
	return operator
}

// Exact computes the operation on the operands of the instruction, the topmost
// first, with unbounded integers; fixed says which are constants of the code. It
// returns false if the instruction does something else, such as an addition that an
// optimiser placed at a subtraction, or the result is too large.
func (o *Operation) Exact(top, next *uint256.Int, fixed [2]bool) (left, right, result *big.Int, ok bool) {
	left, right = o.typed(top), o.typed(next)
	result = new(big.Int)
	switch o.Operator {
	case "+":
		left, right = o.folded(left, fixed[0]), o.folded(right, fixed[1])
		result.Add(left, right)
	case "-":
		if o.Op == bytecode.ADD {
			if !fixed[0] && !fixed[1] && !o.Negated {
				return nil, nil, nil, false
			}
			left, right = o.subtrahend(top, next, fixed[1])
			fixed[1] = fixed[0] || fixed[1]
		}
		right = o.folded(right, fixed[1])
		result.Sub(left, right)
	case "neg":
		if !top.IsZero() {
			return nil, nil, nil, false
		}
		result.Neg(right)
	case "*":
		if o.Op == bytecode.SHL {
			left, right = o.shifted(top, next)
		}
		if right == nil {
			return nil, nil, nil, false
		}
		result.Mul(left, right)
	case "**":
		return o.power(left, next)
	case "<<":
		return o.shift(top, next)
	}
	return left, right, result, true
}

// typed converts a word to the type of the operation; the upper bits may be
// dirty.
func (o *Operation) typed(w *uint256.Int) *big.Int {
	v := w.ToBig()
	v.And(v, mask(o.Bits))
	if o.Signed && v.Bit(o.Bits-1) == 1 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(o.Bits)))
	}
	return v
}

// unmasked is typed for what is shifted: where the shift cuts off all bits that a conversion of
// the operand does, as in uint256(uint24(x)) << 232, optimisers leave that to the shift.
func (o *Operation) unmasked(w *uint256.Int) *big.Int {
	v := o.typed(w)
	if o.Node == nil {
		return v
	}
	for n := o.Node.Operands()[0].Bare(); n != nil && n.Kind() == "typeConversion" && len(n.Arguments()) == 1; n = n.Arguments()[0].Bare() {
		if t := n.ValueType(); t.Kind == ast.TypeUint && t.Bits < 256 {
			v.And(v, mask(t.Bits))
		}
	}
	return v
}

// folded reads a constant operand of an unsigned operation as a negative number if it is
// one of the upper half and the source has no such number there: optimisers fold the
// constants of `a + x - b` to x - (b - a), or x + (a - b).
func (o *Operation) folded(v *big.Int, constant bool) *big.Int {
	if !constant || o.Signed || o.Bits != 256 || v.Bit(o.Bits-1) == 0 {
		return v
	}
	written := func(n *ast.Node) bool { number := n.ValueType().Number; return number != nil && number.Cmp(v) == 0 }
	if o.Node != nil && slices.ContainsFunc(o.Node.Operands(), written) {
		return v
	}
	return new(big.Int).Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(o.Bits)))
}

func mask(bits int) *big.Int {
	m := new(big.Int).Lsh(big.NewInt(1), uint(bits))
	return m.Sub(m, big.NewInt(1))
}

// subtrahend reverses a subtraction that became an addition.
func (o *Operation) subtrahend(top, next *uint256.Int, nextFixed bool) (left, right *big.Int) {
	if !nextFixed {
		top, next = next, top
	}
	return o.typed(top), o.typed(new(uint256.Int).Neg(next))
}

// shifted reverses a multiplication that became a shift.
func (o *Operation) shifted(by, x *uint256.Int) (left, right *big.Int) {
	if !by.LtUint64(256) {
		return nil, nil
	}
	return o.typed(x), new(big.Int).Lsh(big.NewInt(1), uint(by.Uint64()))
}

func (o *Operation) power(base *big.Int, exponent *uint256.Int) (left, right, result *big.Int, ok bool) {
	right = exponent.ToBig()
	switch {
	case base.IsInt64() && base.Int64() >= -1 && base.Int64() <= 1:
		result = new(big.Int).Exp(base, new(big.Int).And(right, big.NewInt(1)), nil)
		if right.Sign() != 0 && right.Bit(0) == 0 {
			result.Mul(base, base)
		}
	case !exponent.LtUint64(1024):
		return nil, nil, nil, false
	default:
		result = new(big.Int).Exp(base, right, nil)
	}
	return base, right, result, true
}

// shift computes a left shift, or the multiplication that implements one.
func (o *Operation) shift(top, next *uint256.Int) (left, right, result *big.Int, ok bool) {
	if o.Op == bytecode.SHL {
		if !top.LtUint64(256) {
			return nil, nil, nil, false
		}
		left, right = o.unmasked(next), top.ToBig()
	} else {
		power, x := top.ToBig(), next
		if !powerOfTwo(power) {
			power, x = next.ToBig(), top
		}
		if !powerOfTwo(power) {
			return nil, nil, nil, false
		}
		left, right = o.unmasked(x), big.NewInt(int64(power.BitLen()-1))
	}
	return left, right, new(big.Int).Lsh(left, uint(right.Uint64())), true
}

func powerOfTwo(v *big.Int) bool {
	return v.Sign() > 0 && v.TrailingZeroBits() == uint(v.BitLen()-1)
}

// Wrapped returns the truncated result in the type; false if the exact result
// fits.
func (o *Operation) Wrapped(exact *big.Int) (*big.Int, bool) {
	low, high := new(big.Int), mask(o.Bits)
	if o.Signed {
		high = mask(o.Bits - 1)
		low.Not(high)
	}
	if exact.Cmp(low) >= 0 && exact.Cmp(high) <= 0 {
		return nil, false
	}
	word, _ := uint256.FromBig(new(big.Int).And(exact, mask(256)))
	return o.typed(word), true
}
