package ast

import "slices"

// Bare strips parentheses from an expression.
func (n *Node) Bare() *Node {
	for n != nil && n.Type == TupleExpression && len(n.Children) == 1 && n.Children[0].Index == 0 && !n.is(keyIsInlineArray) {
		n = n.Children[0]
	}
	return n
}

// Unconverted strips parentheses and type conversions from an expression.
func (n *Node) Unconverted() *Node {
	n = n.Bare()
	for n != nil && n.Type == FunctionCall && n.Kind() == "typeConversion" && len(n.Arguments()) == 1 {
		n = n.Arguments()[0].Bare()
	}
	return n
}

// Declares reports whether a function declares a variable or a parameter.
func (n *Node) Declares(variable int) bool {
	return slices.ContainsFunc(n.Find(VariableDeclaration), func(d *Node) bool { return d.ID == variable })
}

// Callee returns the expression that a FunctionCall calls, without options such
// as {value: 1} or, before 0.7, .value(1). The callee of to.call.value(1)("") is
// to.call.
func (n *Node) Callee() *Node {
	e := n.Child("expression").Bare()
	for e != nil {
		switch {
		case e.Type == FunctionCallOptions:
			e = e.Child("expression").Bare()
		case e.Type == FunctionCall && isOption(e.Child("expression")):
			e = e.Child("expression").Child("expression").Bare()
		default:
			return e
		}
	}
	return nil
}

// isOption reports whether e is the .value, .gas or .salt option of a call or a
// contract creation.
func isOption(e *Node) bool {
	if e == nil || e.Type != MemberAccess {
		return false
	}
	switch e.Name() {
	case "value", "gas", "salt":
		of := e.Child("expression")
		return of != nil && of.ValueType().Kind == TypeFunction
	}
	return false
}

// Arguments returns the arguments of a call, a modifier invocation or a base
// constructor, as written.
func (n *Node) Arguments() []*Node { return n.List("arguments") }

// Operands returns both sides of a binary operation or an assignment, or the
// operand of a unary operation.
func (n *Node) Operands() []*Node {
	switch n.Type {
	case BinaryOperation, Assignment, UnaryOperation:
		return n.Children
	}
	return nil
}

// InUnchecked reports whether n lies in an unchecked block. Before 0.8 there are
// none, and all arithmetic wraps.
func (n *Node) InUnchecked() bool {
	e := n.Enclosing(UncheckedBlock, FunctionDefinition, ModifierDefinition)
	return e != nil && e.Type == UncheckedBlock
}

// InAssembly reports whether n is part of inline assembly.
func (n *Node) InAssembly() bool { return n.Enclosing(InlineAssembly) != nil }

// UsesResult reports whether the ith value of expression n is used. It is false
// for an expression statement and for a value that the assignment omits.
func (n *Node) UsesResult(i int) bool {
	p := n.Parent
	for p != nil && p.Type == TupleExpression && p.Bare() != p {
		n, p = p, p.Parent
	}
	if p == nil {
		return false
	}
	switch {
	case p.Type == ExpressionStatement, p.Type == ForStatement && n.Role == "loopExpression":
		return false
	case p.Type == VariableDeclarationStatement:
		return receives(p.List("declarations"), i)
	case p.Type == Assignment && n.Role == "rightHandSide":
		left := p.Child("leftHandSide")
		return left == nil || left.Type != TupleExpression || receives(left.List("components"), i)
	}
	return true
}

// receives reports whether a node is the ith of its list.
func receives(list []*Node, i int) bool {
	for _, n := range list {
		if n.Index == i {
			return true
		}
	}
	return false
}
