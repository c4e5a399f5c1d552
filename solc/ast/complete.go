package ast

import "slices"

// complete sets the children and attributes of n from the stacks above the given
// heights. name is the value of the field "name": the declared or referenced
// name, but the node's type in trees before 0.4.12.
func (r *reader) complete(n *Node, name string, children, attrs int) {
	if n.Type != "" && name != "" {
		r.attrs = append(r.attrs, attr{keyName, name})
	}
	n.attrs = r.values.copy(r.attrs[attrs:])
	r.attrs = r.attrs[:attrs]
	n.Children = r.lists.copy(r.children[children:])
	r.children = r.children[:children]
	if n.Type == "" && name != "" && (n.ID != 0 || name == SourceUnit) {
		n.Type = name
		giveRoles(n)
	}
	for _, c := range n.Children {
		c.Parent = n
	}
	slices.SortStableFunc(n.Children, func(a, b *Node) int { return a.Span.Start - b.Span.Start })
	if n.Type == "" {
		return
	}
	r.unit.count++
	if declares[n.Type] {
		r.unit.declarations[n.ID] = n
	}
	if n.Type == InlineAssembly {
		r.bindNames(n)
	}
}

// bindNames sets the declarations that identifiers in inline assembly refer to.
func (r *reader) bindNames(assembly *Node) {
	for _, id := range assembly.Find(YulIdentifier) {
		for _, ref := range r.external {
			if ref.span == id.Span {
				id.attrs = append(slices.Clip(id.attrs), attr{keyReferenced, ref.declaration})
				break
			}
		}
	}
	r.external = r.external[:0]
}

// chunks allocates slices from a few large arrays. A tree of a hundred thousand
// nodes needs few allocations.
type chunks[T any] struct{ free []T }

const chunkSize = 512

// take returns n consecutive zero values.
func (c *chunks[T]) take(n int) []T {
	if n > len(c.free) {
		c.free = make([]T, max(n, chunkSize))
	}
	taken := c.free[:n:n]
	c.free = c.free[n:]
	return taken
}

// copy returns a copy of s; nil if s is empty.
func (c *chunks[T]) copy(s []T) []T {
	if len(s) == 0 {
		return nil
	}
	taken := c.take(len(s))
	copy(taken, s)
	return taken
}
