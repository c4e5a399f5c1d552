// Package layout reads solc's storage layout and names storage slots: a
// variable, a struct member, a mapping entry, an array element.
//
// It does not depend on bytecode or execution: callers provide the preimages of
// hashes. The rules are those of the Solidity documentation, "Layout of State
// Variables in Storage".
package layout

import "github.com/holiman/uint256"

// Layout is the storage layout of one contract. It is immutable.
type Layout struct {
	Variables []Variable // by slot, then offset
	Types     map[string]*Type
}

// A Variable is a state variable, or a member of a struct.
type Variable struct {
	Name     string
	Contract string // declaring contract, "File.sol:Name"
	ID       int    // id of the declaration in the syntax tree
	Slot     uint256.Int
	Offset   int // bytes from the right of the slot; a member's Slot is relative to the struct
	Type     *Type
}

// Encoding is the storage encoding of a type.
type Encoding uint8

// The encodings of the layout format.
const (
	Inplace      Encoding = iota // packed from the variable's slot on
	MappingKeys                  // at keccak(key . slot)
	DynamicArray                 // length in the slot, elements from keccak(slot) on
	ByteString                   // bytes and string: short values in the slot, long ones from keccak(slot) on
)

// A Type is the type of a variable.
type Type struct {
	ID       string // solc's, "t_array(t_uint8)3_storage"
	Label    string // as in the source, "uint8[3]"
	Encoding Encoding
	Bytes    uint256.Int // size in storage
	Kind     Kind
	Key      *Type      // of a mapping
	Elem     *Type      // of an array, or a mapping's values
	Length   uint64     // of a fixed array
	Members  []Variable // of a struct
}

// Kind classifies types by the interpretation of their words.
type Kind uint8

// The kinds of types.
const (
	KindOther Kind = iota // shown as raw bytes
	KindUint
	KindInt
	KindBool
	KindAddress
	KindContract
	KindEnum
	KindFixedBytes
	KindUserValue // a user-defined value type, of an unknown underlying type
	KindInternalFunction
	KindExternalFunction
	KindString
	KindBytes
	KindMapping
	KindArray // T[N]
	KindSlice // T[]
	KindStruct
)

// Elementary reports whether a value of the kind fits into one word.
func (k Kind) Elementary() bool { return k <= KindExternalFunction }

// Signed reports whether words of the kind are in two's complement.
func (k Kind) Signed() bool { return k == KindInt }

// width returns the size of an elementary type in bytes, from 1 to 32.
func (t *Type) width() int {
	if !t.Bytes.IsUint64() || t.Bytes.Uint64() > 32 || t.Bytes.IsZero() {
		return 32
	}
	return int(t.Bytes.Uint64())
}

// slots returns the number of slots of a type, at least 1.
func (t *Type) slots() uint256.Int {
	var n uint256.Int
	n.AddUint64(&t.Bytes, 31)
	n.Rsh(&n, 5)
	if n.IsZero() {
		n.SetOne()
	}
	return n
}
