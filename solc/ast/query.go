package ast

import "leveret/solc/srcmap"

// At returns the innermost node that contains the byte at offset, or nil.
func (u *Unit) At(offset int) *Node {
	return u.Innermost(srcmap.Span{Source: u.Source(), Start: offset, Length: 1})
}

// Innermost returns the innermost node that contains s and has one of the given
// types (any type if none is given), or nil.
func (u *Unit) Innermost(s srcmap.Span, types ...string) *Node {
	var found *Node
	u.holding(s, func(n *Node) {
		if len(types) == 0 || n.isOne(types) {
			found = n
		}
	})
	return found
}

// Exact returns the nodes with exactly the span s, outermost first: a statement
// and its expression often share one.
func (u *Unit) Exact(s srcmap.Span) []*Node {
	var found []*Node
	u.holding(s, func(n *Node) {
		if n.Span == s {
			found = append(found, n)
		}
	})
	return found
}

// holding calls visit for the nodes that contain s, outermost first.
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
			// Definitions can overlap their neighbours: take the smaller one.
			if c.Span.Contains(s) && (next == nil || c.Span.Length < next.Span.Length) {
				next = c
			}
			// Documentation precedes the documented node.
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

// Statements returns all statements below n in source order, including those of
// inline assembly and excluding blocks.
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
