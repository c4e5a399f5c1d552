package report

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/input"
)

// longBytes is how many bytes of a value are shown in full to people.
const longBytes = 36

// A wording says how values and addresses are put down: for people, with
// names for the actors and long bytes cut, or exactly.
type wording struct {
	names     map[common.Address]string
	functions []*input.Function // that the witness calls
	exact     bool
}

// newWording is the one for people.
func newWording(s input.Sequence) wording {
	names := creationNames(s)
	for a := range input.Actor(input.ActorCount) {
		names[a.Address()] = a.String()
	}
	w := wording{names: names}
	for _, tx := range s.Txs {
		if tx.Function != nil {
			w.functions = append(w.functions, tx.Function)
		}
	}
	return w
}

// creationNames are the names of a deployment's contracts.
func creationNames(s input.Sequence) map[common.Address]string {
	names := map[common.Address]string{}
	if s.Deployment != nil {
		for _, c := range s.Deployment.Creations {
			names[c.Address] = c.Name
		}
	}
	return names
}

// of names an address, in full if nobody has a name for it.
func (w wording) of(a common.Address) string {
	if name, ok := w.names[a]; ok {
		return name
	}
	return a.Hex()
}

// value renders v as a person would write it in Solidity.
func (w wording) value(v input.Value) string {
	switch v.Type.Kind {
	case input.KindUint:
		return v.Word.Dec()
	case input.KindInt:
		return signed(&v.Word)
	case input.KindAddress:
		if w.exact {
			return v.Address().Hex()
		}
		return w.of(v.Address())
	case input.KindBool:
		return strconv.FormatBool(!v.Word.IsZero())
	case input.KindFixedBytes:
		word := v.Word.Bytes32()
		return hexBytes(word[:v.Type.Size])
	case input.KindString:
		if utf8.Valid(v.Data) && (w.exact || len(v.Data) <= longBytes) {
			return strconv.Quote(string(v.Data))
		}
		return w.bytes(v.Data)
	case input.KindBytes, input.KindFunction:
		return w.bytes(v.Data)
	case input.KindTuple:
		return "(" + w.fields(v.Type.Fields, v.Elems) + ")"
	default:
		return "[" + strings.Join(w.values(v.Elems), ", ") + "]"
	}
}

func (w wording) values(values []input.Value) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = w.value(v)
	}
	return out
}

// fields renders values, for people with the names of their fields.
func (w wording) fields(fields []input.Field, values []input.Value) string {
	parts := w.values(values)
	for i := range parts {
		if !w.exact && i < len(fields) && fields[i].Name != "" {
			parts[i] = fields[i].Name + ": " + parts[i]
		}
	}
	return strings.Join(parts, ", ")
}

func (w wording) bytes(b []byte) string {
	if w.exact || len(b) <= longBytes {
		return hexBytes(b)
	}
	return fmt.Sprintf("%s… (%s bytes)", hexBytes(b[:8]), thousands(len(b)))
}

// hexBytes writes bytes as 0x….
func hexBytes(b []byte) string { return "0x" + hex.EncodeToString(b) }

// signed renders a two's complement word.
func signed(w *uint256.Int) string {
	if w.Sign() >= 0 {
		return w.Dec()
	}
	return "-" + new(uint256.Int).Neg(w).Dec()
}

// ether renders wei in the unit in which it is short.
func ether(wei *uint256.Int) string {
	for _, unit := range []struct {
		name string
		zero int
	}{{"ether", 18}, {"gwei", 9}} {
		// Up to three decimals: 1.5 ether, but not 0.000000000000000001 ether.
		digits := wei.Dec()
		if cut := len(digits) - (unit.zero - 3); cut > 0 && strings.Trim(digits[cut:], "0") == "" {
			return point(digits[:cut], 3) + " " + unit.name
		}
	}
	return wei.Dec() + " wei"
}

// point sets a decimal point before the last places digits and drops zeros
// behind it.
func point(digits string, places int) string {
	if short := places + 1 - len(digits); short > 0 {
		digits = strings.Repeat("0", short) + digits
	}
	cut := len(digits) - places
	return strings.TrimRight(strings.TrimRight(digits[:cut]+"."+digits[cut:], "0"), ".")
}

// thousands renders n with separators.
func thousands[T int | uint64](n T) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// plural renders a count with its noun.
func plural(n uint64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if strings.HasSuffix(noun, "ch") {
		noun += "e"
	}
	return thousands(n) + " " + noun + "s"
}
