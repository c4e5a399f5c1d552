package words

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/holiman/uint256"

	"leveret/engine/input"
)

// longBytes is how many bytes of a value are shown in full to people.
const longBytes = 36

// A wording says how values are put down for people: as input.Names does, but
// with the names of parameters and with long bytes cut.
type wording struct {
	*input.Names
	functions []*input.Function // that the witness calls
}

func newWording(s input.Sequence) wording {
	w := wording{Names: input.NewNames(s.Deployment)}
	for _, tx := range s.Txs {
		if tx.Function != nil {
			w.functions = append(w.functions, tx.Function)
		}
	}
	return w
}

// value renders v as a person would write it in Solidity.
func (w wording) value(v input.Value) string {
	switch v.Type.Kind {
	case input.KindUint, input.KindInt:
		return Number(w.Format(v))
	case input.KindAddress:
		if v.Word.IsZero() {
			return "address(0)"
		}
	case input.KindFixedBytes:
		if v.Word.IsZero() && v.Type.Size > 8 {
			return v.Type.String() + "(0)"
		}
	case input.KindString:
		if len(v.Data) > longBytes {
			return fmt.Sprintf("%s… (%s bytes)", strconv.Quote(string(v.Data[:longBytes])), Thousands(len(v.Data)))
		}
	case input.KindBytes, input.KindFunction:
		return shortBytes(v.Data)
	case input.KindTuple:
		return "(" + w.fields(v.Type.Fields, v.Elems) + ")"
	case input.KindArray, input.KindSlice:
		return "[" + w.fields(nil, v.Elems) + "]"
	}
	return w.Format(v)
}

// fields renders values with the names of their fields, where there are any.
func (w wording) fields(fields []input.Field, values []input.Value) string {
	var parts []string
	for i, v := range values {
		part := w.value(v)
		if i < len(fields) && fields[i].Name != "" {
			part = fields[i].Name + ": " + part
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ", ")
}

func shortBytes(b []byte) string {
	if len(b) <= longBytes {
		return "0x" + hex.EncodeToString(b)
	}
	return fmt.Sprintf("0x%x… (%s bytes)", b[:8], Thousands(len(b)))
}

// ether renders wei in the unit in which it is short, "1.5 ether".
func ether(wei *uint256.Int) string {
	s := input.FormatWei(wei)
	unit := strings.IndexFunc(s, func(r rune) bool { return r >= 'a' })
	if unit < 0 {
		return s + " wei"
	}
	return s[:unit] + " " + s[unit:]
}

// Thousands renders n with separators.
func Thousands[T int | uint64](n T) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Plural renders a count with its noun.
func Plural(n uint64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if strings.HasSuffix(noun, "ch") {
		noun += "e"
	}
	return Thousands(n) + " " + noun + "s"
}
