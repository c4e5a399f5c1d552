package predict

import (
	"math/big"
	"slices"

	"github.com/holiman/uint256"
)

// flipBits proposes the parent's position with each single bit flipped. It
// finds goals of conditions that mix bits (XOR, masks, shifts, byte order),
// which no curve fits.
func flipBits(s *LineSearch) []uint256.Int {
	n := s.axis.max.BitLen()
	if s.limit < n {
		return nil
	}
	list := make([]uint256.Int, n)
	for b := range list {
		list[b] = flipped(&s.points[0].x, b)
	}
	return list
}

func flipped(x *uint256.Int, bit int) uint256.Int {
	f := *x
	f[bit/64] ^= 1 << (bit % 64)
	return f
}

// A weight is the change of the residual by one bit.
type weight struct {
	bit int
	by  *big.Int
}

// bitwise models the residual as a sum with one weight per bit, a power of two
// if the code only moves or inverts bits, and picks the bits whose weights add
// up to the missing amount.
func bitwise(s *LineSearch) []uint256.Int {
	weights := s.weights()
	if len(weights) < 2 {
		return nil
	}
	slices.SortStableFunc(weights, func(a, b weight) int { return b.by.CmpAbs(a.by) })
	missing := s.points[0].c.ToBig()
	missing.Neg(missing)
	bits, ok := makeUp(missing, weights)
	if !ok {
		return nil
	}
	x := s.points[0].x
	for _, b := range bits {
		x = flipped(&x, b)
	}
	return []uint256.Int{x}
}

// weights derives the weight of each bit from its flip. Costs are absolute, so
// there are two candidates; it prefers powers of two, then the smaller one.
func (s *LineSearch) weights() []weight {
	base := s.points[0].c.ToBig()
	var list []weight
	for b := range s.axis.max.BitLen() {
		x := flipped(&s.points[0].x, b)
		p := s.knows(&x)
		if p == nil || p.lost || p.c == s.points[0].c {
			continue
		}
		c := p.c.ToBig()
		same, other := new(big.Int).Sub(c, base), new(big.Int).Neg(new(big.Int).Add(c, base))
		by := same
		if !isPower(same) && (isPower(other) || other.CmpAbs(same) < 0) {
			by = other
		}
		list = append(list, weight{b, by})
	}
	return list
}

func isPower(n *big.Int) bool {
	return n.Sign() != 0 && int(n.TrailingZeroBits()) == n.BitLen()-1
}

// makeUp finds bits whose weights add up to missing, heaviest first: it takes a
// bit if the lighter ones alone cannot reach the rest.
func makeUp(missing *big.Int, weights []weight) (bits []int, ok bool) {
	low, high := new(big.Int), new(big.Int)
	for _, w := range weights {
		addRange(low, high, w.by, 1)
	}
	left := new(big.Int).Set(missing)
	for _, w := range weights {
		addRange(low, high, w.by, -1)
		if left.Cmp(low) < 0 || left.Cmp(high) > 0 {
			bits = append(bits, w.bit)
			left.Sub(left, w.by)
		}
	}
	return bits, left.Sign() == 0
}

// addRange extends, or with -1 shrinks, the range of the sums of a set of
// weights.
func addRange(low, high, by *big.Int, sign int64) {
	end := high
	if by.Sign() < 0 {
		end = low
	}
	end.Add(end, mul(by, big.NewInt(sign)))
}
