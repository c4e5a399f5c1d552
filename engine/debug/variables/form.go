package variables

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/holiman/uint256"

	"leveret/solc/layout"
)

// A Form is how a value that takes one word, or a part of one, is written.
type Form struct {
	Kind    layout.Kind
	Width   int      // bytes
	Label   string   // of the type
	Members []string // of an enum
}

// Member returns the number of a member of an enum, "Open" or "State.Open".
func (f *Form) Member(name string) (uint64, bool) {
	name = name[strings.LastIndexByte(name, '.')+1:]
	for i, m := range f.Members {
		if m == name {
			return uint64(i), true
		}
	}
	return 0, false
}

// Named adds the name of a member of an enum to its number, which is text.
func (f *Form) Named(text string) string {
	if n, err := strconv.Atoi(text); err == nil && n < len(f.Members) {
		text += " (" + f.Members[n] + ")"
	}
	return text
}

// Parse reads a value as Value.Text has it. It returns it aligned to the right.
func (f *Form) Parse(text string) (value uint256.Int, err error) {
	switch f.Kind {
	case layout.KindBool:
		if text == "true" {
			value.SetOne()
		}
		if text != "true" && text != "false" {
			return value, f.wrong(text, "true or false")
		}
		return value, nil
	case layout.KindAddress, layout.KindContract:
		return f.bytes(text, 20)
	case layout.KindFixedBytes:
		return f.bytes(text, f.Width)
	}
	n, ok := ParseNumber(text)
	if !ok {
		return value, f.wrong(text, "a number")
	}
	low, high := f.limits()
	if n.Cmp(low) < 0 || n.Cmp(high) > 0 {
		return value, fmt.Errorf("%s is out of range: %s is from %s to %s", short(text), f.Label, low, high)
	}
	value.SetFromBig(n) // modulo 2^256: two's complement
	return value, nil
}

// bytes reads bytes of a width.
func (f *Form) bytes(text string, width int) (value uint256.Int, err error) {
	data, err := hexutil.Decode(text)
	if err != nil || len(data) != width {
		return value, f.wrong(text, fmt.Sprintf("0x and %d hexadecimal digits", 2*width))
	}
	return *value.SetBytes(data), nil
}

// limits returns the range of a number.
func (f *Form) limits() (low, high *big.Int) {
	one := big.NewInt(1)
	switch bits := uint(8 * f.Width); {
	case len(f.Members) > 0:
		return new(big.Int), big.NewInt(int64(len(f.Members) - 1))
	case f.Kind == layout.KindInt:
		half := new(big.Int).Lsh(one, bits-1)
		return new(big.Int).Neg(half), new(big.Int).Sub(half, one)
	default:
		high = new(big.Int).Lsh(one, bits)
		return new(big.Int), high.Sub(high, one)
	}
}

func (f *Form) wrong(text, want string) error {
	return fmt.Errorf("%s is no value of %s, which is %s", short(text), f.Label, want)
}

// short shortens a text of a user.
func short(text string) string {
	const most = 80
	if len(text) > most {
		return text[:most] + "…"
	}
	return text
}

// Align returns a value, which is aligned to the right, as it is on the stack and in
// memory.
func (f *Form) Align(value uint256.Int) uint256.Int {
	if f.Kind == layout.KindFixedBytes {
		value.Lsh(&value, uint(8*(32-f.Width)))
	}
	return value
}

// settable reports whether Parse reads values of a kind.
func settable(kind layout.Kind) bool {
	switch kind {
	case layout.KindUint, layout.KindInt, layout.KindBool, layout.KindAddress, layout.KindContract, layout.KindEnum, layout.KindFixedBytes:
		return true
	}
	return false
}

// NewForm returns the Form of a type of a kind; nil if its values cannot be set.
func NewForm(kind layout.Kind, width int, label string, members []string) *Form {
	if !settable(kind) || width < 1 || width > 32 {
		return nil
	}
	return &Form{Kind: kind, Width: width, Label: label, Members: members}
}
