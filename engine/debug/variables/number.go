package variables

import (
	"math/big"
	"strings"
)

// maxDigits bounds the text of a number.
const maxDigits = 200

// ParseNumber reads a whole number, also of more than 256 bits: 1_000, 0xff, 1.5e18, -3.
func ParseNumber(text string) (*big.Int, bool) {
	text = strings.ReplaceAll(text, "_", "")
	if len(text) > maxDigits {
		return nil, false
	}
	if n, ok := new(big.Int).SetString(text, 0); ok {
		return n, true
	}
	digits, exponent, _ := strings.Cut(text, "e")
	power := uint64(0)
	for _, c := range []byte(exponent) {
		if power = 10*power + uint64(c-'0'); c < '0' || c > '9' || power > 77 {
			return nil, false
		}
	}
	whole, fraction, _ := strings.Cut(digits, ".")
	fraction = strings.TrimRight(fraction, "0")
	if !strings.ContainsAny(text, ".e") || uint64(len(fraction)) > power {
		return nil, false
	}
	n, ok := new(big.Int).SetString(whole+fraction, 10)
	if !ok {
		return nil, false
	}
	zeros := new(big.Int).Exp(big.NewInt(10), new(big.Int).SetUint64(power-uint64(len(fraction))), nil)
	return n.Mul(n, zeros), true
}
