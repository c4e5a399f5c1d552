package input

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Zero returns the type's default value: zeros, empty, false.
func Zero(t *Type) Value {
	v := Value{Type: t}
	switch t.Kind {
	case KindArray:
		v.Elems = make([]Value, t.Size)
		for i := range v.Elems {
			v.Elems[i] = Zero(t.Elem)
		}
	case KindTuple:
		v.Elems = make([]Value, len(t.Fields))
		for i := range v.Elems {
			v.Elems[i] = Zero(t.Fields[i].Type)
		}
	case KindFunction:
		v.Data = make([]byte, 24)
	}
	return v
}

// NewWord returns a value of an elementary type; the word is brought into
// range.
func NewWord(t *Type, w *uint256.Int) Value { return Value{Type: t, Word: Canonical(t, w)} }

// NewAddress returns a value of type address.
func NewAddress(a common.Address) Value {
	v := Value{Type: addressType}
	v.Word.SetBytes20(a[:])
	return v
}

var addressType = &Type{Kind: KindAddress}

// Address returns the address that a word of KindAddress holds.
func (v *Value) Address() common.Address { return common.Address(v.Word.Bytes20()) }

// Equal compares values by type name and content.
func (v *Value) Equal(w *Value) bool {
	if !v.Type.Same(w.Type) {
		return false
	}
	if v.Content != w.Content && (v.Content == nil || w.Content == nil || v.Content.Signature != w.Content.Signature) {
		return false
	}
	if v.Word != w.Word || !bytes.Equal(v.Data, w.Data) || len(v.Elems) != len(w.Elems) {
		return false
	}
	for i := range v.Elems {
		if !v.Elems[i].Equal(&w.Elems[i]) {
			return false
		}
	}
	return true
}

// Check tells what is wrong with a value that was put together by hand: its
// shape is not its type's, or a word is out of range.
func (v *Value) Check() error {
	if v.Type == nil {
		return errors.New("value without a type")
	}
	elems := 0
	switch v.Type.Kind {
	case KindArray:
		elems = v.Type.Size
	case KindTuple:
		elems = len(v.Type.Fields)
	case KindSlice:
		elems = len(v.Elems)
	case KindFunction:
		if len(v.Data) != 24 {
			return errors.New("function value of other than 24 bytes")
		}
	case KindBytes, KindString:
		if v.Content != nil {
			elems = len(v.Content.Fields)
		}
	default:
		if clean := Canonical(v.Type, &v.Word); clean != v.Word {
			return fmt.Errorf("%s out of range for %s", v.Word.Hex(), v.Type)
		}
	}
	if len(v.Elems) != elems {
		return fmt.Errorf("%d elements in %s", len(v.Elems), v.Type)
	}
	for i := range v.Elems {
		if err := v.Elems[i].Check(); err != nil {
			return err
		}
	}
	return nil
}

// Renamed returns values with another address in the place of one; false if they do not
// have it.
func Renamed(values []Value, who, other common.Address) (list []Value, found bool) {
	list = slices.Clone(values)
	for i := range list {
		v := &list[i]
		if v.Type.Kind == KindAddress && v.Address() == who {
			*v, found = NewAddress(other), true
			continue
		}
		if elements, ok := Renamed(v.Elems, who, other); ok {
			v.Elems, found = elements, true
		}
	}
	return list, found
}
