// Package layout reads solc's storage layout and names storage slots: a
// variable, a struct member, a mapping entry, an array element.
//
// It knows no bytecode and no execution: callers give the preimages of hashes. The rules are those of the Solidity documentation, "Layout of
// State Variables in Storage".
package layout

import "github.com/holiman/uint256"

// Layout is the storage layout of one contract. It is immutable.
type Layout struct {
	Variables []Variable // in order of slot, then offset
	Types     map[string]*Type
}

// A Variable is a state variable, or a member of a struct.
type Variable struct {
	Name     string
	Contract string // that declares it, "File.sol:Name"
	ID       int    // of its declaration in the syntax tree
	Slot     uint256.Int
	Offset   int // bytes from the right of the slot; of a member: Slot counts from the struct's
	Type     *Type
}

// Encoding is the storage encoding of a type.
type Encoding uint8

// The encodings of the layout format.
const (
	Inplace      Encoding = iota // side by side from its slot on
	MappingKeys                  // at keccak(key . slot)
	DynamicArray                 // length in its slot, elements from keccak(slot) on
	ByteString                   // bytes and string: short ones in their slot, long ones from keccak(slot) on
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

// Kind classifies types by the meaning of their words.
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
	KindUserValue // a user-defined value type, of an unknown type
	KindInternalFunction
	KindExternalFunction
	KindString
	KindBytes
	KindMapping
	KindArray // T[N]
	KindSlice // T[]
	KindStruct
)

// Elementary reports whether values of the kind lie within one word.
func (k Kind) Elementary() bool { return k <= KindExternalFunction }

// Signed reports whether words of the kind are two's complement.
func (k Kind) Signed() bool { return k == KindInt }

// width returns the bytes of an elementary type, within 1 and 32.
func (t *Type) width() int {
	if !t.Bytes.IsUint64() || t.Bytes.Uint64() > 32 || t.Bytes.IsZero() {
		return 32
	}
	return int(t.Bytes.Uint64())
}

// slots returns how many slots a type takes, at least 1.
func (t *Type) slots() uint256.Int {
	var n uint256.Int
	n.AddUint64(&t.Bytes, 31)
	n.Rsh(&n, 5)
	if n.IsZero() {
		n.SetOne()
	}
	return n
}
