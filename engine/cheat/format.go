package cheat

import (
	"math/big"
	"strconv"
	"strings"

	"leveret/engine/input"
)

// formatText formats values as hardhat's and forge's console.log: %s, %d, %i, %o, %x,
// %e and %18e take one value each, the other values follow with spaces.
func formatText(spec string, values []input.Value) string {
	var b strings.Builder
	for i := 0; i < len(spec); i++ {
		verb, decimals, size := parseVerb(spec[i:])
		switch {
		case spec[i] != '%' || size == 0:
			b.WriteByte(spec[i])
			continue
		case verb == '%':
			b.WriteByte('%')
		case len(values) == 0:
			b.WriteString(spec[i : i+size])
		default:
			b.WriteString(formatValue(&values[0], verb, decimals))
			values = values[1:]
		}
		i += size - 1
	}
	for i := range values {
		if spec != "" || i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(formatValue(&values[i], 's', -1))
	}
	return b.String()
}

// parseVerb reads "%s" or "%18e" at the front of a text; its size is 0 for other
// text. The decimals are -1 without a number.
func parseVerb(s string) (verb byte, decimals, size int) {
	if len(s) < 2 || s[0] != '%' {
		return 0, 0, 0
	}
	n := 1
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	switch {
	case n == len(s):
		return 0, 0, 0
	case n == 1 && strings.IndexByte("sdioex%", s[1]) >= 0:
		return s[1], -1, 2
	case n > 1 && s[n] == 'e':
		decimals, err := strconv.Atoi(s[1:n])
		if err != nil {
			decimals = -1
		}
		return 'e', decimals, n + 1
	}
	return 0, 0, 0
}

const notNumber = "NaN"

func formatValue(v *input.Value, verb byte, decimals int) string {
	switch {
	case v.Type.Kind == input.KindUint || v.Type.Kind == input.KindInt:
		switch verb {
		case 'x':
			return "0x" + strings.TrimPrefix(strings.TrimPrefix(v.Word.Hex(), "0x"), "0")
		case 'e':
			return scientific(integer(v), decimals)
		}
		return display(v)
	case verb == 's':
		return display(v)
	case verb == 'o':
		return "'" + display(v) + "'"
	case verb == 'd' && v.Type.Kind == input.KindBool:
		return strconv.FormatUint(v.Word.Uint64(), 10)
	case verb == 'x' && v.Type.Kind != input.KindBool && v.Type.Kind != input.KindString:
		return display(v)
	}
	return notNumber
}

// integer returns a number of either sign.
func integer(v *input.Value) *big.Int {
	if v.Type.Kind == input.KindInt {
		return signed(v)
	}
	return v.Word.ToBig()
}

// maxDecimals is the most that divides a number of 256 bits at all.
const maxDecimals = 77

// scientific writes n as "1.5e18", or divided by a power of ten.
func scientific(n *big.Int, decimals int) string {
	sign, digits := "", n.String()
	if n.Sign() < 0 {
		sign, digits = "-", digits[1:]
	}
	exponent := ""
	switch {
	case decimals > maxDecimals:
		return notNumber
	case decimals < 0:
		decimals = len(digits) - 1
		exponent = "e" + strconv.Itoa(decimals)
	}
	whole, fraction := splitDecimals(digits, decimals)
	if fraction = strings.TrimRight(fraction, "0"); fraction != "" {
		whole += "." + fraction
	}
	return sign + whole + exponent
}

// splitDecimals returns the digits before and after the point.
func splitDecimals(digits string, decimals int) (whole, fraction string) {
	if missing := decimals + 1 - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	return digits[:len(digits)-decimals], digits[len(digits)-decimals:]
}

// withUnits writes a number of base units with all decimals.
func withUnits(v *input.Value, decimals *input.Value) string {
	sign, digits := "", integer(v).String()
	if digits[0] == '-' {
		sign, digits = "-", digits[1:]
	}
	if decimals.Word.GtUint64(maxDecimals) {
		return sign + digits
	}
	whole, fraction := splitDecimals(digits, int(decimals.Word.Uint64()))
	if fraction == "" {
		fraction = "0"
	}
	return sign + whole + "." + fraction
}
