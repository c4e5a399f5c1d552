package cheat

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"leveret/engine/input"
)

var eip712Rows = []row{
	{"eip712HashType(string)", "(bytes32)", (*call).hashType, "returns the EIP-712 hash of a type, by its definition or by its name in forge's bindings"},
	{"eip712HashType(string,string)", "(bytes32)", (*call).hashBoundType, "returns the EIP-712 hash of a type in a file of bindings"},
	{"eip712HashStruct(string,bytes)", "(bytes32)", (*call).hashStruct, "returns the EIP-712 hash of an encoded struct, by its type's definition or by its name in forge's bindings"},
	{"eip712HashStruct(string,string,bytes)", "(bytes32)", (*call).hashBoundStruct, "returns the EIP-712 hash of an encoded struct whose type is in a file of bindings"},
	{"eip712HashTypedData(string)", "(bytes32)", (*call).hashTypedData, "returns the EIP-712 digest of typed data in JSON"},
}

// A structType is one struct of an EIP-712 type definition.
type structType struct {
	name   string
	fields []structField
}

type structField struct{ name, typ string }

// String is the struct's part of encodeType.
func (s *structType) String() string {
	parts := make([]string, len(s.fields))
	for i, f := range s.fields {
		parts[i] = f.typ + " " + f.name
	}
	return s.name + "(" + strings.Join(parts, ",") + ")"
}

// structTypes are structs by name.
type structTypes map[string]*structType

// parseStructs reads a definition, "Mail(Person from)Person(string name)", in any
// order. It returns the name of the first struct.
func parseStructs(definition string) (first string, types structTypes, err error) {
	types = structTypes{}
	for rest := definition; strings.TrimSpace(rest) != ""; {
		name, body, ok := strings.Cut(rest, "(")
		body, after, closed := strings.Cut(body, ")")
		if !ok || !closed {
			return "", nil, fmt.Errorf("invalid type string %q", clip(rest))
		}
		s := &structType{name: strings.TrimSpace(name)}
		for field := range strings.SplitSeq(body, ",") {
			if field = strings.TrimSpace(field); field == "" && s.fields == nil {
				continue
			}
			space := strings.LastIndexByte(field, ' ')
			if space < 0 {
				return "", nil, fmt.Errorf("invalid property definition %q", clip(field))
			}
			s.fields = append(s.fields, structField{field[space+1:], strings.TrimSpace(field[:space])})
		}
		if first == "" {
			first = s.name
		}
		types[s.name], rest = s, after
	}
	return first, types, nil
}

// primary returns the only struct that is not a field of another one.
func (types structTypes) primary() (string, error) {
	used := map[string]bool{}
	for _, s := range types {
		for _, f := range s.fields {
			base, _, _ := strings.Cut(f.typ, "[")
			if types[base] != nil {
				used[base] = true
			} else if _, err := input.ParseType(base); err != nil {
				return "", fmt.Errorf("missing type %q in type resolution", clip(base))
			}
		}
	}
	var found []string
	for name := range types {
		if !used[name] {
			found = append(found, name)
		}
	}
	if len(found) != 1 {
		return "", errors.New("the type definition has no primary type")
	}
	return found[0], nil
}

// encodeType returns the definition of a struct and of those it uses, in order.
func (types structTypes) encodeType(name string) string {
	used := map[string]bool{}
	types.collect(name, used)
	delete(used, name)
	var b strings.Builder
	b.WriteString(types[name].String())
	for _, other := range slices.Sorted(maps.Keys(used)) {
		b.WriteString(types[other].String())
	}
	return b.String()
}

// collect adds the structs that a struct uses.
func (types structTypes) collect(name string, used map[string]bool) {
	if types[name] == nil || used[name] {
		return
	}
	used[name] = true
	for _, f := range types[name].fields {
		base, _, _ := strings.Cut(f.typ, "[")
		types.collect(base, used)
	}
}

// maxFields bounds the type that a definition unfolds to.
const maxFields = 4096

// resolve returns the ABI type of "Person[2][]": a struct is a tuple with named
// fields.
func (types structTypes) resolve(typ string) (*input.Type, error) {
	left := maxFields
	return types.unfold(typ, &left)
}

func (types structTypes) unfold(typ string, left *int) (*input.Type, error) {
	if *left--; *left < 0 {
		return nil, errors.New("the type is circular or too large")
	}
	base, suffix, _ := strings.Cut(typ, "[")
	s := types[base]
	if s == nil {
		return input.ParseType(typ)
	}
	t := &input.Type{Kind: input.KindTuple}
	for _, f := range s.fields {
		inner, err := types.unfold(f.typ, left)
		if err != nil {
			return nil, err
		}
		t.Fields = append(t.Fields, input.Field{Name: f.name, Type: inner})
	}
	if suffix == "" {
		return t, nil
	}
	shape, err := input.ParseType("bool[" + suffix)
	if err != nil {
		return nil, err
	}
	return replaceBase(shape, t), nil
}

// replaceBase returns an array type with another innermost type.
func replaceBase(shape, base *input.Type) *input.Type {
	if shape.Elem == nil {
		return base
	}
	return &input.Type{Kind: shape.Kind, Size: shape.Size, Elem: replaceBase(shape.Elem, base)}
}

// hash returns hashStruct of a value.
func (types structTypes) hash(name string, v *input.Value) []byte {
	data := crypto.Keccak256([]byte(types.encodeType(name)))
	for i, f := range types[name].fields {
		data = append(data, types.encode(f.typ, &v.Elems[i])...)
	}
	return crypto.Keccak256(data)
}

