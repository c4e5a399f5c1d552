package words

import (
	"fmt"
	"math/big"
	"strings"
)

// Number shortens a long decimal exactly, in Solidity's notation: 5e21,
// 2**255 - 19.
func Number(digits string) string {
	const long = 12
	sign := ""
	if rest, negative := strings.CutPrefix(digits, "-"); negative {
		sign, digits = "-", rest
	}
	if len(digits) < long {
		return sign + digits
	}
	if round := strings.TrimRight(digits, "0"); len(digits)-len(round) >= long/2 {
		return fmt.Sprintf("%s%se%d", sign, round, len(digits)-len(round))
	}
	n, ok := new(big.Int).SetString(digits, 10)
	if !ok || n.BitLen() < 64 {
		return sign + digits
	}
	for _, bits := range []int{n.BitLen() - 1, n.BitLen()} {
		power := new(big.Int).Lsh(big.NewInt(1), uint(bits))
		switch off := new(big.Int).Sub(n, power); {
		case off.Sign() == 0:
			return signedPower(sign, fmt.Sprintf("2**%d", bits))
		case off.BitLen() <= 16 && off.Sign() > 0:
			return signedPower(sign, fmt.Sprintf("2**%d + %d", bits, off))
		case off.BitLen() <= 16:
			return signedPower(sign, fmt.Sprintf("2**%d - %d", bits, off.Neg(off)))
		}
	}
	return sign + digits
}

func signedPower(sign, expression string) string {
	if sign != "" {
		return sign + "(" + expression + ")"
	}
	return expression
}
