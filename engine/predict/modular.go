package predict

import "github.com/holiman/uint256"

// Unchecked code computes modulo 2^256, or modulo the width of a narrower type.
// An equality l == r then has the residual f = l-r modulo 2^n, and the cost
// |l-r| is f or -f. If f is linear in the Parameter, two points determine its
// slope, and the inverse of the slope modulo 2^n gives the root.

// modular proposes the root of a linear function modulo 2^n through the two
// points, for both combinations of signs.
func modular(s *LineSearch) []uint256.Int {
	near, far, ok := s.two()
	if !ok {
		return nil
	}
	var list []uint256.Int
	for _, n := range s.widths() {
		for _, sameSign := range [...]bool{true, false} {
			list = append(list, s.modularRoots(near, far, n, sameSign)...)
		}
	}
	return list
}

// widths are the moduli of the code.
func (s *LineSearch) widths() []int {
	if s.axis.bits%8 != 0 || s.axis.bits == 256 {
		return []int{256}
	}
	return []int{256, s.axis.bits}
}

func (s *LineSearch) modularRoots(near, far *sample, n int, sameSign bool) []uint256.Int {
	var run, rise uint256.Int
	run.Sub(&far.x, &near.x)
	if sameSign {
		rise.Sub(&far.c, &near.c)
	} else {
		rise.Add(&far.c, &near.c)
		rise.Neg(&rise)
	}
	slope, width, ok := divideMod(&rise, &run, n)
	if !ok {
		return nil
	}
	slope = signedMinimal(&slope, width)
	if magnitude := absWord(&slope); magnitude.IsZero() || magnitude.BitLen() > n/2 {
		return nil // a coincidence, not a function of the program
	}
	var target uint256.Int
	target.Neg(&near.c)
	step, width, ok := divideMod(&target, &slope, n)
	if !ok {
		return nil
	}
	return s.wrapped(&near.x, &step, n, width)
}

// wrapped lists x+step modulo 2^n and the equivalent x+step+2^width, as far as
// they are on the axis.
func (s *LineSearch) wrapped(x, step *uint256.Int, n, width int) []uint256.Int {
	var list []uint256.Int
	for range 2 {
		var to uint256.Int
		to.Add(x, step)
		if to = lowBits(&to, n); !to.Gt(&s.axis.max) {
			list = append(list, to)
		}
		if width >= n {
			break
		}
		step = new(uint256.Int).Add(step, new(uint256.Int).Lsh(uint256.NewInt(1), uint(width)))
	}
	return list
}

// divideMod solves q·d = a modulo 2^n. The solutions are q plus multiples of
// 2^width; none if d has more factors of two than a.
func divideMod(a, d *uint256.Int, n int) (q uint256.Int, width int, ok bool) {
	num, den := lowBits(a, n), lowBits(d, n)
	if den.IsZero() {
		return q, 0, false
	}
	twos := trailingZeros(&den)
	if !num.IsZero() && trailingZeros(&num) < twos {
		return q, 0, false
	}
	width = n - twos
	num.Rsh(&num, uint(twos))
	den.Rsh(&den, uint(twos))
	inverse := invert(&den)
	q.Mul(&num, &inverse)
	return lowBits(&q, width), width, true
}

// invert returns the inverse of an odd number modulo 2^256 by Newton's
// iteration, which doubles the number of correct bits in each step.
func invert(d *uint256.Int) uint256.Int {
	inverse := *d // correct modulo 2^3
	var t uint256.Int
	two := uint256.NewInt(2)
	for range 7 {
		t.Mul(d, &inverse)
		t.Sub(two, &t)
		inverse.Mul(&inverse, &t)
	}
	return inverse
}

func trailingZeros(x *uint256.Int) int {
	n := 0
	for n < 256 && x[n/64]>>(n%64)&1 == 0 {
		n++
	}
	return n
}

func lowBits(x *uint256.Int, n int) (r uint256.Int) {
	r.Lsh(x, uint(256-n))
	r.Rsh(&r, uint(256-n))
	return r
}

// signedMinimal reads the low n bits of x as two's complement.
func signedMinimal(x *uint256.Int, n int) (r uint256.Int) {
	r.Lsh(x, uint(256-n))
	r.SRsh(&r, uint(256-n))
	return r
}

func absWord(x *uint256.Int) (r uint256.Int) {
	r.Abs(x)
	return r
}
