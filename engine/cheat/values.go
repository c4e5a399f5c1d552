package cheat

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/input"
)

// Types of results.
var (
	uintType    = &input.Type{Kind: input.KindUint, Size: 256}
	intType     = &input.Type{Kind: input.KindInt, Size: 256}
	boolType    = &input.Type{Kind: input.KindBool}
	bytes32Type = &input.Type{Kind: input.KindFixedBytes, Size: 32}
	bytesType   = &input.Type{Kind: input.KindBytes}
	stringType  = &input.Type{Kind: input.KindString}
	addressType = &input.Type{Kind: input.KindAddress}
)

func numberValue(n uint64) input.Value { return wordValue(uint256.NewInt(n)) }

func wordValue(w *uint256.Int) input.Value { return input.Value{Type: uintType, Word: *w} }

func hashValue(h common.Hash) input.Value {
	v := input.Value{Type: bytes32Type}
	v.Word.SetBytes32(h[:])
	return v
}

func boolValue(b bool) input.Value {
	v := input.Value{Type: boolType}
	if b {
		v.Word.SetOne()
	}
	return v
}

func bytesValue(b []byte) input.Value { return input.Value{Type: bytesType, Data: b} }

func textValue(s string) input.Value { return input.Value{Type: stringType, Data: []byte(s)} }

// listValue returns T[] of values of one type.
func listValue(element *input.Type, values []input.Value) input.Value {
	return input.Value{Type: &input.Type{Kind: input.KindSlice, Elem: element}, Elems: values}
}

func addressValue(a common.Address) input.Value { return input.NewAddress(a) }

// compareWords orders unsigned numbers.
func compareWords(a, b input.Value) int { return a.Word.Cmp(&b.Word) }

// tupleValue returns a struct of a type.
func tupleValue(t *input.Type, fields ...input.Value) input.Value {
	return input.Value{Type: t, Elems: fields}
}
