package variables

import (
	"fmt"

	"github.com/holiman/uint256"

	"leveret/solc/ast"
)

// calldata shows a parameter in calldata by its words on the stack: the offset, and the
// length of what has one.
func (r *Reader) calldata(v *Value, t *Type, words []uint256.Int) {
	switch at := words[0]; {
	case len(words) == 2:
		r.calldataList(v, t, at, words[1])
	default:
		r.calldataAt(v, t, at)
	}
}

// calldataList shows bytes, a string or a dynamic array whose contents begin at an
// offset.
func (r *Reader) calldataList(v *Value, t *Type, at, length uint256.Int) {
	if t.Kind == ast.TypeSlice {
		v.Text = "length " + length.Dec()
		v.Parts = r.calldataElements(t, at, length)
		return
	}
	v.Text = text(t, bytesAt(r.Calldata, at, length), length)
}

// calldataAt shows what is encoded at an offset [Contract ABI Specification, "Formal
// Specification of the Encoding"].
func (r *Reader) calldataAt(v *Value, t *Type, at uint256.Int) {
	switch t.Kind {
	case ast.TypeString, ast.TypeBytes, ast.TypeSlice:
		r.calldataList(v, t, plus(at, 32), read(r.Calldata, at))
	case ast.TypeArray:
		v.Text = "length " + fmt.Sprint(t.Length)
		v.Parts = r.calldataElements(t, at, *uint256.NewInt(t.Length))
	case ast.TypeStruct:
		r.calldataStruct(v, t, at)
	default:
		v.Text = Unknown
	}
}

// calldataElements returns the elements of an array whose heads begin at an offset.
func (r *Reader) calldataElements(t *Type, at, length uint256.Int) func() []Value {
	size, dynamic, known := r.Types.encoded(t.Elem, 0)
	if !known {
		return nil
	}
	return parts(length, func(i uint64) Value { return r.calldataPart(t.Elem, at, i*size, dynamic) })
}

// calldataPart shows the part of a struct or an array whose head is behind its beginning.
func (r *Reader) calldataPart(t *Type, begin uint256.Int, head uint64, dynamic bool) Value {
	v := Value{Type: t.label()}
	at := plus(begin, head)
	switch word := read(r.Calldata, at); {
	case t.value():
		v.Text = r.elementary(t, word)
	case dynamic:
		begin.Add(&begin, &word)
		r.calldataAt(&v, t, begin)
	default:
		r.calldataAt(&v, t, at)
	}
	return v
}

func (r *Reader) calldataStruct(v *Value, t *Type, at uint256.Int) {
	members, known := r.Types.members(t)
	if _, _, sized := r.Types.encoded(t, 0); !known || !sized {
		v.Text = Unknown
		return
	}
	v.Text = fmt.Sprintf("{%d}", len(members))
	v.Parts = func() (list []Value) {
		head := uint64(0)
		for _, m := range members[:min(len(members), maxParts)] {
			size, dynamic, _ := r.Types.encoded(m.t, 0)
			part := r.calldataPart(m.t, at, head, dynamic)
			part.Name = m.name
			list = append(list, part)
			head += size
		}
		return list
	}
}

// maxNesting bounds the nesting of types.
const maxNesting = 64

// encoded returns the bytes that a type takes in the head of an encoding, and whether
// it is dynamic: then that is the word with its offset. It returns false for types that
// have no encoding, or one that is too large.
func (x *Types) encoded(t *Type, depth int) (size uint64, dynamic, known bool) {
	switch {
	case depth > maxNesting:
		return 0, false, false
	case t.value() && !(t.Kind == ast.TypeFunction && !t.External):
		return 32, false, true
	case t.Kind == ast.TypeString || t.Kind == ast.TypeBytes || t.Kind == ast.TypeSlice:
		return 32, true, true
	case t.Kind == ast.TypeArray:
		size, dynamic, known = x.encoded(t.Elem, depth+1)
		if dynamic || !known {
			return 32, true, known
		}
		const most = 1 << 40
		return size * min(t.Length, most), false, size < most && t.Length < most
	case t.Kind == ast.TypeStruct:
		return x.encodedStruct(t, depth)
	}
	return 0, false, false
}

func (x *Types) encodedStruct(t *Type, depth int) (size uint64, dynamic, known bool) {
	members, known := x.members(t)
	for _, m := range members {
		n, inner, ok := x.encoded(m.t, depth+1)
		size, dynamic, known = size+n, dynamic || inner, known && ok
	}
	if dynamic {
		size = 32
	}
	return size, dynamic, known
}
