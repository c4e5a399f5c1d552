package cheat

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/input"
)

// structs are those of a project by the names of their fields; see fieldKey.
type structs map[string][]Struct

// fieldKey returns a key for a set of names.
func fieldKey(names []string) string {
	return strings.Join(slices.Sorted(slices.Values(names)), "\x00")
}

// structsOf returns the structs that a host knows.
func structsOf(h Host) structs {
	known := structs{}
	if h == nil {
		return known
	}
	for _, s := range h.Structs() {
		names := make([]string, len(s.Fields))
		for i, f := range s.Fields {
			names[i] = f.Name
		}
		key := fieldKey(names)
		known[key] = append(known[key], s)
	}
	return known
}

// guess returns the Solidity value that a JSON value looks like, as vm.parseJson
// encodes it: objects are tuples in the order of a struct with these fields, or of
// their keys' names if the project has none.
func (s structs) guess(v any) (input.Value, error) {
	switch v := v.(type) {
	case nil:
		return hashValue(common.Hash{}), nil
	case bool:
		return boolValue(v), nil
	case json.Number:
		return guessNumber(string(v))
	case string:
		return guessText(v)
	case []any:
		return s.guessList(v, &input.Type{Kind: input.KindSlice, Elem: uintType}, s.guess)
	}
	o := v.(*object)
	if known := s[fieldKey(o.keys)]; len(known) > 0 {
		return s.guessStruct(o, known)
	}
	tuple := input.Value{Type: &input.Type{Kind: input.KindTuple}}
	for _, key := range slices.Sorted(slices.Values(o.keys)) {
		if err := addField(&tuple, key, s.guess, o.values[key]); err != nil {
			return tuple, err
		}
	}
	return tuple, nil
}

// addField adds what a function makes of a JSON value to a tuple.
func addField(tuple *input.Value, name string, read func(any) (input.Value, error), v any) error {
	e, err := read(v)
	if err != nil {
		return err
	}
	tuple.Type.Fields = append(tuple.Type.Fields, input.Field{Name: name, Type: e.Type})
	tuple.Elems = append(tuple.Elems, e)
	return nil
}

// guessList reads the elements of a list with a function.
func (s structs) guessList(list []any, t *input.Type, read func(any) (input.Value, error)) (input.Value, error) {
	out := input.Value{Type: t, Elems: make([]input.Value, len(list))}
	for i := range list {
		e, err := read(list[i])
		if err != nil {
			return out, err
		}
		out.Elems[i] = e
	}
	if t.Kind == input.KindArray { // its encoding depends on its elements
		out.Type = &input.Type{Kind: t.Kind, Size: t.Size, Elem: out.Elems[0].Type}
	}
	return out, nil
}

// guessStruct reads an object in the order of the first of several structs with its
// keys. Arrays of a fixed length are read as such if the structs agree on their type.
func (s structs) guessStruct(o *object, known []Struct) (input.Value, error) {
	tuple := input.Value{Type: &input.Type{Kind: input.KindTuple}}
	for _, f := range known[0].Fields {
		read := s.guess
		if hasFixedArray(f.Type) && agree(known, f) {
			read = func(v any) (input.Value, error) { return s.guessFixed(v, f.Type) }
		}
		if err := addField(&tuple, f.Name, read, o.values[f.Name]); err != nil {
			return tuple, err
		}
	}
	return tuple, nil
}

// agree reports whether all structs have a field with this type.
func agree(known []Struct, f input.Field) bool {
	return !slices.ContainsFunc(known, func(s Struct) bool {
		return !slices.ContainsFunc(s.Fields, func(g input.Field) bool { return g.Name == f.Name && g.Type.Same(f.Type) })
	})
}

func hasFixedArray(t *input.Type) bool {
	return t.Kind == input.KindArray || t.Kind == input.KindSlice && hasFixedArray(t.Elem)
}

