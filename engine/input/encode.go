package input

import (
	"encoding/binary"
)

// AppendValues appends the ABI encoding of values as a tuple to dst: heads, then
// tails. Values are encoded as they are; see Canonical for their ranges.
func AppendValues(dst []byte, values []Value) []byte {
	base, head := len(dst), 0
	for i := range values {
		head += values[i].Type.headSize()
	}
	dst = appendZeros(dst, head)
	at := base
	for i := range values {
		v := &values[i]
		if v.Type.Dynamic() {
			putLength(dst[at:], len(dst)-base)
			dst = appendTail(dst, v)
			at += 32
		} else {
			at += putStatic(dst[at:], v)
		}
	}
	return dst
}

// putStatic writes a value of a static type and returns its size.
func putStatic(dst []byte, v *Value) int {
	switch v.Type.Kind {
	case KindArray, KindTuple:
		n := 0
		for i := range v.Elems {
			n += putStatic(dst[n:], &v.Elems[i])
		}
		return n
	case KindFunction:
		copy(dst[:24], v.Data)
	default:
		v.Word.PutUint256(dst[:32])
	}
	return 32
}

func appendTail(dst []byte, v *Value) []byte {
	switch v.Type.Kind {
	case KindBytes, KindString:
		start := len(dst) + 32
		dst = v.appendBytes(appendLength(dst, 0))
		putLength(dst[start-32:], len(dst)-start)
		return appendZeros(dst, -(len(dst)-start)&31)
	case KindSlice:
		dst = appendLength(dst, len(v.Elems))
	}
	return AppendValues(dst, v.Elems)
}

var zeros [256]byte

func appendZeros(dst []byte, n int) []byte {
	for n > len(zeros) {
		dst = append(dst, zeros[:]...)
		n -= len(zeros)
	}
	return append(dst, zeros[:n]...)
}

func appendLength(dst []byte, n int) []byte {
	dst = append(dst, zeros[:24]...)
	return binary.BigEndian.AppendUint64(dst, uint64(n))
}

func putLength(dst []byte, n int) {
	binary.BigEndian.PutUint64(dst[24:32], uint64(n))
}
