package cheat

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"leveret/engine/input"
)

// A notation is a form of structured text: JSON or TOML.
type notation struct {
	name  string // in names of cheatcodes
	parse func(text string) (any, error)
	write func(tree any) ([]byte, error)
}

var (
	jsonNotation = notation{"Json", parseJSON, func(tree any) ([]byte, error) { return prettyJSON(tree), nil }}
	tomlNotation = notation{"Toml", parseTOML, writeTOML}
)

var structuredRows = slices.Concat(jsonNotation.rows(), tomlNotation.rows(), serializeRows(), []row{
	{"keyExists(string,string)", "(bool)", jsonNotation.keyExists, "reports whether there is something at a path of JSON"},
	{"parseJsonArrayLength(string,string)", "(uint256)", jsonNotation.length, "returns the length of an array at a path of JSON"},
})

// rows are the cheatcodes that a notation has.
func (n notation) rows() []row {
	parse := "parse" + n.name
	list := []row{
		{parse + "(string)", "(bytes)", n.parseAny, "returns " + n.name + ", encoded as it looks"},
		{parse + "(string,string)", "(bytes)", n.parseAny, "returns what is at a path of " + n.name + ", encoded as it looks"},
		{parse + "Keys(string,string)", "(string[])", n.parseKeys, "returns the keys of an object at a path of " + n.name},
		{"keyExists" + n.name + "(string,string)", "(bool)", n.keyExists, "reports whether there is something at a path of " + n.name},
		{parse + "Type(string,string)", "(bytes)", n.parseType, "returns " + n.name + ", encoded as a type"},
		{parse + "Type(string,string,string)", "(bytes)", n.parseType, "returns what is at a path of " + n.name + ", encoded as a type"},
		{parse + "TypeArray(string,string,string)", "(bytes)", n.parseType, "returns the list at a path of " + n.name + ", encoded as a list of a type"},
		{"write" + n.name + "(string,string)", "", n.writeFile, "writes a file of " + n.name},
		{"write" + n.name + "(string,string,string)", "", n.writeValue, "changes what is at a path in a file of " + n.name},
	}
	for _, t := range scalarTypes {
		for _, array := range []string{"", "[]"} {
			name, typ := parse+t.name, t.typ.String()+array
			if array != "" {
				name += "Array"
			}
			list = append(list,
				row{name + "(string,string)", "(" + typ + ")", n.parseAs, "returns what is at a path of " + n.name},
				row{name + "(string,string," + typ + ")", "(" + typ + ")", n.parseAs, "returns what is at a path of " + n.name + " or a default"})
		}
	}
	return list
}

// find returns the values at a path of the text that is the first argument.
func (n notation) find(c *call, path string) ([]any, error) {
	c.state.Work(parseWork * uint64(len(c.text(0))))
	tree, err := n.parse(c.text(0))
	if err != nil {
		return nil, err
	}
	return selectJSON(tree, path)
}

// findOne returns the only value at a path.
func (n notation) findOne(c *call, path, kind string) (any, error) {
	found, err := n.find(c, path)
	if err == nil && len(found) != 1 {
		err = fmt.Errorf("%s must return exactly one JSON %s", quoteKey(kind, path), kind)
	}
	if err != nil {
		return nil, err
	}
	return found[0], nil
}

func quoteKey(kind, path string) string {
	if kind == "value" {
		return fmt.Sprintf("path %q", path)
	}
	return fmt.Sprintf("key %q", path)
}

func (n notation) parseAny(c *call) error {
	path := "$"
	if len(c.args) > 1 {
		path = c.text(1)
	}
	found, err := n.find(c, path)
	if err != nil {
		return err
	}
	values := make([]input.Value, len(found))
	for i, tree := range found {
		if values[i], err = c.knownStructs().guess(tree); err != nil {
			return err
		}
	}
	switch len(values) {
	case 0:
		return c.give(bytesValue(nil))
	case 1:
		return c.give(bytesValue(input.AppendValues(nil, values)))
	}
	return c.give(bytesValue(input.AppendValues(nil, []input.Value{listValue(uintType, values)})))
}

