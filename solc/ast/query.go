package ast

import "leveret/solc/srcmap"

// At returns the innermost node that holds the byte at offset; nil if the
// offset lies outside of everything.
func (u *Unit) At(offset int) *Node {
	return u.Innermost(srcmap.Span{Source: u.Source(), Start: offset, Length: 1})
}

// Innermost returns the innermost node that holds all of s and is of one of
// the given types, of any if there are none; nil if there is no such node.
func (u *Unit) Innermost(s srcmap.Span, types ...string) *Node {
	var found *Node
	u.holding(s, func(n *Node) {
		if len(types) == 0 || n.isOne(types) {
			found = n
		}
	})
	return found
}

// Exact returns the nodes that have exactly the span s, outermost first: a
// statement and its expression often share one.
func (u *Unit) Exact(s srcmap.Span) []*Node {
	var found []*Node
	u.holding(s, func(n *Node) {
		if n.Span == s {
			found = append(found, n)
		}
	})
	return found
}

// holding calls visit for the nodes that hold all of s, outermost first.
func (u *Unit) holding(s srcmap.Span, visit func(*Node)) {
	n := u.Root
	if s.Source != n.Span.Source {
		return
	}
	if n.Span.Contains(s) {
		visit(n)
	}
	for n != nil {
		var next *Node
		for _, c := range n.Children {
			// The smaller one, where a definition holds its neighbour's place.
			if c.Span.Contains(s) && (next == nil || c.Span.Length < next.Span.Length) {
				next = c
			}
			// Documentation stands before what it belongs to.
			if d := c.Child("documentation"); d != nil && d.Span.Contains(s) {
				next = d
				break
			}
		}
		if n = next; n != nil {
			visit(n)
		}
	}
}

// Statements returns all statements below n, those of inline assembly
// included, in source order. Blocks are not counted.
func (n *Node) Statements() []*Node {
	var list []*Node
	n.Walk(func(m *Node) bool {
		if m != n && m.IsStatement() && !m.isBlock() {
			list = append(list, m)
		}
		return true
	})
	return list
}

func (n *Node) isBlock() bool {
	return n.Type == Block || n.Type == UncheckedBlock || n.Type == YulBlock
}

// Touched returns what a change of the text in s touches: statements, the
// heads of functions and modifiers, state variables, enum values and the
// like; not the statements around them that are only touched in what is
// inside of them. An empty span touches what it lies in or borders on.
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

// isUnitOfChange reports whether Touched returns such nodes.
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

// touchedItself reports whether s meets a part of n that lies in no block or
// statement below it.
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

// meets reports whether two spans share a byte, or one that is empty lies in
// the other or at its edge.
func meets(a, b srcmap.Span) bool {
	if a.Source != b.Source || a.Length <= 0 {
		return false
	}
	if b.Length == 0 {
		return a.Start <= b.Start && b.Start <= a.End()
	}
	return a.Start < b.End() && b.Start < a.End()
}
