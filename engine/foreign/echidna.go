package foreign

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/input"
)

// A tagged is a value of a Haskell sum type, as aeson writes it.
type tagged struct {
	Tag      string          `json:"tag"`
	Contents json.RawMessage `json:"contents"`
}

// echidnaCall reads a transaction of Echidna, in the format of version 2 or of those
// before, whose keys begin with "_".
func echidnaCall(raw json.RawMessage) (c Call, err error) {
	type fields struct {
		Call  tagged         `json:"call"`
		From  common.Address `json:"src"`
		To    common.Address `json:"dst"`
		Value number         `json:"value"`
		Delay [2]number      `json:"delay"` // seconds, blocks
	}
	var tx fields
	if err := json.Unmarshal(withoutUnderscores(raw), &tx); err != nil {
		return c, err
	}
	c = Call{From: tx.From, To: tx.To, Value: tx.Value.Int, Delay: delay(tx.Delay[1].small(), tx.Delay[0].small())}
	switch tx.Call.Tag {
	case "SolCall":
		c.Data, err = echidnaCalldata(tx.Call.Contents)
	case "SolCalldata":
		c.Data, err = haskellBytes(tx.Call.Contents)
	case "NoCall":
		err = errWait
	case "SolCreate":
		err = errors.New("creates a contract")
	default:
		err = fmt.Errorf("unknown kind %.40q", tx.Call.Tag)
	}
	return c, err
}

// withoutUnderscores renames the keys of old versions.
func withoutUnderscores(raw json.RawMessage) json.RawMessage {
	var keys map[string]json.RawMessage
	if json.Unmarshal(raw, &keys) != nil {
		return raw
	}
	renamed := map[string]json.RawMessage{}
	for key, value := range keys {
		renamed[strings.TrimPrefix(key, "_")] = value
	}
	out, err := json.Marshal(renamed)
	if err != nil {
		return raw
	}
	return out
}

// echidnaCalldata encodes a call of a function by name, with typed arguments.
func echidnaCalldata(raw json.RawMessage) ([]byte, error) {
	var name string
	var args []tagged
	if err := pair(raw, &name, &args); err != nil {
		return nil, err
	}
	var types []string
	var values []input.Value
	for i := range args {
		v, err := args[i].value(0)
		if err != nil {
			return nil, fmt.Errorf("argument %d of %.40q: %w", i+1, name, err)
		}
		types, values = append(types, v.Type.String()), append(values, v)
	}
	if name == "" { // the fallback function
		return nil, nil
	}
	f, err := input.ParseSignature(name + "(" + strings.Join(types, ",") + ")")
	if err != nil {
		return nil, err
	}
	return input.AppendValues(f.Selector[:], values), nil
}

// pair reads a list of two values.
func pair(raw json.RawMessage, first, second any) error {
	var both []json.RawMessage
	if err := json.Unmarshal(raw, &both); err != nil {
		return err
	}
	if len(both) != 2 {
		return fmt.Errorf("%d values, not 2", len(both))
	}
	if err := json.Unmarshal(both[0], first); err != nil {
		return err
	}
	return json.Unmarshal(both[1], second)
}

// maxNested bounds arrays in arrays.
const maxNested = 16

// value reads an AbiValue of hevm.
func (t *tagged) value(depth int) (v input.Value, err error) {
	if depth > maxNested {
		return v, errors.New("nested too deeply")
	}
	switch t.Tag {
	case "AbiUInt", "AbiInt":
		return t.integer()
	case "AbiAddress":
		var a common.Address
		err = json.Unmarshal(t.Contents, &a)
		return input.NewAddress(a), err
	case "AbiBool":
		var b bool
		if err = json.Unmarshal(t.Contents, &b); b {
			v.Word.SetOne()
		}
		return typed(v, "bool", err)
	case "AbiBytes":
		return t.fixedBytes()
	case "AbiBytesDynamic":
		v.Data, err = haskellBytes(t.Contents)
		return typed(v, "bytes", err)
	case "AbiString":
		v.Data, err = haskellBytes(t.Contents)
		return typed(v, "string", err)
	case "AbiTuple":
		var elems []tagged
		if err = json.Unmarshal(t.Contents, &elems); err != nil {
			return v, err
		}
		return tuple(elems, depth)
	case "AbiArray", "AbiArrayDynamic":
		return t.array(depth)
	}
	return v, fmt.Errorf("unknown kind of value %.40q", t.Tag)
}

// typed gives a value its type.
func typed(v input.Value, name string, err error) (input.Value, error) {
	if err != nil {
		return v, err
	}
	v.Type, err = input.ParseType(name)
	return v, err
}

