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

// guess returns the Solidity value that a JSON value looks like, as vm.parseJson
// encodes it: objects are tuples in the order of their keys' names.
func guess(v any) (input.Value, error) {
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
		list := listValue(uintType, make([]input.Value, len(v)))
		for i := range v {
			e, err := guess(v[i])
			if err != nil {
				return list, err
			}
			list.Elems[i] = e
		}
		return list, nil
	}
	o := v.(*object)
	tuple := input.Value{Type: &input.Type{Kind: input.KindTuple}}
	for _, key := range slices.Sorted(slices.Values(o.keys)) {
		e, err := guess(o.values[key])
		if err != nil {
			return tuple, err
		}
		tuple.Type.Fields = append(tuple.Type.Fields, input.Field{Name: key, Type: e.Type})
		tuple.Elems = append(tuple.Elems, e)
	}
	return tuple, nil
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
