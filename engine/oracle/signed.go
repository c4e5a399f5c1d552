package oracle

import (
	"math/big"

	"leveret/solc/ast"
)

// readSigned corrects the operands and the exact result of an addition or
// subtraction of unsigned numbers where an operand is a converted signed number,
// as in x + uint(y): two's complement adds the signed one. Compilers have the
// words of a sum in any order: signedLeft and signedRight report which of them
// come from signed arguments.
func (o *Operation) readSigned(left, right, exact *big.Int, signedLeft, signedRight bool) {
	operands := o.Node.Operands()
	if o.Signed || len(operands) != 2 || o.Operator != "+" && o.Operator != "-" {
		return
	}
	function := o.Node.Function()
	first, second := fromSigned(operands[0], function), fromSigned(operands[1], function)
	if o.Operator == "+" && first != second {
		switch {
		case signedLeft != signedRight:
			first = signedLeft
		case right.Sign() == 0: // what zero is added to stays what it is
			first = false
		default:
			first = left.Sign() == 0 || right.Bit(o.Bits-1) == 0
		}
		second = !first
	}
	if first {
		o.negate(left)
	}
	if second {
		o.negate(right)
	}
	if o.Operator == "+" {
		exact.Add(left, right)
	} else {
		exact.Sub(left, right)
	}
}

// negate reads an unsigned number of the operation's size as two's complement.
func (o *Operation) negate(n *big.Int) {
	if n.Bit(o.Bits-1) == 1 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(o.Bits)))
	}
}

// readAsSigned reports whether the result of an unsigned addition or
// subtraction is converted to a signed type that holds the exact one, as in
// int(a - b).
func (o *Operation) readAsSigned(exact *big.Int) bool {
	if o.Signed || o.Operator != "+" && o.Operator != "-" {
		return false
	}
	to, ok := convertedTo(o.Node)
	return ok && to.Signed() && to.Bits == o.Bits && exact.CmpAbs(new(big.Int).Lsh(big.NewInt(1), uint(o.Bits-1))) < 0
}

// convertedTo returns the type that an expression is converted to at once;
// false if it is not.
func convertedTo(n *ast.Node) (ast.Type, bool) {
	p := n.Parent
	for p != nil && p.Type == ast.TupleExpression {
		p = p.Parent
	}
	if p == nil || p.Type != ast.FunctionCall || p.Kind() != "typeConversion" {
		return ast.Type{}, false
	}
	return p.ValueType(), true
}

// fromSigned reports whether an unsigned expression is a converted signed
// number, or a local variable with such a value.
func fromSigned(e, function *ast.Node) bool {
	e = e.Bare()
	if e == nil {
		return false
	}
	if e.Type == ast.Identifier {
		e = conversionOf(e.Refers(), function, convertsSigned)
	}
	return e != nil && convertsSigned(e)
}

// convertsSigned reports whether a node converts a signed number to an unsigned
// type.
func convertsSigned(n *ast.Node) bool {
	if n.Type != ast.FunctionCall || n.Kind() != "typeConversion" || len(n.Arguments()) != 1 {
		return false
	}
	return n.ValueType().Kind == ast.TypeUint && n.Arguments()[0].ValueType().Signed()
}
