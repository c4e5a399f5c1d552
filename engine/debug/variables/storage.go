package variables

import (
	"strconv"

	"github.com/holiman/uint256"

	"leveret/solc/ast"
	"leveret/solc/layout"
)

// stored returns the layout of a type in storage [Solidity documentation, "Layout of
// State Variables in Storage"]; nil if it is not known.
func (x *Types) stored(t *Type) *layout.Type {
	return (&storing{x, map[*ast.Node]*layout.Type{}}).layout(t)
}

// storing lays out a type. Structs may contain themselves in mappings and arrays.
type storing struct {
	*Types
	structs map[*ast.Node]*layout.Type
}

func (x *storing) layout(t *Type) *layout.Type {
	l := &layout.Type{Label: t.label(), Kind: kinds[t.Kind]}
	l.ID = l.Label
	switch t.Kind {
	case ast.TypeString, ast.TypeBytes:
		l.Encoding = layout.ByteString
	case ast.TypeMapping:
		l.Encoding = layout.MappingKeys
		l.Key, l.Elem = x.layout(t.Key), x.layout(t.Elem)
		if l.Key == nil || l.Elem == nil {
			return nil
		}
	case ast.TypeSlice:
		l.Encoding = layout.DynamicArray
		if l.Elem = x.layout(t.Elem); l.Elem == nil {
			return nil
		}
	case ast.TypeArray:
		return x.array(l, t)
	case ast.TypeStruct:
		return x.aStruct(l, t)
	default:
		return valueLayout(l, t)
	}
	l.Bytes.SetUint64(32)
	return l
}

// valueLayout completes the layout of a value type.
func valueLayout(l *layout.Type, t *Type) *layout.Type {
	switch t.Kind {
	case ast.TypeBool:
		l.Bytes.SetUint64(1)
	case ast.TypeAddress, ast.TypeContract:
		l.Bytes.SetUint64(20)
	case ast.TypeUint, ast.TypeInt, ast.TypeFixedBytes:
		l.Bytes.SetUint64(uint64(t.Bits / 8))
	case ast.TypeEnum:
		n := len(t.values())
		if n == 0 {
			return nil
		}
		size := uint64(1)
		for n > 256 {
			n, size = n>>8, size+1
		}
		l.Bytes.SetUint64(size)
	case ast.TypeFunction:
		l.Kind = layout.KindInternalFunction
		l.Bytes.SetUint64(8)
		if t.External {
			l.Kind = layout.KindExternalFunction
			l.Bytes.SetUint64(24)
		}
	default:
		return nil
	}
	return l
}

// words returns the slots of a type as a number of bytes.
func roundUp(bytes uint256.Int) (slots uint256.Int) {
	slots.AddUint64(&bytes, 31)
	return *slots.Rsh(&slots, 5)
}

func (x *storing) array(l *layout.Type, t *Type) *layout.Type {
	if l.Elem = x.layout(t.Elem); l.Elem == nil {
		return nil
	}
	l.Length = t.Length
	slots := roundUp(l.Elem.Bytes)
	if l.Elem.Kind.Elementary() {
		each := 32 / l.Elem.Bytes.Uint64()
		slots.SetUint64(t.Length / each)
		if t.Length%each > 0 {
			slots.AddUint64(&slots, 1)
		}
	} else {
		slots.Mul(&slots, uint256.NewInt(t.Length))
	}
	l.Bytes.Lsh(&slots, 5)
	return l
}

func (x *storing) aStruct(l *layout.Type, t *Type) *layout.Type {
	if known := x.structs[t.Declaration]; known != nil {
		return known
	}
	members, known := x.members(t)
	if !known {
		return nil
	}
	l.ID += strconv.Itoa(t.Declaration.ID)
	x.structs[t.Declaration] = l
	var slot uint256.Int
	offset := uint64(0)
	for _, m := range members {
		inner := x.layout(m.t)
		if inner == nil {
			return nil
		}
		size := inner.Bytes.Uint64()
		packed := inner.Kind.Elementary()
		if offset > 0 && (!packed || offset+size > 32) {
			slot.AddUint64(&slot, 1)
			offset = 0
		}
		l.Members = append(l.Members, layout.Variable{Name: m.name, Slot: slot, Offset: int(offset), Type: inner})
		if packed {
			offset += size
			continue
		}
		slots := roundUp(inner.Bytes)
		slot.Add(&slot, &slots)
	}
	if offset > 0 {
		slot.AddUint64(&slot, 1)
	}
	l.Bytes.Lsh(&slot, 5)
	return l
}