// knownStructs returns the structs of the project.
func (c *Cheats) knownStructs() structs {
	if c.structs == nil {
		c.structs = structsOf(c.Config.Host)
	}
	return c.structs
}

func (n notation) parseAs(c *call) error {
	if len(c.args) > 2 {
		found, err := n.find(c, c.text(1))
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return c.give(c.args[2])
		}
	}
	tree, err := n.findOne(c, c.text(1), "value")
	if err != nil {
		return err
	}
	return c.giveOne(coerceJSON(tree, c.code.outputs[0].Type))
}

func (n notation) parseKeys(c *call) error {
	tree, err := n.findOne(c, c.text(1), "object")
	if err != nil {
		return err
	}
	o, ok := tree.(*object)
	if !ok {
		return fmt.Errorf("JSON value at %q is not an object", c.text(1))
	}
	return c.give(textsValue(o.keys))
}

func (n notation) length(c *call) error {
	tree, err := n.findOne(c, c.text(1), "array")
	if err != nil {
		return err
	}
	list, ok := tree.([]any)
	if !ok {
		return fmt.Errorf("JSON value at %q is not an array", c.text(1))
	}
	return c.give(numberValue(uint64(len(list))))
}

func (n notation) keyExists(c *call) error {
	found, err := n.find(c, c.text(1))
	return c.giveOne(boolValue(len(found) > 0), err)
}

// parseType gives what is at a path as a type: the last argument.
func (n notation) parseType(c *call) error {
	path := "$"
	if len(c.args) > 2 {
		path = c.text(1)
	}
	t, err := describedType(c.text(len(c.args) - 1))
	if err != nil {
		return err
	}
	if strings.HasSuffix(c.code.name, "Array") {
		t = &input.Type{Kind: input.KindSlice, Elem: t}
	}
	tree, err := n.findOne(c, path, "value")
	if err != nil {
		return err
	}
	v, err := coerceJSON(tree, t)
	if err != nil {
		return err
	}
	return c.give(bytesValue(input.AppendValues(nil, []input.Value{v})))
}

// describedType reads a Solidity type, or an EIP-712 definition whose first struct
// is meant.
func describedType(text string) (*input.Type, error) {
	if t, err := input.ParseType(text); err == nil {
		return t, nil
	}
	first, types, err := parseStructs(text)
	if err != nil || first == "" {
		return nil, errors.New("type description should be a valid Solidity type or a EIP712 `encodeType` string")
	}
	return types.resolve(first)
}

// jsonOrText reads JSON; what is none stands for itself.
func jsonOrText(text string) any {
	if tree, err := parseStrictJSON(text); err == nil {
		return tree
	}
	return text
}

func (n notation) writeFile(c *call) error {
	data, err := n.write(jsonOrText(c.text(0)))
	if err != nil {
		return err
	}
	return c.write(c.text(1), data)
}

// writeValue replaces or adds what is at a path of objects in a file, which need not
// exist.
func (n notation) writeValue(c *call) error {
	path, err := c.readable(c.text(1))
	if err != nil {
		return err
	}
	var tree any = newObject()
	if _, err := os.Stat(path); err == nil {
		text, err := c.readText(c.text(1))
		if err != nil {
			return err
		}
		if tree, err = n.parse(text); err != nil {
			if n.name != jsonNotation.name {
				return err
			}
			tree = text
		}
	}
	if err := upsert(tree, c.text(2), jsonOrText(c.text(0))); err != nil {
		return err
	}
	data, err := n.write(tree)
	if err != nil {
		return err
	}
	return c.write(c.text(1), data)
}