// guessFixed reads a list of fixed length; structs in it are guessed.
func (s structs) guessFixed(v any, t *input.Type) (input.Value, error) {
	switch {
	case t.Elem == nil && t.Kind == input.KindTuple:
		return s.guess(v)
	case t.Elem == nil:
		return coerceJSON(v, t)
	}
	list, ok := v.([]any)
	if !ok {
		return input.Value{}, errors.New("expected array")
	}
	if t.Kind == input.KindArray && len(list) != t.Size {
		return input.Value{}, errors.New("array length mismatch")
	}
	return s.guessList(list, t, func(v any) (input.Value, error) { return s.guessFixed(v, t.Elem) })
}

// guessNumber returns a whole number.
func guessNumber(text string) (input.Value, error) {
	digits := text
	if strings.ContainsAny(text, "eE") {
		f, err := strconv.ParseFloat(text, 64)
		if err == nil {
			digits = strconv.FormatFloat(f, 'f', -1, 64)
		}
	}
	if n, ok := new(big.Int).SetString(digits, 10); ok {
		if v, ok := numberOf(n); ok {
			return v, nil
		}
	}
	return input.Value{}, fmt.Errorf("unsupported JSON number: %s", clip(text))
}

// numberOf returns a number of either sign that fits into a word.
func numberOf(n *big.Int) (input.Value, bool) {
	switch {
	case n.Sign() < 0 && new(big.Int).Not(n).BitLen() > 255 || n.BitLen() > 256:
		return input.Value{}, false
	case n.Sign() < 0:
		w, _ := uint256.FromBig(n)
		return input.Value{Type: intType, Word: *w}, true
	}
	return bigValue(n), true
}

// guessText returns an address, bytes32 or bytes for hex, a number for one that has
// more than 64 bits, otherwise the text.
func guessText(text string) (input.Value, error) {
	if digits, ok := strings.CutPrefix(text, "0x"); ok {
		if len(digits) == 39 {
			return input.Value{}, fmt.Errorf("Cannot parse %q as an address. If you want to specify address, prepend zero to the value.", digits)
		}
		if len(digits)%2 == 1 {
			digits = "0" + digits
		}
		if data, err := hex.DecodeString(digits); err == nil {
			switch len(data) {
			case 20:
				return addressValue(common.Address(data)), nil
			case 32:
				return hashValue(common.Hash(data)), nil
			}
			return bytesValue(data), nil
		}
	}
	digits := strings.TrimLeft(text, "+-")
	if len(digits) > 18 && len(digits) < 100 && strings.Trim(digits, "0123456789") == "" {
		if n, ok := new(big.Int).SetString(text, 10); ok && !n.IsInt64() {
			if v, ok := numberOf(n); ok {
				return v, nil
			}
		}
	}
	return textValue(text), nil
}

// jsonOf returns the JSON value that stands for a Solidity value: numbers of more
// than 64 bits are strings, text that is a JSON object is that object.
func jsonOf(v *input.Value) (any, error) {
	switch v.Type.Kind {
	case input.KindBool:
		return !v.Word.IsZero(), nil
	case input.KindUint, input.KindInt:
		n := integer(v)
		if n.IsInt64() || v.Type.Kind == input.KindUint && n.IsUint64() {
			return json.Number(n.String()), nil
		}
		return n.String(), nil
	case input.KindString:
		if tree, err := parseStrictJSON(string(v.Data)); err == nil {
			if o, ok := tree.(*object); ok {
				return o, nil
			}
		}
		return string(v.Data), nil
	case input.KindFunction:
		return nil, errors.New("cannot serialize function pointer")
	case input.KindAddress, input.KindFixedBytes, input.KindBytes:
		return display(v), nil
	}
	list := make([]any, len(v.Elems))
	for i := range v.Elems {
		e, err := jsonOf(&v.Elems[i])
		if err != nil {
			return nil, err
		}
		list[i] = e
	}
	if !isStruct(v.Type) {
		return list, nil
	}
	o := newObject()
	for i, f := range v.Type.Fields {
		o.set(f.Name, list[i])
	}
	return o, nil
}
