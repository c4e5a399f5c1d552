package cheat

import (
	"errors"
	"math/big"
	"slices"
	"strings"

	"github.com/holiman/uint256"

	"leveret/engine/input"
)

var stringRows = slices.Concat(toStringRows(), parseRows(), []row{
	{"toLowercase(string)", "(string)", func(c *call) error { return c.give(textValue(strings.ToLower(c.text(0)))) }, "returns text in lower case"},
	{"toUppercase(string)", "(string)", func(c *call) error { return c.give(textValue(strings.ToUpper(c.text(0)))) }, "returns text in upper case"},
	{"trim(string)", "(string)", func(c *call) error { return c.give(textValue(strings.TrimSpace(c.text(0)))) }, "returns text without white space around it"},
	{"replace(string,string,string)", "(string)", (*call).replace, "replaces all occurrences of a text"},
	{"split(string,string)", "(string[])", (*call).split, "splits text at a delimiter"},
	{"indexOf(string,string)", "(uint256)", (*call).indexOf, "returns where a text occurs first, or type(uint256).max"},
	{"contains(string,string)", "(bool)", func(c *call) error { return c.give(boolValue(strings.Contains(c.text(0), c.text(1)))) }, "reports whether text contains another one"},
})

// scalarTypes are the types that cheatcodes read and write as text, with the names
// that cheatcodes have for them.
var scalarTypes = []struct {
	name string
	typ  *input.Type
}{
	{"Bool", boolType}, {"Uint", uintType}, {"Int", intType}, {"Address", addressType},
	{"Bytes32", bytes32Type}, {"String", stringType}, {"Bytes", bytesType},
}

func toStringRows() (list []row) {
	for _, t := range scalarTypes {
		if t.typ != stringType {
			list = append(list, row{"toString(" + t.typ.String() + ")", "(string)", (*call).toString, "returns a value as text"})
		}
	}
	return list
}

func (c *call) toString() error { return c.give(textValue(display(&c.args[0]))) }

func parseRows() (list []row) {
	for _, t := range scalarTypes {
		if t.typ != stringType {
			list = append(list, row{"parse" + t.name + "(string)", "(" + t.typ.String() + ")", (*call).parse, "reads a value from text"})
		}
	}
	return list
}

func (c *call) parse() error { return c.giveOne(coerce(c.text(0), c.code.outputs[0].Type)) }

// giveOne sets the only result.
func (c *call) giveOne(v input.Value, err error) error {
	if err != nil {
		return err
	}
	return c.give(v)
}

// Bounds of what cheatcodes return.
const (
	maxText  = 16 << 20
	maxParts = 1 << 16
)

func (c *call) replace() error {
	text, from, to := c.text(0), c.text(1), c.text(2)
	count := new(big.Int).Mul(big.NewInt(int64(strings.Count(text, from))), big.NewInt(int64(len(to))))
	if count.Cmp(big.NewInt(maxText)) > 0 {
		return errors.New("the result is larger than 16 MB")
	}
	return c.give(textValue(strings.ReplaceAll(text, from, to)))
}

func (c *call) split() error {
	text, delimiter := c.text(0), c.text(1)
	if strings.Count(text, delimiter) >= maxParts {
		return errors.New("the text has more than 65536 parts")
	}
	parts := strings.Split(text, delimiter)
	if delimiter == "" { // the empty text is also before the first and after the last character
		parts = append(append([]string{""}, parts...), "")
	}
	return c.give(textsValue(parts))
}

// textsValue returns string[].
func textsValue(texts []string) input.Value {
	list := listValue(stringType, make([]input.Value, len(texts)))
	for i, t := range texts {
		list.Elems[i] = textValue(t)
	}
	return list
}

func (c *call) indexOf() error {
	w := new(uint256.Int).SetAllOne()
	if i := strings.Index(c.text(0), c.text(1)); i >= 0 {
		w.SetUint64(uint64(i))
	}
	return c.give(wordValue(w))
}
