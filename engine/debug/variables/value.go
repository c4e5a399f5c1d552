package variables

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/holiman/uint256"

	"leveret/solc/ast"
	"leveret/solc/layout"
)

// A Value is a variable, or a part of one, as it is shown.
type Value struct {
	Name, Type, Text string
	Storage          *Reference     // of what is in storage
	Parts            func() []Value // members, elements; nil: none
	Form             *Form          // how it is written, if it is a word on the stack or in memory; nil: it is not
	Memory           int            // byte of memory where it begins; -1: it is on the stack
}

// A Reference is a variable in storage: a slot, and the type there.
type Reference struct {
	Slot uint256.Int
	Type *layout.Type
}

// A Reader decodes values of a frame.
type Reader struct {
	Types    *Types
	Memory   []byte
	Calldata []byte
	Account  func(common.Address) string // names an address
	Function func(pc uint64) string      // names the internal function whose code begins at a pc; empty: unknown
}

// Unknown is shown in place of values that are not known.
const Unknown = "optimised out"

// Limits of what is shown of a value.
const (
	maxParts = 1000 // of an array, or a struct
	maxText  = 1024 // bytes of a string
	maxBytes = 256  // bytes of others
)

// Local returns the value of a variable from its words on the stack.
func (r *Reader) Local(declaration *ast.Node, words []uint256.Int) Value {
	t := r.Types.Of(declaration)
	v := Value{Name: declaration.Name(), Type: t.label(), Memory: -1}
	if declaration.Type == ast.YulTypedName {
		v.Text, v.Form = words[0].Hex(), t.form()
		return v
	}
	switch {
	case t.Kind == ast.TypeFunction && t.External:
		v.Text = r.external(common.Address(words[0].Bytes20()), uint32(words[1].Uint64()))
	case t.value():
		v.Text, v.Form = r.elementary(t, words[0]), t.form()
	case t.Location == "memory":
		r.memory(&v, t, words[0])
	case t.Location == "calldata":
		r.calldata(&v, t, words)
	case t.Location == "storage":
		r.storage(&v, t, words[0])
	default:
		v.Text = Unknown
	}
	return v
}

// form returns how values of a type are written; nil if they cannot be set.
func (t *Type) form() *Form {
	width := t.Bits / 8
	switch t.Kind {
	case ast.TypeAddress, ast.TypeContract:
		width = 20
	case ast.TypeBool, ast.TypeEnum:
		width = 1
	}
	return NewForm(kinds[t.Kind], width, t.label(), t.values())
}

// StoredForm returns how a field of storage is written; nil if it cannot be set.
func (x *Types) StoredForm(f layout.Field) *Form {
	kind, label := f.Kind, f.Type.Label
	var members []string
	switch {
	case f.Data:
		return nil
	case kind == layout.KindEnum:
		t := Type{Type: ast.Type{Kind: ast.TypeEnum}, Declaration: x.declaration(nil, strings.TrimPrefix(label, "enum "))}
		members = t.values()
	case kind == layout.KindUserValue:
		if d := x.declaration(nil, label); d != nil && d.Child("underlyingType") != nil {
			under := d.Child("underlyingType")
			kind = kinds[x.written(under, under.ValueType()).Kind]
		}
	case f.Type.Kind == layout.KindSlice:
		label = "uint256" // its length
	}
	return NewForm(kind, f.Width, label, members)
}

// storage shows a reference to storage.
func (r *Reader) storage(v *Value, t *Type, slot uint256.Int) {
	stored := r.Types.stored(t)
	if stored == nil {
		v.Text = Unknown
		return
	}
	v.Storage, v.Text = &Reference{slot, stored}, "at slot "+slot.Hex()
}

// kinds are those of storage, by those of the syntax tree.
var kinds = map[ast.TypeKind]layout.Kind{
	ast.TypeUint: layout.KindUint, ast.TypeInt: layout.KindInt, ast.TypeBool: layout.KindBool, ast.TypeAddress: layout.KindAddress,
	ast.TypeContract: layout.KindContract, ast.TypeEnum: layout.KindEnum, ast.TypeFixedBytes: layout.KindFixedBytes,
	ast.TypeString: layout.KindString, ast.TypeBytes: layout.KindBytes, ast.TypeMapping: layout.KindMapping,
	ast.TypeArray: layout.KindArray, ast.TypeSlice: layout.KindSlice, ast.TypeStruct: layout.KindStruct,
}