// encode returns the word that stands for a value of a type within a struct.
func (types structTypes) encode(typ string, v *input.Value) []byte {
	switch v.Type.Kind {
	case input.KindBytes, input.KindString:
		return crypto.Keccak256(v.Data)
	case input.KindArray, input.KindSlice:
		var data []byte
		inner := typ[:strings.LastIndexByte(typ, '[')]
		for i := range v.Elems {
			data = append(data, types.encode(inner, &v.Elems[i])...)
		}
		return crypto.Keccak256(data)
	case input.KindTuple:
		return types.hash(typ, v)
	}
	word := v.Word.Bytes32()
	return word[:]
}

// definition returns the types of a definition, or those of a name in the file of
// bindings.
func (c *call) definition(text string) (string, structTypes, error) {
	if !strings.Contains(text, "(") {
		return c.boundDefinition(bindings, text)
	}
	_, types, err := parseStructs(text)
	if err != nil {
		return "", nil, err
	}
	primary, err := types.primary()
	return primary, types, err
}

// bindings is where forge bind-json writes.
const bindings = "utils/JsonBindings.sol"

// bindingPrefix begins the lines of the bindings that forge bind-json writes.
const bindingPrefix = "string constant schema_"

// boundDefinition reads the types of a name in a file of bindings.
func (c *call) boundDefinition(path, name string) (string, structTypes, error) {
	text, err := c.readText(path)
	if err != nil {
		return "", nil, err
	}
	var names []string
	for line := range strings.Lines(text) {
		rest, ok := strings.CutPrefix(strings.TrimSpace(line), bindingPrefix)
		if !ok {
			continue
		}
		found, definition, _ := strings.Cut(rest, "=")
		found = strings.TrimSpace(found)
		names = append(names, " - "+found)
		if found != name {
			continue
		}
		definition = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(definition), `"`), `";`)
		_, types, err := parseStructs(definition)
		if err == nil && types[name] == nil {
			err = fmt.Errorf("the binding of %s does not define it", name)
		}
		return name, types, err
	}
	if len(names) == 0 {
		return "", nil, fmt.Errorf("'%s' not found in '%s'.", name, path)
	}
	return "", nil, fmt.Errorf("'%s' not found in '%s'.\nAvailable bindings:\n%s\n", name, path, strings.Join(names, "\n"))
}

func (c *call) hashType() error {
	return c.giveTypeHash(c.definition(c.text(0)))
}

func (c *call) hashBoundType() error {
	return c.giveTypeHash(c.boundDefinition(c.text(0), c.text(1)))
}

func (c *call) giveTypeHash(name string, types structTypes, err error) error {
	if err != nil {
		return err
	}
	return c.give(hashValue(crypto.Keccak256Hash([]byte(types.encodeType(name)))))
}

func (c *call) hashStruct() error {
	name, types, err := c.definition(c.text(0))
	return c.giveStructHash(name, types, err, c.data(1))
}

func (c *call) hashBoundStruct() error {
	name, types, err := c.boundDefinition(c.text(0), c.text(1))
	return c.giveStructHash(name, types, err, c.data(2))
}

func (c *call) giveStructHash(name string, types structTypes, err error, data []byte) error {
	if err != nil {
		return err
	}
	t, err := types.resolve(name)
	if err != nil {
		return err
	}
	values, err := input.Decode([]input.Field{{Type: t}}, data)
	if err != nil {
		return fmt.Errorf("Failed to ABI decode using resolved_sol_type directly for '%s': %w.", name, err)
	}
	return c.give(hashValue(common.Hash(types.hash(name, &values[0]))))
}

// domainTypes are the fields of an EIP-712 domain, in order.
var domainTypes = []structField{{"name", "string"}, {"version", "string"}, {"chainId", "uint256"}, {"verifyingContract", "address"}, {"salt", "bytes32"}}

func (c *call) hashTypedData() error {
	var data struct {
		Types       map[string][]struct{ Name, Type string }
		PrimaryType string
		Domain      json.RawMessage
		Message     json.RawMessage
	}
	if err := json.Unmarshal(c.data(0), &data); err != nil {
		return err
	}
	types := structTypes{}
	for name, fields := range data.Types {
		s := &structType{name: name}
		for _, f := range fields {
			s.fields = append(s.fields, structField{f.Name, f.Type})
		}
		types[name] = s
	}
	domain, err := domainOf(data.Domain)
	if err != nil {
		return err
	}
	digest := append([]byte{0x19, 0x01}, domain...)
	if data.PrimaryType != "EIP712Domain" {
		message, err := types.hashJSON(data.PrimaryType, data.Message)
		if err != nil {
			return err
		}
		digest = append(digest, message...)
	}
	return c.give(hashValue(crypto.Keccak256Hash(digest)))
}

// domainOf returns the domain separator: the hash of the fields that are there.
func domainOf(text []byte) ([]byte, error) {
	var present map[string]json.RawMessage
	if len(text) > 0 {
		if err := json.Unmarshal(text, &present); err != nil {
			return nil, err
		}
	}
	s := &structType{name: "EIP712Domain"}
	for _, f := range domainTypes {
		if value, ok := present[f.name]; ok && string(value) != "null" {
			s.fields = append(s.fields, f)
		}
	}
	return structTypes{s.name: s}.hashJSON(s.name, text)
}

// hashJSON returns hashStruct of a value in JSON.
func (types structTypes) hashJSON(name string, text []byte) ([]byte, error) {
	if types[name] == nil {
		return nil, fmt.Errorf("missing type %q in type resolution", name)
	}
	t, err := types.resolve(name)
	if err != nil {
		return nil, err
	}
	if len(text) == 0 {
		text = []byte("{}")
	}
	tree, err := parseJSON(string(text))
	if err != nil {
		return nil, err
	}
	v, err := coerceJSON(tree, t)
	if err != nil {
		return nil, err
	}
	return types.hash(name, &v), nil
}
