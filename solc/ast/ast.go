// Package ast reads solc's JSON syntax trees and queries them: the node at an
// offset, the declaration of a name, the type of an expression, the statements
// and constants of a function.
//
// It reads the compact tree of solc 0.4.12 and later, and the older one of
// 0.4.11. It does not access files or bytecode.
package ast

import "leveret/solc/srcmap"

// A Unit is the tree of one source file. It is immutable.
type Unit struct {
	Root         *Node // SourceUnit
	declarations map[int]*Node
	count        int
}

// A Node is one node of the tree. The fields apply to all nodes. Methods for
// attributes of certain nodes return the zero value for others.
type Node struct {
	ID       int    // 0 for Yul nodes
	Type     string // solc's nodeType, "FunctionDefinition"
	Span     srcmap.Span
	Parent   *Node   // nil for the root
	Children []*Node // in source order
	Role     string  // field of the parent that holds it, "leftExpression"
	Index    int     // position in that field if it is a list, omitted elements included
	attrs    []attr
}

// Path returns the source unit name, empty in trees before 0.4.12.
func (u *Unit) Path() string { return u.Root.get(keyAbsolutePath) }

// Source returns the compiler's index of the source.
func (u *Unit) Source() int { return u.Root.Span.Source }

// Count returns the number of nodes.
func (u *Unit) Count() int { return u.count }

// Declaration returns the node that declares id in this unit: a contract,
// function, modifier, variable, event, error, struct, enum, enum value, value
// type, import or the unit itself.
func (u *Unit) Declaration(id int) *Node { return u.declarations[id] }

// Attr returns an attribute of the node by the name of its JSON field: strings
// unchanged, numbers in decimal, "true" for true; "" for false, null and fields
// that Read drops.
func (n *Node) Attr(name string) string {
	f, ok := fields[name]
	if !ok || f.action != keep {
		return ""
	}
	return n.get(f.key)
}

func (n *Node) get(k key) string {
	for _, a := range n.attrs {
		if a.key == k {
			return a.value
		}
	}
	return ""
}

func (n *Node) is(k key) bool { return n.get(k) == "true" }

// Child returns the child in a field of the node: the first one of a list, nil
// without children.
func (n *Node) Child(role string) *Node {
	if n == nil {
		return nil
	}
	for _, c := range n.Children {
		if c.Role == role {
			return c
		}
	}
	return nil
}

// List returns the children in a list field of the node. It skips omitted
// elements, as in "(a, , c)"; Node.Index has the original position.
func (n *Node) List(role string) []*Node {
	if n == nil {
		return nil
	}
	var list []*Node
	for _, c := range n.Children {
		if c.Role == role {
			list = append(list, c)
		}
	}
	return list
}

// Walk calls visit for n and all nodes below it, parents first, in source order.
// If visit returns false, Walk skips the nodes below.
func (n *Node) Walk(visit func(*Node) bool) {
	if n == nil || !visit(n) {
		return
	}
	for _, c := range n.Children {
		c.Walk(visit)
	}
}

// Find returns the nodes of the given types at or below n, in source order.
func (n *Node) Find(types ...string) []*Node {
	var found []*Node
	n.Walk(func(m *Node) bool {
		if m.isOne(types) {
			found = append(found, m)
		}
		return true
	})
	return found
}

// Enclosing returns the innermost of n and its ancestors with one of the given
// types, or nil.
func (n *Node) Enclosing(types ...string) *Node {
	for ; n != nil; n = n.Parent {
		if n.isOne(types) {
			return n
		}
	}
	return nil
}

func (n *Node) isOne(types []string) bool {
	for _, t := range types {
		if n.Type == t {
			return true
		}
	}
	return false
}
