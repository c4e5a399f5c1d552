package input

import (
	"encoding/hex"
	"fmt"
	"strconv"

	"github.com/holiman/uint256"
)

// String formats v without contract names; see Names.Format.
func (v Value) String() string { return (*Names)(nil).Format(v) }

// Format formats a value: integers in decimal, addresses by name if they have
// one, bytes in hexadecimal, strings quoted, arrays in [ ], tuples in ( ).
// Names.Parse is the inverse.
func (n *Names) Format(v Value) string { return string(n.appendValue(nil, &v)) }

func (n *Names) appendValue(dst []byte, v *Value) []byte {
	switch v.Type.Kind {
	case KindUint:
		return append(dst, v.Word.Dec()...)
	case KindInt:
		return append(dst, wordTypeOf(v.Type).Integer(&v.Word).String()...)
	case KindAddress:
		return append(dst, n.Address(v.Address())...)
	case KindBool:
		return strconv.AppendBool(dst, !v.Word.IsZero())
	case KindFixedBytes:
		b := v.Word.Bytes32()
		return appendHex(dst, b[:v.Type.Size])
	case KindBytes, KindFunction:
		if v.Content != nil {
			return n.appendContent(dst, v)
		}
		return n.appendBytes(dst, v.Data)
	case KindString:
		if n != nil && n.brief && len(v.Data) > longText {
			return fmt.Appendf(dst, "%q… (%d bytes)", v.Data[:longText], len(v.Data))
		}
		return strconv.AppendQuote(dst, string(v.Data))
	case KindTuple:
		return n.appendList(dst, "()", v.Elems)
	}
	return n.appendList(dst, "[]", v.Elems)
}

func (n *Names) appendList(dst []byte, brackets string, values []Value) []byte {
	dst = append(dst, brackets[0])
	for i := range values {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		if i == longList && n != nil && n.brief {
			dst = fmt.Appendf(dst, "… (%d in all)", len(values))
			break
		}
		dst = n.appendValue(dst, &values[i])
	}
	return append(dst, brackets[1])
}

// appendBytes appends data in hexadecimal, shortened if n is brief.
func (n *Names) appendBytes(dst, data []byte) []byte {
	if n != nil && n.brief && len(data) > longBytes {
		return fmt.Appendf(dst, "0x%x… (%d bytes)", data[:8], len(data))
	}
	return appendHex(dst, data)
}

func appendHex(dst, data []byte) []byte {
	return hex.AppendEncode(append(dst, "0x"...), data)
}

var weiUnits = [...]struct {
	name     string
	decimals int
}{{"ether", 18}, {"gwei", 9}, {"wei", 0}}

// FormatWei formats an amount in the largest unit that needs at most three
// decimals: "1ether", "0.001ether", "5gwei", "7wei", "0".
func FormatWei(w *uint256.Int) string {
	if w.IsZero() {
		return "0"
	}
	for _, u := range weiUnits {
		places := min(u.decimals, 3)
		step := pow10(u.decimals - places)
		var q, r uint256.Int
		if q.DivMod(w, &step, &r); !r.IsZero() {
			continue
		}
		digits := q.Dec()
		for len(digits) <= places {
			digits = "0" + digits
		}
		whole, part := digits[:len(digits)-places], digits[len(digits)-places:]
		for part != "" && part[len(part)-1] == '0' {
			part = part[:len(part)-1]
		}
		if part != "" {
			whole += "." + part
		}
		return whole + u.name
	}
	return w.Dec() // not reached: every amount is a number of wei
}

func pow10(n int) uint256.Int {
	ten, p := uint256.NewInt(10), uint256.NewInt(1)
	for ; n > 0; n-- {
		p.Mul(p, ten)
	}
	return *p
}
