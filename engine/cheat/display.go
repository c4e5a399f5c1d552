package cheat

import (
	"encoding/hex"
	"math/big"
	"strconv"

	"leveret/engine/input"
)

// display writes a value as forge does: addresses with checksums, strings in quotes
// only within lists and tuples.
func display(v *input.Value) string {
	if v.Type.Kind == input.KindString {
		return string(v.Data)
	}
	return string(appendDisplay(nil, v))
}

func appendDisplay(dst []byte, v *input.Value) []byte {
	switch v.Type.Kind {
	case input.KindUint:
		return append(dst, v.Word.Dec()...)
	case input.KindInt:
		return append(dst, signed(v).String()...)
	case input.KindBool:
		return strconv.AppendBool(dst, !v.Word.IsZero())
	case input.KindAddress:
		return append(dst, v.Address().Hex()...)
	case input.KindFixedBytes:
		b := v.Word.Bytes32()
		return appendHex(dst, b[:v.Type.Size])
	case input.KindBytes, input.KindFunction:
		return appendHex(dst, v.Data)
	case input.KindString:
		return append(append(append(dst, '"'), v.Data...), '"')
	case input.KindTuple:
		return appendList(dst, "()", v.Elems)
	}
	return appendList(dst, "[]", v.Elems)
}

func appendList(dst []byte, brackets string, values []input.Value) []byte {
	dst = append(dst, brackets[0])
	for i := range values {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = appendDisplay(dst, &values[i])
	}
	return append(dst, brackets[1])
}

func appendHex(dst, data []byte) []byte { return hex.AppendEncode(append(dst, "0x"...), data) }

// signed returns the number that a word in two's complement stands for.
func signed(v *input.Value) *big.Int {
	if v.Word.Sign() >= 0 {
		return v.Word.ToBig()
	}
	n := v.Word
	n.Neg(&n)
	return new(big.Int).Neg(n.ToBig())
}
