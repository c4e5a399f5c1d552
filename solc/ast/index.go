package ast

import (
	"maps"
	"slices"
	"strings"

	"leveret/solc/srcmap"
)

// An Index joins the trees of one compilation, whose ids are unique across
// units. It is immutable.
type Index struct {
	units        map[int]*Unit
	declarations map[int]*Node
}

// NewIndex joins the units of one compilation and skips nil units.
func NewIndex(units ...*Unit) *Index {
	x := &Index{units: map[int]*Unit{}, declarations: map[int]*Node{}}
	for _, u := range units {
		if u == nil {
			continue
		}
		x.units[u.Source()] = u
		for id, n := range u.declarations {
			x.declarations[id] = n
		}
	}
	return x
}

// Unit returns the tree of the source with the given index, or nil.
func (x *Index) Unit(source int) *Unit { return x.units[source] }

// Declaration returns the node that declares id, or nil.
func (x *Index) Declaration(id int) *Node { return x.declarations[id] }

// Referenced returns the declaration that a name, a member or a type name refers
// to; nil for builtins.
func (x *Index) Referenced(n *Node) *Node {
	if n == nil {
		return nil
	}
	if d := x.declarations[n.Refers()]; d != nil {
		return d
	}
	if path := n.Child("pathNode"); path != nil {
		return x.declarations[path.Refers()]
	}
	return nil
}

// Uses lists the names and members that refer to each declaration, assembly
// included. It walks all trees.
func (x *Index) Uses() map[int][]*Node {
	uses := map[int][]*Node{}
	for _, source := range slices.Sorted(maps.Keys(x.units)) {
		for _, n := range x.units[source].Root.Find(Identifier, MemberAccess, YulIdentifier) {
			if id := n.Refers(); id > 0 {
				uses[id] = append(uses[id], n)
			}
		}
	}
	return uses
}

// Innermost is Unit.Innermost in the unit of s.
func (x *Index) Innermost(s srcmap.Span, types ...string) *Node {
	if u := x.units[s.Source]; u != nil {
		return u.Innermost(s, types...)
	}
	return nil
}

// Exact is Unit.Exact in the unit of s.
func (x *Index) Exact(s srcmap.Span) []*Node {
	if u := x.units[s.Source]; u != nil {
		return u.Exact(s)
	}
	return nil
}

// Contracts returns a contract and its bases, most derived first.
func (x *Index) Contracts(contract *Node) []*Node {
	var list []*Node
	for _, id := range contract.Bases() {
		if c := x.declarations[id]; c != nil && c.Type == ContractDefinition {
			list = append(list, c)
		}
	}
	return list
}

// Functions returns the functions that run in a contract: its own, then
// inherited ones, without overridden ones. With super, it includes overridden
// functions with a body, which super can reach. It includes all constructors,
// but no functions without a body.
func (x *Index) Functions(contract *Node, super bool) []*Node {
	var list []*Node
	taken := map[string]bool{}
	for _, c := range x.Contracts(contract) {
		for _, f := range c.List("nodes") {
			if f.Type != FunctionDefinition || f.Child("body") == nil {
				continue
			}
			key := overrideKey(f)
			if super || key == "" || !taken[key] {
				list = append(list, f)
			}
			taken[key] = true
		}
	}
	return list
}

// overrideKey is equal for functions that override each other, and "" for
// functions that cannot be overridden.
func overrideKey(f *Node) string {
	if f.Kind() == "constructor" || f.Visibility() == "private" {
		return ""
	}
	key := f.Kind() + " " + f.Name()
	for _, p := range f.Parameters() {
		t := p.TypeString()
		for _, location := range []string{" memory", " calldata", " storage ref", " storage pointer"} {
			t = strings.ReplaceAll(t, location, "")
		}
		key += "," + t
	}
	return key
}

// Modifiers returns the modifiers that run in a contract, its own first, without
// overridden ones.
func (x *Index) Modifiers(contract *Node) []*Node {
	var list []*Node
	taken := map[string]bool{}
	for _, c := range x.Contracts(contract) {
		for _, m := range c.List("nodes") {
			if m.Type == ModifierDefinition && !taken[m.Name()] {
				taken[m.Name()] = true
				list = append(list, m)
			}
		}
	}
	return list
}

// StateVariables returns the state variables of a contract in storage order,
// those of its bases first. It includes constants and immutables.
func (x *Index) StateVariables(contract *Node) []*Node {
	var list []*Node
	contracts := x.Contracts(contract)
	for i := len(contracts) - 1; i >= 0; i-- {
		for _, v := range contracts[i].List("nodes") {
			if v.Type == VariableDeclaration {
				list = append(list, v)
			}
		}
	}
	return list
}

// Underlying returns the wrapped type of a user-defined value type, and other
// types unchanged. n is the expression or variable of type t.
func (x *Index) Underlying(n *Node) Type {
	t := n.ValueType()
	if t.Kind != TypeUserValue {
		return t
	}
	if d := x.declarations[lastID(n.TypeIdentifier())]; d != nil {
		if under := d.Child("underlyingType"); under != nil {
			return under.ValueType()
		}
	}
	return t
}

// lastID returns the id at the end of a type identifier such as
// "t_userDefinedValueType$_Price_$3".
func lastID(identifier string) int {
	id := 0
	for _, c := range identifier[strings.LastIndexByte(identifier, '$')+1:] {
		if c < '0' || c > '9' || id > 1<<40 {
			return 0
		}
		id = id*10 + int(c-'0')
	}
	return id
}