func (t *tagged) integer() (v input.Value, err error) {
	var bits int
	var digits string
	if err := pair(t.Contents, &bits, &digits); err != nil {
		return v, err
	}
	n, ok := new(big.Int).SetString(digits, 10)
	if !ok || n.BitLen() > 256 {
		return v, fmt.Errorf("%.40q is no number of 256 bits", digits)
	}
	name := fmt.Sprintf("uint%d", bits)
	if t.Tag == "AbiInt" {
		name = fmt.Sprintf("int%d", bits)
	}
	if v, err = typed(v, name, nil); err == nil {
		v = input.NewWord(v.Type, new(uint256.Int).SetBytes(new(big.Int).And(n, maxWord).Bytes()))
	}
	return v, err
}

var maxWord = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), big.NewInt(1))

func (t *tagged) fixedBytes() (v input.Value, err error) {
	var size int
	var raw json.RawMessage
	if err := pair(t.Contents, &size, &raw); err != nil {
		return v, err
	}
	data, err := haskellBytes(raw)
	if err != nil {
		return v, err
	}
	if len(data) > 32 {
		return v, errors.New("more than 32 bytes")
	}
	v.Word.SetBytes(append(data, make([]byte, 32-len(data))...))
	if v, err = typed(v, fmt.Sprintf("bytes%d", size), nil); err == nil {
		v = input.NewWord(v.Type, &v.Word)
	}
	return v, err
}

// elements reads values and lists their types.
func elements(list []tagged, depth int) (elems []input.Value, types []string, err error) {
	for i := range list {
		v, err := list[i].value(depth + 1)
		if err != nil {
			return nil, nil, err
		}
		elems, types = append(elems, v), append(types, v.Type.String())
	}
	return elems, types, nil
}

func tuple(list []tagged, depth int) (v input.Value, err error) {
	elems, types, err := elements(list, depth)
	v.Elems = elems
	return typed(v, "("+strings.Join(types, ",")+")", err)
}

// array reads [length, type, elements], or [type, elements] of a dynamic one.
func (t *tagged) array(depth int) (v input.Value, err error) {
	var parts []json.RawMessage
	if err := json.Unmarshal(t.Contents, &parts); err != nil {
		return v, err
	}
	size := ""
	if t.Tag == "AbiArray" && len(parts) == 3 {
		size, parts = string(parts[0]), parts[1:]
	}
	if len(parts) != 2 {
		return v, fmt.Errorf("an array with %d parts", len(parts))
	}
	var of tagged
	var list []tagged
	if err := errors.Join(json.Unmarshal(parts[0], &of), json.Unmarshal(parts[1], &list)); err != nil {
		return v, err
	}
	name, err := of.typeName(depth)
	if err != nil {
		return v, err
	}
	elems, types, err := elements(list, depth)
	for _, got := range types {
		if got != name {
			return v, fmt.Errorf("a %s in an array of %s", got, name)
		}
	}
	v.Elems = elems
	if v, err = typed(v, name+"["+size+"]", err); err == nil && size != "" && v.Type.Size != len(elems) {
		err = fmt.Errorf("%d elements of %s", len(elems), v.Type)
	}
	return v, err
}

// typeName names an AbiType of hevm.
func (t *tagged) typeName(depth int) (string, error) {
	if depth > maxNested {
		return "", errors.New("nested too deeply")
	}
	name := strings.ToLower(strings.TrimSuffix(strings.TrimPrefix(t.Tag, "Abi"), "Type"))
	switch name {
	case "uint", "int", "bytes":
		return name + string(t.Contents), nil
	case "address", "bool", "string":
		return name, nil
	case "bytesdynamic":
		return "bytes", nil
	case "arraydynamic":
		var of tagged
		if err := json.Unmarshal(t.Contents, &of); err != nil {
			return "", err
		}
		elem, err := of.typeName(depth + 1)
		return elem + "[]", err
	case "array":
		var size int
		var of tagged
		if err := pair(t.Contents, &size, &of); err != nil {
			return "", err
		}
		elem, err := of.typeName(depth + 1)
		return fmt.Sprintf("%s[%d]", elem, size), err
	case "tuple":
		var fields []tagged
		if err := json.Unmarshal(t.Contents, &fields); err != nil {
			return "", err
		}
		var names []string
		for i := range fields {
			field, err := fields[i].typeName(depth + 1)
			if err != nil {
				return "", err
			}
			names = append(names, field)
		}
		return "(" + strings.Join(names, ",") + ")", nil
	}
	return "", fmt.Errorf("unknown type %.40q", t.Tag)
}
