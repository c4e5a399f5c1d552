package layout

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/holiman/uint256"
)

// A Field is a named part of a storage word.
type Field struct {
	Path   string // "pool.fee", "codes[3]", "codes.length", "label[32:64]"
	Type   *Type  // type at Path; for the length of an array, the array's
	Kind   Kind   // interpretation of the bytes: KindUint for a length
	Offset int    // bytes from the right of the word
	Width  int    // bytes
	Data   bool   // 32 text bytes of a long string; else a KindString or KindBytes word has the text or the length
}

// Signed reports whether the field is in two's complement.
func (f Field) Signed() bool { return f.Kind.Signed() }

// Value extracts the field from a word, right-aligned and sign-extended if
// signed. Fixed bytes are right-aligned too, as in storage.
func (f Field) Value(word uint256.Int) uint256.Int {
	word.Rsh(&word, uint(8*f.Offset))
	if f.Width < 32 {
		mask := f.mask()
		word.And(&word, &mask)
		if f.Signed() {
			word.ExtendSign(&word, uint256.NewInt(uint64(f.Width-1)))
		}
	}
	return word
}

// Insert returns word with the field set to value, truncated to the field's
// width.
func (f Field) Insert(word, value uint256.Int) uint256.Int {
	mask := f.mask()
	value.And(&value, &mask)
	value.Lsh(&value, uint(8*f.Offset))
	mask.Lsh(&mask, uint(8*f.Offset))
	mask.Not(&mask)
	word.And(&word, &mask)
	return *word.Or(&word, &value)
}

// mask returns a right-aligned mask of the field's width.
func (f Field) mask() uint256.Int {
	var m uint256.Int
	m.SetAllOne()
	return *m.Rsh(&m, uint(8*(32-f.Width)))
}

// Format formats the field of a word: numbers in decimal, addresses with
// checksum, fixed bytes in hex, text quoted. For long strings, whose text is in
// other slots, it returns the length.
func (f Field) Format(word uint256.Int) string {
	if f.Kind == KindString || f.Kind == KindBytes {
		return f.formatBytes(word)
	}
	return format(f.Kind, f.Value(word), f.Width)
}

func (f Field) formatBytes(word uint256.Int) string {
	data := word.Bytes32()
	text := data[:]
	if !f.Data {
		if data[31]&1 == 1 {
			word.Rsh(&word, 1)
			return fmt.Sprintf("(%s bytes)", word.Dec())
		}
		text = data[:min(31, data[31]/2)]
	}
	if f.Kind == KindString {
		if f.Data {
			text = []byte(strings.TrimRight(string(text), "\x00"))
		}
		return strconv.Quote(string(text))
	}
	return hexutil.Encode(text)
}

// format formats a right-aligned elementary value.
func format(kind Kind, value uint256.Int, width int) string {
	bytes := value.Bytes32()
	tail := bytes[32-width:]
	switch kind {
	case KindInt:
		if value.Sign() < 0 {
			value.Neg(&value)
			return "-" + value.Dec()
		}
		return value.Dec()
	case KindBool:
		if value.IsZero() {
			return "false"
		}
		if value.IsUint64() && value.Uint64() == 1 {
			return "true"
		}
		return "true (" + value.Dec() + ")"
	case KindAddress, KindContract:
		return common.BytesToAddress(tail).Hex()
	case KindExternalFunction:
		if width == 24 {
			return common.BytesToAddress(tail[:20]).Hex() + "." + hexutil.Encode(tail[20:])
		}
	case KindUint, KindEnum, KindUserValue, KindInternalFunction:
		return value.Dec()
	}
	return hexutil.Encode(tail)
}
