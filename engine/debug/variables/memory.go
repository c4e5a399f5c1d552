package variables

import (
	"fmt"

	"github.com/holiman/uint256"

	"leveret/solc/ast"
)

// memory shows what is in memory: every member and element takes a word, and what is no
// value has its own place, to which the word points [Solidity documentation, "Layout in
// Memory"].
func (r *Reader) memory(v *Value, t *Type, at uint256.Int) {
	switch t.Kind {
	case ast.TypeString, ast.TypeBytes:
		length := read(r.Memory, at)
		v.Text = text(t, bytesAt(r.Memory, plus(at, 32), length), length)
	case ast.TypeSlice:
		length := read(r.Memory, at)
		v.Text = "length " + length.Dec()
		v.Parts = r.memoryElements(t, plus(at, 32), length)
	case ast.TypeArray:
		v.Text = "length " + fmt.Sprint(t.Length)
		v.Parts = r.memoryElements(t, at, *uint256.NewInt(t.Length))
	case ast.TypeStruct:
		r.memoryStruct(v, t, at)
	default:
		v.Text = Unknown
	}
}

func (r *Reader) memoryElements(t *Type, at, length uint256.Int) func() []Value {
	return parts(length, func(i uint64) Value { return r.memoryPart(t.Elem, plus(at, 32*i)) })
}

// memoryPart shows a member or an element.
func (r *Reader) memoryPart(t *Type, at uint256.Int) Value {
	v := Value{Type: t.label()}
	word := read(r.Memory, at)
	if t.value() {
		v.Text = r.elementary(t, word)
		if at.IsUint64() && at.Uint64()+32 <= uint64(len(r.Memory)) {
			v.Form, v.Memory = t.form(), int(at.Uint64())
		}
	} else {
		r.memory(&v, t, word)
	}
	return v
}

func (r *Reader) memoryStruct(v *Value, t *Type, at uint256.Int) {
	members, known := r.Types.members(t)
	if !known {
		v.Text = Unknown
		return
	}
	inMemory := members[:0]
	for _, m := range members {
		if m.t.mappings() == 0 { // before 0.7, mappings are left out
			inMemory = append(inMemory, m)
		}
	}
	v.Text = fmt.Sprintf("{%d}", len(inMemory))
	v.Parts = func() (list []Value) {
		for i, m := range inMemory[:min(len(inMemory), maxParts)] {
			part := r.memoryPart(m.t, plus(at, 32*uint64(i)))
			part.Name = m.name
			list = append(list, part)
		}
		return list
	}
}

// mappings returns 1 for a mapping and arrays of mappings, which are in storage alone.
func (t *Type) mappings() int {
	for ; t != nil; t = t.Elem {
		if t.Kind == ast.TypeMapping {
			return 1
		}
		if t.Kind != ast.TypeArray && t.Kind != ast.TypeSlice {
			break
		}
	}
	return 0
}
