package oracle

import "leveret/solc/ast"

// modular reports whether arithmetic at n wraps on purpose: its operands or its
// result are bits, not quantities, as in hashes, masks, packing and inverses
// modulo 2^256.
func modular(n *ast.Node) bool {
	if inBits(n) || widened(n) || lowBits(n) || mixesHash(n) {
		return true
	}
	for _, operand := range n.Operands() {
		if ofBits(operand, n.Function()) {
			return true
		}
	}
	return false
}

// lowBits reports whether n is a power of two minus one, as 1 << x or 256 ** x,
// or that power: a mask, also correct for all 256 bits.
func lowBits(n *ast.Node) bool {
	if n.Operator() == "**" {
		above := n.Parent
		for above != nil && above.Type == ast.TupleExpression {
			above = above.Parent
		}
		return above != nil && above.Operator() == "-" && lowBits(above)
	}
	operands := n.Operands()
	if n.Operator() != "-" || len(operands) != 2 || operands[0].Bare() == nil {
		return false
	}
	one := operands[1].ValueType().Number
	return one != nil && one.IsInt64() && one.Int64() == 1 && aPower(operands[0].Bare())
}

// aPower reports whether an expression is a power of two with any exponent.
func aPower(n *ast.Node) bool {
	switch operands := n.Operands(); {
	case n.Operator() == "<<":
		return true
	case n.Operator() != "**" || len(operands) != 2 || operands[0].Bare() == nil:
		return false
	default:
		base := operands[0].Bare().ValueType().Number
		return base != nil && base.BitLen() > 1 && powerOfTwo(base)
	}
}

// widened reports whether a product is the low half of a full product: mulmod
// has the same factors.
func widened(n *ast.Node) bool {
	factors := n.Operands()
	if n.Operator() != "*" || len(factors) != 2 || n.Function() == nil {
		return false
	}
	found := false
	n.Function().Walk(func(m *ast.Node) bool {
		switch m.Type {
		case ast.FunctionCall:
			found = found || m.IsBuiltin("mulmod") && sameVariables(m.Arguments(), factors)
		case ast.YulFunctionCall:
			name := m.Child("functionName")
			found = found || name != nil && name.Name() == "mulmod" && sameVariables(m.List("arguments"), factors)
		}
		return !found
	})
	return found
}

// sameVariables reports whether two lists start with the same two variables.
func sameVariables(a, b []*ast.Node) bool {
	for i := range 2 {
		if i >= len(a) || a[i].Bare().Refers() <= 0 || a[i].Bare().Refers() != b[i].Bare().Refers() {
			return false
		}
	}
	return true
}

// mixesHash reports whether n mixes a hash or random number, as in h = h * 33 + c:
// a variable becomes an odd multiple of itself plus something. In an unchecked
// block the multiple suffices.
func mixesHash(n *ast.Node) bool {
	top := n
	for top.Parent != nil && (top.Parent.Type == ast.BinaryOperation || top.Parent.Type == ast.TupleExpression) {
		top = top.Parent
	}
	a := top
	if top.Type != ast.Assignment {
		a = top.Parent
	}
	if a == nil || a.Type != ast.Assignment {
		return false
	}
	variable := a.Child("leftHandSide").Bare()
	if variable == nil || variable.Refers() <= 0 {
		return false
	}
	if a.Operator() == "*=" {
		return n.InUnchecked() && isMixer(a.Child("rightHandSide"))
	}
	sum := a.Child("rightHandSide").Bare()
	if a.Operator() != "=" || sum == nil || sum.Operator() != "+" && !n.InUnchecked() {
		return false
	}
	for _, m := range sum.Find(ast.BinaryOperation) {
		of := m.Operands()
		if m.Operator() == "*" && (refersTo(of[0], variable.Refers()) && isMixer(of[1]) || refersTo(of[1], variable.Refers()) && isMixer(of[0])) {
			return true
		}
	}
	return false
}

// isMixer reports whether an expression is an odd number large enough to mix
// all bits of a product.
func isMixer(e *ast.Node) bool {
	if e.Bare() == nil {
		return false
	}
	n := e.Bare().ValueType().Number
	return n != nil && n.Bit(0) == 1 && n.BitLen() >= 5
}

var bitwise = map[string]bool{"^": true, "|": true, "&": true, "~": true, "^=": true, "|=": true, "&=": true}

// inBits reports whether the value of n flows into a bitwise operation or a
// hash within its statement.
func inBits(n *ast.Node) bool {
	for p := n.Parent; p != nil && !p.IsStatement(); p = p.Parent {
		switch p.Type {
		case ast.BinaryOperation, ast.UnaryOperation, ast.Assignment:
			if bitwise[p.Operator()] {
				return true
			}
		case ast.FunctionCall:
			if p.IsBuiltin("keccak256", "sha3", "sha256", "ripemd160") {
				return true
			}
			if p.Kind() == "functionCall" {
				return false
			}
		case ast.IndexAccess, ast.Conditional:
			return false
		}
	}
	return false
}

// ofBits reports whether an operand consists of bits, or is a local variable
// with such a value.
func ofBits(operand, function *ast.Node) bool {
	if madeOfBits(operand) {
		return true
	}
	asked := map[int]bool{}
	for _, id := range operand.Find(ast.Identifier) {
		if variable := id.Refers(); !asked[variable] && assignedBits(variable, function) {
			return true
		}
		asked[id.Refers()] = true
	}
	return false
}

// assignedBits reports whether a function assigns bits to a local variable, or
// inline assembly assigns it.
func assignedBits(variable int, function *ast.Node) bool {
	if variable <= 0 || function == nil {
		return false
	}
	found := false
	function.Walk(func(m *ast.Node) bool {
		switch m.Type {
		case ast.Assignment:
			found = found || refersTo(m.Child("leftHandSide"), variable) &&
				(bitwise[m.Operator()] || madeOfBits(m.Child("rightHandSide")))
		case ast.VariableDeclarationStatement:
			for _, d := range m.List("declarations") {
				found = found || d.ID == variable && madeOfBits(m.Child("initialValue"))
			}
		case ast.YulAssignment:
			for _, name := range m.List("variableNames") {
				found = found || name.Refers() == variable
			}
		}
		return !found
	})
	return found
}

func refersTo(n *ast.Node, variable int) bool {
	n = n.Bare()
	return n != nil && n.Type == ast.Identifier && n.Refers() == variable
}

// madeOfBits reports whether an expression computes bits.
func madeOfBits(e *ast.Node) bool {
	found := false
	e.Walk(func(m *ast.Node) bool {
		switch m.Type {
		case ast.BinaryOperation, ast.UnaryOperation:
			found = found || bitwise[m.Operator()] || m.Operator() == "%" && ofTwo(m.Child("rightExpression"))
		case ast.FunctionCall:
			found = found || m.IsBuiltin("keccak256", "sha3", "sha256", "ripemd160", "mulmod", "blockhash") || ofAddress(m)
		case ast.IndexAccess:
			return false
		}
		return !found
	})
	return found
}

// ofAddress reports whether a call converts an address, which is not a
// quantity.
func ofAddress(call *ast.Node) bool {
	if call.Kind() != "typeConversion" || len(call.Arguments()) != 1 {
		return false
	}
	return call.Arguments()[0].ValueType().Kind == ast.TypeAddress
}

// ofTwo reports whether an expression is a power of two: arithmetic modulo that
// wraps on purpose.
func ofTwo(e *ast.Node) bool {
	e = e.Bare()
	if e == nil {
		return false
	}
	n := e.ValueType().Number
	return n != nil && powerOfTwo(n) && n.BitLen() > 8
}
