package ast

import (
	"strings"

	"leveret/solc/srcmap"
)

// An Index is the trees of one compilation taken together: ids are unique
// across its units. It is immutable.
type Index struct {
	units        map[int]*Unit
	declarations map[int]*Node
}

// NewIndex joins the units of one compilation; nil ones are left out.
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

// Unit returns the tree of the source with the given index; nil if there is
// none.
func (x *Index) Unit(source int) *Unit { return x.units[source] }

// Declaration returns the node that declares id; nil if there is none.
func (x *Index) Declaration(id int) *Node { return x.declarations[id] }

// Referenced returns the declaration that a name, a member or a type name
// stands for; nil for what the language declares.
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

// Contracts returns a contract and all it inherits from, most derived first.
func (x *Index) Contracts(contract *Node) []*Node {
	var list []*Node
	for _, id := range contract.Bases() {
		if c := x.declarations[id]; c != nil && c.Type == ContractDefinition {
			list = append(list, c)
		}
	}
	return list
}

// Functions returns the functions that run in a contract: its own, then those
// inherited, without what is overridden, but with overridden ones that have a
// body and may be reached through super if super is set. Constructors are all
// returned; functions without a body are not.
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

// overrideKey is the same for functions that override each other; empty for
// those that nothing overrides.
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

// Modifiers returns the modifiers that run in a contract, its own first,
// without what is overridden.
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

// StateVariables returns the state variables of a contract, those of its
// bases first: in the order of storage. Constants and immutables are among
// them.
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

// Underlying returns the type that values of t are made of: of a
// user-defined value type what it wraps, of others themselves. n is the
// expression or variable that has the type.
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
