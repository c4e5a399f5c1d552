package variables

import (
	"strconv"
	"strings"
	"sync"

	"leveret/solc"
	"leveret/solc/ast"
)

// A Type is the type of a variable or of a part of one.
type Type struct {
	ast.Type
	Label       string    // as the compiler writes it
	Elem        *Type     // of arrays, and the values of mappings
	Key         *Type     // of mappings
	Declaration *ast.Node // of structs, enums, contracts and user-defined value types; nil: unknown
	External    bool      // of functions
}

// Types resolves the types of a build. It is safe for concurrent use.
type Types struct {
	build *solc.Build
	named struct {
		sync.Once
		declarations map[string][]*ast.Node // by name with the contract, for trees without references
	}
}

// NewTypes returns the Types of a build.
func NewTypes(b *solc.Build) *Types { return &Types{build: b} }

// Of returns the type of a variable.
func (x *Types) Of(declaration *ast.Node) *Type {
	if declaration.Type == ast.YulTypedName {
		return &Type{Type: ast.Type{Kind: ast.TypeUint, Bits: 256}, Label: "uint256"}
	}
	t := x.written(declaration.Child("typeName"), declaration.ValueType())
	t.Label = declaration.TypeString()
	t.Location = location(declaration)
	return t
}

// location returns where a variable's type says that its value is: "memory", "calldata"
// or "storage"; empty for value types.
func location(declaration *ast.Node) string {
	switch l := declaration.StorageLocation(); l {
	case "memory", "calldata", "storage":
		return l
	}
	if identifier := declaration.TypeIdentifier(); identifier != "" {
		for _, l := range []string{"memory", "calldata", "storage"} {
			if strings.HasSuffix(identifier, "_"+l+"_ptr") || strings.HasSuffix(identifier, "_"+l) {
				return l
			}
		}
	}
	if l := declaration.ValueType().Location; l != "" {
		return l
	}
	if declaration.ValueType().Kind == ast.TypeMapping {
		return "storage"
	}
	return ""
}

// written returns the type that a type name means. known is what the compiler says of
// it; without a type name it is all that is known.
func (x *Types) written(name *ast.Node, known ast.Type) *Type {
	t := &Type{Type: known}
	if name != nil {
		t.Label = name.TypeString()
		if parsed := ast.ParseType(t.Label); parsed.Kind != ast.TypeOther {
			t.Type = parsed
		}
	}
	switch t.Kind {
	case ast.TypeStruct, ast.TypeEnum, ast.TypeContract, ast.TypeUserValue:
		t.Declaration = x.declaration(name, t.Name)
	case ast.TypeArray, ast.TypeSlice:
		t.Elem = x.written(name.Child("baseType"), orUnknown(t.Type.Elem))
	case ast.TypeMapping:
		t.Key = x.written(name.Child("keyType"), orUnknown(t.Type.Key))
		t.Elem = x.written(name.Child("valueType"), orUnknown(t.Type.Elem))
	case ast.TypeFunction:
		t.External = external(t.Label)
	}
	if t.Kind == ast.TypeUserValue && t.Declaration != nil {
		if under := t.Declaration.Child("underlyingType"); under != nil {
			label := t.Label
			*t = *x.written(under, under.ValueType())
			t.Label = label
		}
	}
	return t
}

func orUnknown(t *ast.Type) ast.Type {
	if t == nil {
		return ast.Type{}
	}
	return *t
}

// declaration returns what a type name refers to, or else what alone has the name.
func (x *Types) declaration(name *ast.Node, full string) *ast.Node {
	if d := x.build.Trees().Referenced(name); d != nil {
		return d
	}
	x.named.Do(func() {
		x.named.declarations = map[string][]*ast.Node{}
		for _, source := range x.build.Sources {
			if source == nil || source.Unit == nil {
				continue
			}
			for _, d := range source.Unit.Root.Find(ast.StructDefinition, ast.EnumDefinition, ast.ContractDefinition, ast.UserDefinedValueTypeDefinition) {
				full := d.Name()
				if c := d.Contract(); c != nil && c != d {
					full = c.Name() + "." + full
				}
				x.named.declarations[full] = append(x.named.declarations[full], d)
			}
		}
	})
	if list := x.named.declarations[full]; len(list) == 1 {
		return list[0]
	}
	return nil
}

// A member is one of a struct.
type member struct {
	name string
	t    *Type
}

// members returns the members of a struct; false if it is unknown.
func (x *Types) members(t *Type) (list []member, known bool) {
	if t.Declaration == nil || t.Declaration.Type != ast.StructDefinition {
		return nil, false
	}
	for _, m := range t.Declaration.List("members") {
		list = append(list, member{m.Name(), x.Of(m)})
	}
	return list, true
}

// values returns the names of an enum's values.
func (t *Type) values() (names []string) {
	if t.Kind != ast.TypeEnum || t.Declaration == nil {
		return nil
	}
	for _, m := range t.Declaration.List("members") {
		names = append(names, m.Name())
	}
	return names
}

// EnumMember returns the value of a member of an enum as a contract names it:
// "State.Open", "Vault.State.Open".
func (x *Types) EnumMember(contract *solc.Contract, path string) (v Value, known bool) {
	at := strings.LastIndexByte(path, '.')
	if at < 0 || contract.Node == nil {
		return v, false
	}
	names := []string{path[:at]}
	for _, c := range x.build.Trees().Contracts(contract.Node) {
		names = append(names, c.Name()+"."+path[:at])
	}
	for _, name := range names {
		d := x.declaration(nil, name)
		if d == nil || d.Type != ast.EnumDefinition {
			continue
		}
		f := Form{Members: (&Type{Type: ast.Type{Kind: ast.TypeEnum}, Declaration: d}).values()}
		if n, ok := f.Member(path); ok {
			return Value{Text: f.Named(strconv.FormatUint(n, 10)), Type: "enum " + name}, true
		}
	}
	return v, false
}

// value reports whether values of the type are no references.
func (t *Type) value() bool {
	switch t.Kind {
	case ast.TypeUint, ast.TypeInt, ast.TypeBool, ast.TypeAddress, ast.TypeFixedBytes, ast.TypeContract, ast.TypeEnum, ast.TypeFunction:
		return true
	}
	return false
}

// label returns the name of the type without its location.
func (t *Type) label() string {
	label := t.Label
	for _, location := range []string{" storage ref", " storage pointer", " memory", " calldata"} {
		label = strings.ReplaceAll(label, location, "")
	}
	return strings.TrimSuffix(label, " storage")
}