// elementary formats a value in a word as on the stack, but external functions as in
// memory. Bits that do not belong to the type are left out, as code does.
func (r *Reader) elementary(t *Type, word uint256.Int) string {
	switch t.Kind {
	case ast.TypeBool:
		return strconv.FormatBool(!word.IsZero())
	case ast.TypeAddress, ast.TypeContract:
		return r.account(common.Address(word.Bytes20()))
	case ast.TypeFunction:
		if t.External {
			word.Rsh(&word, 64)
			selector := uint32(word.Uint64())
			word.Rsh(&word, 32)
			return r.external(common.Address(word.Bytes20()), selector)
		}
		return r.internal(word)
	case ast.TypeEnum:
		return (&Form{Members: t.values()}).Named(word.Dec())
	case ast.TypeFixedBytes:
		word.Rsh(&word, uint(256-t.Bits))
	}
	return layout.Field{Kind: kinds[t.Kind], Width: t.Bits / 8}.Format(word)
}

func (r *Reader) account(a common.Address) string {
	if r.Account == nil {
		return a.Hex()
	}
	return r.Account(a)
}

func (r *Reader) external(a common.Address, selector uint32) string {
	return fmt.Sprintf("%s.0x%08x", a.Hex(), selector)
}

// internal shows where the code of an internal function begins. In storage and creation
// code, that in the creation code precedes it by 32 bits.
func (r *Reader) internal(word uint256.Int) string {
	text := word.Dec()
	if r.Function != nil && word.IsUint64() {
		if name := r.Function(word.Uint64()); name != "" {
			text += " (" + name + ")"
		}
	}
	return text
}

// text shows the bytes of a string or bytes of a length.
func text(t *Type, data []byte, length uint256.Int) string {
	if t.Kind == ast.TypeString {
		shown := data[:min(len(data), maxText)]
		if !utf8.Valid(shown) && len(data) <= maxText {
			return "hex" + strconv.Quote(fmt.Sprintf("%x", shown)) + more(shown, length)
		}
		return strconv.Quote(string(shown)) + more(shown, length)
	}
	shown := data[:min(len(data), maxBytes)]
	return hexutil.Encode(shown) + more(shown, length)
}

// more says that there are more bytes than shown.
func more(shown []byte, length uint256.Int) string {
	if length.IsUint64() && length.Uint64() == uint64(len(shown)) {
		return ""
	}
	return "… (" + length.Dec() + " bytes)"
}

// parts returns the elements of an array, as many as are shown.
func parts(length uint256.Int, element func(i uint64) Value) func() []Value {
	if length.IsZero() {
		return nil
	}
	shown := uint64(maxParts)
	if length.LtUint64(shown) {
		shown = length.Uint64()
	}
	return func() []Value {
		list := make([]Value, shown)
		for i := range list {
			list[i] = element(uint64(i))
			list[i].Name = fmt.Sprintf("[%d]", i)
		}
		return list
	}
}

// read returns a word of bytes; those behind the end are 0.
func read(data []byte, at uint256.Int) (word uint256.Int) {
	var buffer [32]byte
	copy(buffer[:], slice(data, at, 32))
	word.SetBytes32(buffer[:])
	return word
}

// slice returns up to n bytes from an offset, fewer at the end.
func slice(data []byte, at uint256.Int, n int) []byte {
	if !at.LtUint64(uint64(len(data))) {
		return nil
	}
	from := int(at.Uint64())
	return data[from:min(len(data), from+n)]
}

// bytesAt returns the first bytes of a string of a length, as many as are shown; those
// behind the end of data are 0.
func bytesAt(data []byte, at, length uint256.Int) []byte {
	n := maxText
	if length.LtUint64(maxText) {
		n = int(length.Uint64())
	}
	out := make([]byte, n)
	copy(out, slice(data, at, n))
	return out
}

// plus returns a + b; wrapping is harmless, as nothing is there.
func plus(a uint256.Int, b uint64) uint256.Int {
	a.AddUint64(&a, b)
	return a
}
