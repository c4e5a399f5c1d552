package input

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Reasons for rejecting encoded data.
var (
	errShort     = errors.New("data ends too early")
	errDirty     = errors.New("word out of the type's range")
	errOversized = errors.New("too many elements")
)

// maxDecoded bounds the elements of one Decode: overlapping tails could
// otherwise make a short input grow exponentially.
const maxDecoded = 1 << 16

// Decode reads data as a tuple of fields. It is strict: words outside their
// type's range and offsets or lengths outside the data are errors. Offsets may
// have any order, and data after the last value is ignored, as the ABI allows.
func Decode(fields []Field, data []byte) ([]Value, error) {
	d := decoder{budget: maxDecoded, bytes: 1<<20 + 4*len(data)}
	types := func(i int) *Type { return fields[i].Type }
	values, err := d.list(len(fields), types, data)
	if err != nil {
		return nil, fmt.Errorf("decode ABI data: %w", err)
	}
	return values, nil
}

// DecodeCalldata reads the arguments of a call of f, with the selector unless f
// is a constructor.
func DecodeCalldata(f *Function, data []byte) ([]Value, error) {
	if f.Constructor {
		return Decode(f.Inputs, data)
	}
	if f.Raw {
		return nil, nil
	}
	if len(data) < 4 || [4]byte(data) != f.Selector {
		return nil, fmt.Errorf("calldata is not a call of %s", f.Signature)
	}
	return Decode(f.Inputs, data[4:])
}

// DecodeLog reads an event. Indexed inputs of dynamic types become the bytes32
// hash in the topic.
func DecodeLog(e *Event, topics []common.Hash, data []byte) ([]Value, error) {
	if !e.Anonymous {
		if len(topics) == 0 || topics[0] != e.ID {
			return nil, fmt.Errorf("log is not a %s", e.Signature)
		}
		topics = topics[1:]
	}
	var plain []Field
	values := make([]Value, len(e.Inputs))
	for i, f := range e.Inputs {
		if !e.Indexed[i] {
			plain = append(plain, f)
			continue
		}
		if len(topics) == 0 {
			return nil, fmt.Errorf("log of %s: too few topics", e.Signature)
		}
		v, err := topicValue(f.Type, topics[0])
		if err != nil {
			return nil, fmt.Errorf("log of %s: %w", e.Signature, err)
		}
		values[i], topics = v, topics[1:]
	}
	rest, err := Decode(plain, data)
	if err != nil {
		return nil, fmt.Errorf("log of %s: %w", e.Signature, err)
	}
	for i := range values {
		if !e.Indexed[i] {
			values[i], rest = rest[0], rest[1:]
		}
	}
	return values, nil
}

var hashType = &Type{Kind: KindFixedBytes, Size: 32}

func topicValue(t *Type, topic common.Hash) (Value, error) {
	if !t.Elementary() && t.Kind != KindFunction {
		t = hashType
	}
	d := decoder{budget: 1}
	return d.static(t, topic[:])
}

type decoder struct {
	budget int // remaining elements
	bytes  int // remaining bytes of bytes and strings
}

// list reads n values whose heads start at data[0]; offsets are relative to
// there.
func (d *decoder) list(n int, types func(int) *Type, data []byte) ([]Value, error) {
	if d.budget -= n; d.budget < 0 {
		return nil, errOversized
	}
	values := make([]Value, n)
	head := 0
	for i := range values {
		t := types(i)
		size := t.headSize()
		if len(data)-head < size {
			return nil, errShort
		}
		var err error
		if t.Dynamic() {
			values[i], err = d.pointed(t, data, head)
		} else {
			values[i], err = d.static(t, data[head:])
		}
		if err != nil {
			return nil, err
		}
		head += size
	}
	return values, nil
}

// pointed reads a dynamic value whose offset is at data[head].
func (d *decoder) pointed(t *Type, data []byte, head int) (Value, error) {
	off, err := length(data[head:], len(data))
	if err != nil {
		return Value{}, err
	}
	data = data[off:]
	v := Value{Type: t}
	switch t.Kind {
	case KindArray:
		v.Elems, err = d.list(t.Size, func(int) *Type { return t.Elem }, data)
	case KindTuple:
		v.Elems, err = d.list(len(t.Fields), func(i int) *Type { return t.Fields[i].Type }, data)
	case KindSlice:
		v.Elems, err = d.slice(t, data)
	default:
		v.Data, err = d.blob(data)
	}
	return v, err
}

func (d *decoder) slice(t *Type, data []byte) ([]Value, error) {
	n, err := length(data, maxDecoded)
	if err != nil {
		return nil, err
	}
	if size := t.Elem.headSize(); size > 0 && n > (len(data)-32)/size {
		return nil, errShort
	}
	return d.list(n, func(int) *Type { return t.Elem }, data[32:])
}

func (d *decoder) blob(data []byte) ([]byte, error) {
	n, err := length(data, len(data)-32)
	if err != nil {
		return nil, err
	}
	if d.bytes -= n; d.bytes < 0 {
		return nil, errOversized
	}
	return append([]byte{}, data[32:32+n]...), nil
}

// length reads a word of at most limit.
func length(data []byte, limit int) (int, error) {
	if len(data) < 32 {
		return 0, errShort
	}
	if [24]byte(data[:24]) != [24]byte{} {
		return 0, errShort
	}
	n := binary.BigEndian.Uint64(data[24:32])
	if n > uint64(limit) {
		return 0, errShort
	}
	return int(n), nil
}

// static reads a value of a static type; data is long enough.
func (d *decoder) static(t *Type, data []byte) (Value, error) {
	v := Value{Type: t}
	switch t.Kind {
	case KindArray, KindTuple:
		n := t.Size
		if t.Kind == KindTuple {
			n = len(t.Fields)
		}
		if d.budget -= n; d.budget < 0 {
			return v, errOversized
		}
		v.Elems = make([]Value, n)
		at := 0
		for i := range v.Elems {
			elem := t.Elem
			if t.Kind == KindTuple {
				elem = t.Fields[i].Type
			}
			var err error
			if v.Elems[i], err = d.static(elem, data[at:]); err != nil {
				return v, err
			}
			at += elem.staticSize()
		}
		return v, nil
	case KindFunction:
		if [8]byte(data[24:32]) != [8]byte{} {
			return v, errDirty
		}
		v.Data = append([]byte{}, data[:24]...)
		return v, nil
	}
	v.Word.SetBytes32(data[:32])
	if clean := Canonical(t, &v.Word); clean != v.Word {
		return v, errDirty
	}
	return v, nil
}

// Canonical brings a word into the range of an elementary type: it truncates
// and sign-extends.
func Canonical(t *Type, w *uint256.Int) uint256.Int { return wordTypeOf(t).Wrap(w) }
