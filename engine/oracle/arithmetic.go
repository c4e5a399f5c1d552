package oracle

import (
	"math/big"
	"strings"

	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
	"leveret/solc/ast"
)

// An Operation is arithmetic that the user wrote and that may wrap, done by
// one instruction.
type Operation struct {
	Operator string // "+", "-", "*", "**", "<<", "neg"
	Op       byte   // the instruction
	Bits     int
	Signed   bool
	Node     *ast.Node
}

// instructions are those that compilers do an operation with. Optimisers add
// the negative of a constant instead of subtracting it, and shift instead of
// multiplying by a power of two; before shifts existed it was the reverse.
var instructions = map[string][]byte{
	"+":   {bytecode.ADD},
	"-":   {bytecode.SUB, bytecode.ADD},
	"*":   {bytecode.MUL, bytecode.SHL},
	"**":  {bytecode.EXP},
	"<<":  {bytecode.SHL, bytecode.MUL},
	"neg": {bytecode.SUB},
}

// OperationAt tells which Operation an instruction does that stands for b;
// false if it is none, or one that is checked or meant to wrap.
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
	return Operation{operator, op, t.Bits, t.Signed(), b.Node}, true
}

// magnitude reports whether a negative number is made positive in the unsigned
// type of the same size, where the negative of the smallest one fits.
func magnitude(n *ast.Node) bool {
	p := n.Parent
	for p != nil && p.Type == ast.TupleExpression {
		p = p.Parent
	}
	if p == nil || p.Type != ast.FunctionCall || p.Kind() != "typeConversion" {
		return false
	}
	to := p.ValueType()
	return to.Kind == ast.TypeUint && to.Bits == n.ValueType().Bits
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

// Exact does the operation on the operands of the instruction, the topmost
// first, without a bound. It returns false if the instruction turns out to do
// something else, or where the result would be too large to be written down.
func (o *Operation) Exact(top, next *uint256.Int, nextFixed bool) (left, right, result *big.Int, ok bool) {
	left, right = o.typed(top), o.typed(next)
	result = new(big.Int)
	switch o.Operator {
	case "+":
		result.Add(left, right)
	case "-":
		if o.Op == bytecode.ADD {
			left, right = o.subtrahend(top, next, nextFixed)
		}
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

// typed reads a word as the type of the operation; what is above it is dirt.
func (o *Operation) typed(w *uint256.Int) *big.Int {
	v := w.ToBig()
	v.And(v, mask(o.Bits))
	if o.Signed && v.Bit(o.Bits-1) == 1 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(o.Bits)))
	}
	return v
}

func mask(bits int) *big.Int {
	m := new(big.Int).Lsh(big.NewInt(1), uint(bits))
	return m.Sub(m, big.NewInt(1))
}

// subtrahend reads a subtraction that was made an addition.
func (o *Operation) subtrahend(top, next *uint256.Int, nextFixed bool) (left, right *big.Int) {
	if !nextFixed {
		top, next = next, top
	}
	return o.typed(top), o.typed(new(uint256.Int).Neg(next))
}

// shifted reads a multiplication that was made a shift.
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

// shift reads a left shift, or the multiplication that stands for one.
func (o *Operation) shift(top, next *uint256.Int) (left, right, result *big.Int, ok bool) {
	if o.Op == bytecode.SHL {
		if !top.LtUint64(256) {
			return nil, nil, nil, false
		}
		left, right = o.typed(next), top.ToBig()
	} else {
		power, x := top.ToBig(), next
		if !powerOfTwo(power) {
			power, x = next.ToBig(), top
		}
		if !powerOfTwo(power) {
			return nil, nil, nil, false
		}
		left, right = o.typed(x), big.NewInt(int64(power.BitLen()-1))
	}
	return left, right, new(big.Int).Lsh(left, uint(right.Uint64())), true
}

func powerOfTwo(v *big.Int) bool {
	return v.Sign() > 0 && v.TrailingZeroBits() == uint(v.BitLen()-1)
}

// Wrapped returns what remains of an exact result in the type; false if it
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
