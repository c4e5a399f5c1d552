package ast

import (
	"slices"

	"leveret/solc/srcmap"
)

// Touched returns the nodes that an edit of the text in s touches: statements,
// heads of functions and modifiers, state variables, enum values and similar
// nodes. It leaves out enclosing statements if the edit touches only statements
// in them. An empty span touches the nodes that contain it or border on it.
func (u *Unit) Touched(s srcmap.Span) []*Node {
	var touched []*Node
	u.Root.Walk(func(n *Node) bool {
		if n.Type != SourceUnit && !meets(n.Span, s) {
			return false
		}
		if n.isUnitOfChange() && n.touchedItself(s) {
			touched = append(touched, n)
		}
		return true
	})
	return touched
}

// isUnitOfChange reports whether Touched may return n.
func (n *Node) isUnitOfChange() bool {
	switch n.Type {
	case FunctionDefinition, ModifierDefinition, UsingForDirective, EnumDefinition, StructDefinition,
		EventDefinition, ErrorDefinition, ImportDirective, PragmaDirective, UserDefinedValueTypeDefinition:
		return true
	case VariableDeclaration:
		return n.IsStateVariable() || n.Parent.Type == SourceUnit
	}
	return n.IsStatement() && !n.isBlock()
}

// touchedItself reports whether s meets a part of n outside of the blocks and
// statements below n.
func (n *Node) touchedItself(s srcmap.Span) bool {
	from := n.Span.Start
	for _, inner := range n.innerStatements(nil) {
		if meets(srcmap.Span{Source: s.Source, Start: from, Length: inner.Span.Start - from}, s) {
			return true
		}
		from = max(from, inner.Span.End())
	}
	return meets(srcmap.Span{Source: s.Source, Start: from, Length: n.Span.End() - from}, s)
}

// innerStatements appends the outermost statements and blocks below n.
func (n *Node) innerStatements(to []*Node) []*Node {
	for _, c := range n.Children {
		if c.IsStatement() {
			to = append(to, c)
		} else {
			to = c.innerStatements(to)
		}
	}
	return to
}

// Changed returns the nodes that an edit affects. s is the new text: Changed
// returns the nodes that it touches and the statements that use a variable
// declared in it. An empty s is a deletion, see Left.
func (u *Unit) Changed(s srcmap.Span) []*Node {
	if s.Length == 0 {
		return u.Left(s.Start)
	}
	changed := u.Touched(s)
	for _, n := range changed {
		if n.Type != VariableDeclaration {
			continue
		}
		u.Root.Walk(func(m *Node) bool {
			if user := m.Statement(); user != nil && m.Refers() == n.ID && !slices.Contains(changed, user) {
				changed = append(changed, user)
			}
			return true
		})
	}
	return changed
}

// Left returns the nodes that a deletion at an offset affects: the next
// statement in the block and the exits of the function, or the function itself
// if both are missing. Outside of functions it returns nothing: the uses of a
// deleted declaration have to change too.
func (u *Unit) Left(offset int) (left []*Node) {
	at := srcmap.Span{Source: u.Source(), Start: offset}
	function := u.Innermost(at, FunctionDefinition, ModifierDefinition)
	if function == nil || function.Span.Start == offset {
		return nil
	}
	add := func(n *Node) {
		if !slices.Contains(left, n) {
			left = append(left, n)
		}
	}
	if block := u.Innermost(at, Block, UncheckedBlock); block != nil {
		for _, next := range block.Children {
			if next.Span.Start >= offset {
				add(next)
				break
			}
		}
	}
	if body := function.Child("body"); body != nil && len(body.Children) > 0 {
		add(body.Children[len(body.Children)-1]) // the end of the body
	}
	for _, n := range function.Statements() {
		if n.Type == Return {
			add(n)
		}
	}
	if len(left) == 0 {
		add(function)
	}
	return left
}

// meets reports whether two spans share a byte. An empty span meets a span that
// contains it or borders on it.
func meets(a, b srcmap.Span) bool {
	if a.Source != b.Source || a.Length <= 0 {
		return false
	}
	if b.Length == 0 {
		return a.Start <= b.Start && b.Start <= a.End()
	}
	return a.Start < b.End() && b.Start < a.End()
}