// upsert sets the value at a path of keys, "$.a.b", and makes the objects on the
// way.
func upsert(tree any, path string, value any) error {
	keys := strings.FieldsFunc(strings.TrimPrefix(strings.TrimPrefix(path, "$"), "."), func(r rune) bool { return r == '.' })
	if len(keys) == 0 {
		return errors.New("'valueKey' cannot be empty or just '$'")
	}
	last := len(keys) - 1
	for _, key := range keys[:last] {
		o, ok := tree.(*object)
		if !ok {
			return fmt.Errorf("path segment '%s' does not resolve to an object.", key)
		}
		if _, known := o.values[key]; !known {
			o.set(key, newObject())
		}
		tree = o.values[key]
	}
	o, ok := tree.(*object)
	if !ok {
		return errors.New("final destination is not an object, cannot insert key.")
	}
	o.set(keys[last], value)
	return nil
}

// objects are those that vm.serialize… builds, by their names. Their values do not
// change.
type objects map[string]*object

func (o objects) clone() objects { return maps.Clone(o) }

func serializeRows() []row {
	const returns, docs = "(string)", "sets a value in a named object and returns the object as JSON"
	list := []row{
		{"serializeJson(string,string)", returns, (*call).serializeJSON, "sets a named object to one in JSON"},
		{"serializeUintToHex(string,string,uint256)", returns, (*call).serializeHex, docs + ", as hex"},
		{"serializeJsonType(string,bytes)", returns, (*call).typeJSON, "returns an encoded value as JSON"},
		{"serializeJsonType(string,string,string,bytes)", returns, (*call).serializeType, docs},
	}
	for _, t := range scalarTypes {
		for _, typ := range []string{t.typ.String(), t.typ.String() + "[]"} {
			list = append(list, row{"serialize" + t.name + "(string,string," + typ + ")", returns, (*call).serialize, docs})
		}
	}
	return list
}

func (c *call) serialize() error {
	value, err := jsonOf(&c.args[2])
	if err != nil {
		return err
	}
	return c.serializeValue(value)
}

// serializeValue sets a value in the object and at the key that the first arguments
// name. Objects are written in the order of their keys' names.
func (c *call) serializeValue(value any) error {
	m := c.memory
	o := newObject()
	if known := m.objects[c.text(0)]; known != nil {
		o = known.clone()
	}
	o.set(c.text(1), value)
	slices.Sort(o.keys)
	c.setObject(c.text(0), o)
	return c.give(bytesAsText(appendJSON(nil, o)))
}

func bytesAsText(data []byte) input.Value { return input.Value{Type: stringType, Data: data} }

func (c *call) setObject(name string, o *object) {
	if c.memory.objects == nil {
		c.memory.objects = objects{}
	}
	c.memory.objects[name] = o
	c.rememberArgs()
	c.comparesWith(len(o.keys))
}

func (c *call) serializeJSON() error {
	tree, err := parseStrictJSON(c.text(1))
	if err != nil {
		return err
	}
	o, ok := tree.(*object)
	if !ok {
		return errors.New("the value is not a JSON object")
	}
	slices.Sort(o.keys)
	c.setObject(c.text(0), o)
	return c.give(textValue(c.text(1)))
}

func (c *call) serializeHex() error {
	return c.serializeValue(c.args[2].Word.Hex())
}

// described decodes data of a described type as JSON.
func described(description string, data []byte) (any, error) {
	t, err := describedType(description)
	if err != nil {
		return nil, err
	}
	values, err := input.Decode([]input.Field{{Type: t}}, data)
	if err != nil {
		return nil, err
	}
	return jsonOf(&values[0])
}

func (c *call) typeJSON() error {
	value, err := described(c.text(0), c.data(1))
	if err != nil {
		return err
	}
	return c.give(bytesAsText(appendJSON(nil, value)))
}

func (c *call) serializeType() error {
	value, err := described(c.text(2), c.data(3))
	if err != nil {
		return err
	}
	return c.serializeValue(value)
}
