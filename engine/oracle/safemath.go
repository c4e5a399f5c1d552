package oracle

import (
	"slices"

	"leveret/solc/ast"
)

// checksArithmetic reports whether an assertion only finds out that a sum, difference,
// product or quotient of two numbers does not exist: before 0.8, SafeMath and its like
// assert what compilers check since. The assertion is in an internal function of two
// numbers that returns one, calculates that alone, and knows no other names.
func (f *failure) checksArithmetic() bool {
	n := f.asserted()
	if n == nil {
		return false
	}
	function := n.Enclosing(ast.FunctionDefinition)
	if function == nil || function.Visibility() != "internal" || len(function.Parameters()) != 2 || len(function.Returns()) != 1 {
		return false
	}
	other := func(v *ast.Node) bool { t := v.ValueType(); return !t.Integer() || t.Bits != 256 }
	if other(function.Returns()[0]) || slices.ContainsFunc(function.Parameters(), other) {
		return false
	}
	calls := slices.ContainsFunc(function.Find(ast.FunctionCall), func(call *ast.Node) bool { return call != n })
	foreign := slices.ContainsFunc(function.Find(ast.Identifier), func(id *ast.Node) bool { return id != n.Callee() && !declaredIn(id, function) })
	return !calls && !foreign && calculatesOnce(function, n)
}

// declaredIn reports whether a name stands for a parameter, a result or a local variable of
// a function.
func declaredIn(id, function *ast.Node) bool {
	return slices.ContainsFunc(function.Find(ast.VariableDeclaration), func(v *ast.Node) bool { return v.ID == id.Refers() })
}

// calculatesOnce reports whether a function makes one calculation, of its parameters, and
// an assertion checks that: by comparisons, those of a product with what a division gives
// back, those of a divisor and of factors with zero.
func calculatesOnce(function, assertion *ast.Node) bool {
	var made []*ast.Node
	divides := false // the assertion does
	for _, op := range function.Find(ast.BinaryOperation, ast.Assignment, ast.UnaryOperation) {
		inside := isWithin(op, assertion)
		switch op.Operator() {
		case "=", "==", "!=", "<", "<=", ">", ">=", "||", "&&", "!":
		case "/":
			if divides = divides || inside; inside {
				continue
			}
			made = append(made, op)
		case "+", "-", "*":
			made = append(made, op)
		default:
			return false
		}
	}
	if len(made) != 1 || !ofParameters(made[0], function) {
		return false
	}
	operator := made[0].Operator()
	constants := assertion.Constants()
	zeros := !slices.ContainsFunc(constants, func(c ast.Constant) bool { return c.Number == nil || c.Number.Sign() != 0 })
	switch operator {
	case "*":
		return zeros && divides
	case "/":
		return zeros && len(constants) == 1 && !divides
	}
	return len(constants) == 0 && !divides
}

// isWithin reports whether a node is another or below it.
func isWithin(n, other *ast.Node) bool {
	for ; n != nil; n = n.Parent {
		if n == other {
			return true
		}
	}
	return false
}

// ofParameters reports whether the operands of an operation are the parameters of a function.
func ofParameters(op, function *ast.Node) bool {
	return !slices.ContainsFunc(function.Parameters(), func(p *ast.Node) bool {
		return !slices.ContainsFunc(op.Operands(), func(n *ast.Node) bool { return n.Bare().Refers() == p.ID })
	})
}
