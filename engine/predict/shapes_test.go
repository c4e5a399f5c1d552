package predict

import (
	"math/big"
	"math/bits"

	"github.com/holiman/uint256"

	"leveret/engine/cover"
	"leveret/engine/input"
)

// goal is the outcome that the synthetic conditions are about.
var (
	goal    = cover.BranchMetric(3, 0)
	inverse = cover.BranchMetric(2, 0)
)

// A condition computes both sides of a comparison from a word, as contracts
// do: modulo 2^256.
type condition func(x uint256.Int) (l, r uint256.Int)

// costsOf are the costs that HARVEY's metrics give for l == r.
func costsOf(c condition, x uint256.Int) []cover.Cost {
	l, r := c(x)
	if l == r {
		return []cover.Cost{{Metric: inverse, Value: *uint256.NewInt(1)}}
	}
	cost := cover.Cost{Metric: goal}
	absDiff(&cost.Value, &l, &r)
	return []cover.Cost{cost}
}

// costsOfLess are the costs that HARVEY's metrics give for l < r.
func costsOfLess(c condition, x uint256.Int) []cover.Cost {
	l, r := c(x)
	cost := cover.Cost{Metric: inverse}
	absDiff(&cost.Value, &l, &r)
	if !l.Lt(&r) {
		cost.Metric = goal
		cost.Value.AddUint64(&cost.Value, 1)
	}
	return []cover.Cost{cost}
}

func word(s string) uint256.Int {
	n, ok := new(big.Int).SetString(s, 0)
	if !ok {
		panic(s)
	}
	w, _ := uint256.FromBig(n)
	return *w
}

func hexWord(s string) *uint256.Int {
	w := word(s)
	return &w
}

// affine is a·x+b == k modulo 2^256.
func affine(a, b, k string) condition {
	return func(x uint256.Int) (l, r uint256.Int) {
		l.Mul(&x, hexWord(a))
		l.Add(&l, hexWord(b))
		return l, word(k)
	}
}

// parabolic is a·x²+b·x+c == k modulo 2^256.
func parabolic(a, b, c, k string) condition {
	return func(x uint256.Int) (l, r uint256.Int) {
		l.Mul(&x, hexWord(a))
		l.Add(&l, hexWord(b))
		l.Mul(&l, &x)
		l.Add(&l, hexWord(c))
		return l, word(k)
	}
}

var (
	uint8Type   = input.WordType{Bits: 8}
	uint64Type  = input.WordType{Bits: 64}
	uint128Type = input.WordType{Bits: 128}
	uint256Type = input.WordType{Bits: 256}
	int8Type    = input.WordType{Bits: 8, Signed: true}
	int128Type  = input.WordType{Bits: 128, Signed: true}
	int256Type  = input.WordType{Bits: 256, Signed: true}
	bytes8Type  = input.WordType{Bits: 64, Left: true}
	weiType     = input.WordType{Bits: input.WeiBits}
	lengthType  = input.WordType{Bits: 64, Limit: input.MaxElements}
)

// left moves a bytes8 to where uint64(…) has it.
func left(x uint256.Int) uint64 { return x[3] }

var shapes = []struct {
	name string
	t    input.WordType
	cond condition
	rate float64 // of sessions that succeed
	runs float64 // mean inputs of those
}{
	{"x == k", uint256Type, affine("1", "0", "987654321987654321"), 1, 1.6},
	{"x + k == r", uint256Type, affine("1", "77777", "123456789"), 1, 2},
	{"x == 2^255+5", uint256Type, affine("1", "0", "0x8000000000000000000000000000000000000000000000000000000000000005"), 1, 2},
	{"17x+9 == k", uint256Type, affine("17", "9", "123456789012"), 1, 4},
	{"17x+9 == k, root wraps", uint256Type, affine("17", "9", "0xdeadbeef12345678"), 1, 4},
	{"-3x+1 == k", int256Type, affine("-3", "1", "-299"), 1, 4},
	{"0x9e3779b97f4a7c15 x == k", uint256Type, affine("0x9e3779b97f4a7c15", "0", "0x123456789abcdef"), 1, 5},
	{"6x == k", uint256Type, affine("6", "0", "600000000000000006"), 0.9, 5},
	{"uint128: x+5 == k", uint128Type, affine("1", "5", "0x123456789012345678901234567890"), 1, 2},
	{"msg.value == 0.1 ether", weiType, affine("1", "0", "100000000000000000"), 1, 2},
	{"length == 7", lengthType, affine("1", "0", "7"), 1, 2},
	{"int8: x == -77", int8Type, affine("1", "0", "-77"), 1, 3},
	{"uint8: (x+200) % 256 == 3", uint8Type, func(x uint256.Int) (l, r uint256.Int) {
		return uint256.Int{(x[0] + 200) & 0xff}, uint256.Int{3}
	}, 1, 4},
	{"uint64: x*31 % 2^64 == k", uint64Type, func(x uint256.Int) (l, r uint256.Int) {
		return uint256.Int{x[0] * 31}, uint256.Int{0x1234567890abcdef}
	}, 1, 6},
	{"bytes8: uint64(x) == k", bytes8Type, func(x uint256.Int) (l, r uint256.Int) {
		return uint256.Int{left(x)}, uint256.Int{0x0102030405060708}
	}, 1, 2},
	{"bytes8: uint64(x) ^ k == r", bytes8Type, func(x uint256.Int) (l, r uint256.Int) {
		return uint256.Int{left(x) ^ 0x1122334455667788}, uint256.Int{0x0102030405060708 + 7262164059}
	}, 0.95, 130},
	{"uint64: bytes swapped", uint64Type, func(x uint256.Int) (l, r uint256.Int) {
		return uint256.Int{bits.ReverseBytes64(x[0])}, uint256.Int{0x1234567890abcdef}
	}, 0.95, 130},
	{"x & 0xffff == k", uint256Type, func(x uint256.Int) (l, r uint256.Int) {
		return uint256.Int{x[0] & 0xffff}, uint256.Int{0xbeef}
	}, 0.8, 100},
	{"x >> 8 == k", uint256Type, func(x uint256.Int) (l, r uint256.Int) {
		l.Rsh(&x, 8)
		return l, word("0x1234567890")
	}, 1, 8},
	{"x / 1e18 == k", uint256Type, func(x uint256.Int) (l, r uint256.Int) {
		l.Div(&x, uint256.NewInt(1e18))
		return l, word("777777")
	}, 0.95, 8},
	{"x % 1000 == 42", uint256Type, func(x uint256.Int) (l, r uint256.Int) {
		l.Mod(&x, uint256.NewInt(1000))
		return l, word("42")
	}, 0.6, 20},
	{"3x²+7x+101 == 5687", uint256Type, parabolic("3", "7", "101", "5687"), 0.95, 8},
	{"x²+10 == 10010, signed", int256Type, parabolic("1", "0", "10", "10010"), 0.95, 8},
	{"int128: x²-4x == k", int128Type, parabolic("1", "-4", "0", "999999999999999999996000000000000000000000"), 0.95, 8},
	{"-x²+1000x == k", int256Type, parabolic("-1", "1000", "0", "-15365087849"), 0.9, 12},
	{"fee above a threshold", uint256Type, func(x uint256.Int) (l, r uint256.Int) {
		l = x
		if x.GtUint64(1000) {
			l.Sub(&x, uint256.NewInt(30))
		}
		return l, word("5000000")
	}, 1, 4},
}
