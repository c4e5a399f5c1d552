package predict

import (
	"math/big"
	"slices"

	"github.com/holiman/uint256"
)

// probe proposes the two positions next to the parent's, on a side with two.
// Three equally spaced points determine a quadratic polynomial without
// division, so also modulo 2^n.
func probe(s *LineSearch) []uint256.Int {
	base := s.points[0].x
	first, _ := s.move(&base, uint256.NewInt(1), s.upwards())
	second, _ := s.move(&base, uint256.NewInt(2), s.upwards())
	return []uint256.Int{first, second}
}

// upwards reports on which side of the parent the probes are.
func (s *LineSearch) upwards() bool {
	var room uint256.Int
	room.Sub(&s.axis.max, &s.points[0].x)
	return !room.LtUint64(2)
}

// fit models the parent and the probes as a polynomial ax²+bx+c modulo 2^n in
// the integer x, with the smallest coefficients. If it passes through all other
// points, fit proposes its roots: over the integers, and for lines modulo 2^n.
func fit(s *LineSearch) []uint256.Int {
	base := s.points[0]
	up := s.upwards()
	first, _ := s.move(&base.x, uint256.NewInt(1), up)
	second, _ := s.move(&base.x, uint256.NewInt(2), up)
	p, q := s.knows(&first), s.knows(&second)
	if p == nil || q == nil || p.lost || q.lost || s.axis.max.LtUint64(2) {
		return nil
	}
	var list []uint256.Int
	for _, n := range s.widths() {
		for _, signs := range signPatterns {
			f := polynomialThrough(s, [3]*sample{&base, p, q}, signs, n, up)
			if f == nil || !f.passes(s) {
				continue
			}
			for _, x := range f.roots(s) {
				if !slices.Contains(list, x) {
					list = append(list, x)
				}
			}
		}
	}
	return list
}

// A polynomial is ax²+bx+c modulo 2^n, coefficients in two's complement.
type polynomial struct {
	a, b, c uint256.Int
	n       int
}

// polynomialThrough fits three samples at distances 0, 1, 2 in one direction.
func polynomialThrough(s *LineSearch, p [3]*sample, signs [3]int, n int, up bool) *polynomial {
	var f [3]uint256.Int
	for i := range p {
		f[i] = p[i].c
		if signs[i] < 0 {
			f[i].Neg(&f[i])
		}
	}
	if !up { // the same polynomial in reverse order
		f[0], f[2] = f[2], f[0]
		p[0], p[2] = p[2], p[0]
	}
	var d1, second, t uint256.Int
	d1.Sub(&f[1], &f[0])
	second.Sub(&f[2], &f[1])
	second.Sub(&second, &d1)
	second = signedMinimal(&second, n)
	if second[0]&1 != 0 {
		return nil
	}
	g := &polynomial{n: n}
	g.a.SRsh(&second, 1)
	v := s.integer(&p[0].x)
	// b = f(v+1) - f(v) - a(2v+1), c = f(v) - av² - bv
	t.Lsh(&v, 1)
	t.AddUint64(&t, 1)
	t.Mul(&t, &g.a)
	g.b.Sub(&d1, &t)
	g.b = signedMinimal(&g.b, n)
	t.Mul(&g.a, &v)
	t.Add(&t, &g.b)
	t.Mul(&t, &v)
	g.c.Sub(&f[0], &t)
	g.c = signedMinimal(&g.c, n)
	return g
}

// integer is the integer at a position, in two's complement.
func (s *LineSearch) integer(x *uint256.Int) (v uint256.Int) {
	v.Sub(x, &s.axis.bias)
	return v
}

// passes reports whether g fits every sample. Three samples always fit, so it
// needs at least one more.
func (g *polynomial) passes(s *LineSearch) bool {
	agreed := 0
	for i := range s.points {
		p := &s.points[i]
		if p.lost {
			continue
		}
		v := s.integer(&p.x)
		var t uint256.Int
		t.Mul(&g.a, &v)
		t.Add(&t, &g.b)
		t.Mul(&t, &v)
		t.Add(&t, &g.c)
		t = lowBits(&t, g.n)
		minus := t
		minus.Neg(&minus)
		if t != p.c && lowBits(&minus, g.n) != p.c {
			return false
		}
		agreed++
	}
	return agreed > 3
}

// roots lists the roots of g: of the integer polynomial with the smallest
// coefficients, and of a line modulo 2^n.
func (g *polynomial) roots(s *LineSearch) []uint256.Int {
	var list []uint256.Int
	bias := s.axis.bias.ToBig()
	add := func(root *big.Int) {
		if x, ok := s.position(root.Add(root, bias)); ok {
			list = append(list, x)
		}
	}
	a, b := signedBig(&g.a), signedBig(&g.b)
	low := lowBits(&g.c, g.n)
	for _, c := range [...]*big.Int{signedBig(&g.c), low.ToBig()} {
		switch {
		case a.Sign() != 0:
			for _, root := range solveQuadratic(a, b, c) {
				add(root)
			}
		case b.Sign() != 0:
			for _, root := range around(new(big.Int).Neg(c), b) {
				add(root)
			}
		}
	}
	if a.Sign() == 0 {
		list = append(list, g.lineRoots(s)...)
	}
	return list
}

// lineRoots solves bx+c = 0 modulo 2^n.
func (g *polynomial) lineRoots(s *LineSearch) []uint256.Int {
	var target uint256.Int
	target.Neg(&g.c)
	x, width, ok := divideMod(&target, &g.b, g.n)
	if !ok {
		return nil
	}
	return s.wrapped(&s.axis.bias, &x, g.n, width)
}

func signedBig(x *uint256.Int) *big.Int {
	magnitude := absWord(x)
	n := magnitude.ToBig()
	if x.Sign() < 0 {
		n.Neg(n)
	}
	return n
}
