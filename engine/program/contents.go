package program

import (
	"cmp"
	"fmt"
	"slices"

	"leveret/engine/input"
	"leveret/solc"
	"leveret/solc/ast"
)

// Bounds of what is known of bytes: encodings within encodings, and types in all.
const (
	maxContentDepth = 5
	maxContentTypes = 512
)

// A contentFinder adds to the types of a contract's ABI what the code takes bytes
// for: values that it decodes, fields that it cuts out, calls that it makes.
type contentFinder struct {
	flow  *dataFlow
	own   []*input.Content // calls of the contract itself
	of    *input.Function  // whose arguments are looked at
	types int
}

// addContents adds Contents to the types of an ABI, which nobody else has yet.
func addContents(c *solc.Contract, abi *input.ABI) {
	if c.Node == nil || !slices.ContainsFunc(abi.Functions, func(f *input.Function) bool { return takesBytes(f.Inputs) }) {
		return
	}
	tree := c.Build.Trees()
	f := contentFinder{flow: dataFlowOf(c.Build)}
	for _, function := range abi.Functions {
		if !function.Constant() {
			f.own = append(f.own, input.EncodedCallOf(function))
		}
	}
	definitions := map[string]*ast.Node{}
	for _, n := range tree.Functions(c.Node, false) {
		if selector, ok := tree.Selector(n); ok {
			definitions[selector] = n
		}
	}
	for _, function := range abi.Functions {
		n := definitions[fmt.Sprintf("%x", function.Selector)]
		if n == nil || !takesBytes(function.Inputs) {
			continue
		}
		f.of = function
		for i, parameter := range n.Parameters() {
			if i < len(function.Inputs) {
				f.complete(function.Inputs[i].Type, parameter.ID, structIn(tree, parameter), 0)
			}
		}
	}
}

// dataFlowOf returns the data flow of a build, which is made once for all its programs.
func dataFlowOf(b *solc.Build) *dataFlow {
	type key struct{}
	return b.Derived(key{}, func() any {
		var roots []*ast.Node
		for _, s := range b.Sources {
			if s != nil && s.Unit != nil {
				roots = append(roots, s.Unit.Root)
			}
		}
		return newDataFlow(b.Trees(), roots)
	}).(*dataFlow)
}

func takesBytes(fields []input.Field) bool {
	return slices.ContainsFunc(fields, func(f input.Field) bool { return hasBytes(f.Type) })
}

func hasBytes(t *input.Type) bool {
	switch t.Kind {
	case input.KindBytes:
		return true
	case input.KindArray, input.KindSlice:
		return hasBytes(t.Elem)
	case input.KindTuple:
		return takesBytes(t.Fields)
	}
	return false
}

// structIn returns the struct in the type of a variable; nil if there is none.
func structIn(tree *ast.Index, variable *ast.Node) *ast.Node {
	t := variable.Child("typeName")
	for t != nil && t.Type == ast.ArrayTypeName {
		t = t.Child("baseType")
	}
	if d := tree.Referenced(t); d != nil && d.Type == ast.StructDefinition {
		return d
	}
	return nil
}

// complete adds Contents to the type of a variable; structure is the struct in it.
func (f *contentFinder) complete(t *input.Type, variable int, structure *ast.Node, depth int) {
	if f.types++; f.types > maxContentTypes {
		return
	}
	switch t.Kind {
	case input.KindBytes:
		f.find(t, variable, depth)
	case input.KindArray, input.KindSlice:
		f.complete(t.Elem, variable, structure, depth)
	case input.KindTuple:
		if structure == nil {
			return
		}
		members := structure.List("members")
		for i := range min(len(members), len(t.Fields)) {
			t.Fields[i].Name = members[i].Name()
			f.complete(t.Fields[i].Type, members[i].ID, structIn(f.flow.tree, members[i]), depth)
		}
	}
}

// find sets what the bytes in a variable may hold.
func (f *contentFinder) find(t *input.Type, variable, depth int) {
	if depth == maxContentDepth {
		return
	}
	var parts []*slice
	for _, u := range f.reached(variable) {
		switch {
		case u.slice != nil:
			parts = append(parts, u.slice)
		case u.calls && u.own:
			for _, c := range f.own {
				if c.Function != f.of { // calls within calls of itself add nothing
					addContent(t, c)
				}
			}
		case u.calls:
			t.Calls = true
		case len(u.decoded) > 0:
			if fields, ok := f.fields(u.decoded, depth+1); ok {
				addContent(t, input.EncodingOf(fields))
			}
		}
	}
	if c := f.packed(parts, depth+1); c != nil {
		addContent(t, c)
	}
}

func addContent(t *input.Type, c *input.Content) {
	if !slices.ContainsFunc(t.Contents, func(have *input.Content) bool { return have.Signature == c.Signature }) {
		t.Contents = append(t.Contents, c)
	}
}

// reached lists the uses of a variable and of those that its value goes to.
func (f *contentFinder) reached(variable int) (uses []use) {
	for _, id := range f.flow.reaches(variable, anyVariable) {
		uses = append(uses, f.flow.uses[id]...)
	}
	return uses
}

// fields makes the types of decoded values; false if one has no ABI type.
func (f *contentFinder) fields(values []decoded, depth int) (fields []input.Field, ok bool) {
	for _, d := range values {
		t, err := input.ParseType(d.kind)
		if err != nil {
			return nil, false
		}
		f.complete(t, d.part, d.structure, depth)
		fields = append(fields, input.Field{Name: f.flow.names[d.part], Type: t})
	}
	return fields, true
}

// packed makes the Content of bytes that are used in slices: those that do not
// overlap, what is between them, and the rest if it is used. It returns nil if there
// is none.
func (f *contentFinder) packed(list []*slice, depth int) *input.Content {
	slices.SortStableFunc(list, func(a, b *slice) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end))
	})
	var fields []input.Field
	at := 0
	var rest *slice
	for _, s := range list {
		switch {
		case s.end == 0:
			rest = s
			continue
		case s.start < at:
			continue
		}
		fields = append(filled(fields, s.start-at), f.field(s)...)
		at = s.end
	}
	if rest != nil && rest.start >= at {
		t := &input.Type{Kind: input.KindBytes}
		f.complete(t, rest.part, nil, depth)
		fields = append(filled(fields, rest.start-at), input.Field{Name: f.flow.names[rest.part], Type: t})
	}
	if len(fields) == 0 {
		return nil
	}
	c, err := input.PackingOf(fields)
	if err != nil {
		return nil
	}
	return c
}

// field is the type of a slice: the one it is converted to, or else fixed bytes.
func (f *contentFinder) field(s *slice) []input.Field {
	if t, err := input.ParseType(s.kind); err == nil && s.kind != "" && t.Elementary() {
		return []input.Field{{Name: f.flow.names[s.part], Type: t}}
	}
	return filled(nil, s.end-s.start)
}

// filled appends fixed bytes of a size.
func filled(fields []input.Field, size int) []input.Field {
	for ; size > 0; size -= 32 {
		fields = append(fields, input.Field{Type: &input.Type{Kind: input.KindFixedBytes, Size: min(size, 32)}})
	}
	return fields
}
