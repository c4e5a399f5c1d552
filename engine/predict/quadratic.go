package predict

import (
	"math/big"

	"github.com/holiman/uint256"
)

// signPatterns are the signs of three costs as residuals, up to a common sign.
var signPatterns = [...][3]int{{1, 1, 1}, {1, 1, -1}, {1, -1, 1}, {1, -1, -1}}

// quadratic fits a parabola through three points in exact arithmetic and
// proposes its roots, for those signs with an integer leading coefficient, as
// polynomials of programs have.
func quadratic(s *LineSearch) []uint256.Int {
	whole, _ := parabolas(s)
	return whole
}

// muller proposes the roots of the parabola through three points of any other
// curve (Muller's method).
func muller(s *LineSearch) []uint256.Int {
	whole, other := parabolas(s)
	return append(whole, other...)
}

func parabolas(s *LineSearch) (whole, other []uint256.Int) {
	p, ok := s.three()
	if !ok {
		return nil, nil
	}
	for _, signs := range signPatterns {
		a, b, c, isWhole := parabola(p, signs)
		if a.Sign() == 0 {
			continue
		}
		for _, root := range solveQuadratic(a, b, c) {
			if x, ok := s.at(p[0], root); !ok {
				continue
			} else if isWhole {
				whole = append(whole, x)
			} else if signs == signPatterns[0] {
				other = append(other, x)
			}
		}
	}
	return whole, other
}

// three returns the nearest sample and the two latest others.
func (s *LineSearch) three() (p [3]*sample, ok bool) {
	p[0] = s.best()
	n := 1
	for i := len(s.points) - 1; i >= 0 && n < 3; i-- {
		if q := &s.points[i]; !q.lost && q.x != p[0].x {
			p[n] = q
			n++
		}
	}
	return p, n == 3
}

// parabola returns whole multiples of the coefficients of the parabola through
// three samples, relative to the first, and whether the leading divided
// difference is an integer.
func parabola(p [3]*sample, signs [3]int) (a, b, c *big.Int, whole bool) {
	var f [3]*big.Int
	for i := range p {
		f[i] = p[i].c.ToBig()
		if signs[i] < 0 {
			f[i].Neg(f[i])
		}
	}
	x0 := p[0].x.ToBig()
	u := new(big.Int).Sub(p[1].x.ToBig(), x0)
	w := new(big.Int).Sub(p[2].x.ToBig(), x0)
	du, dw := new(big.Int).Sub(f[1], f[0]), new(big.Int).Sub(f[2], f[0])
	gap := new(big.Int).Sub(w, u)
	den := mul(mul(u, w), gap)
	a = new(big.Int).Sub(mul(dw, u), mul(du, w))
	// b = (f1-f0)/u - a·u, all times den
	b = new(big.Int).Sub(mul(mul(du, w), gap), mul(a, u))
	c = mul(f[0], den)
	whole = new(big.Int).Rem(a, den).Sign() == 0
	return a, b, c, whole
}

func mul(x, y *big.Int) *big.Int { return new(big.Int).Mul(x, y) }

// solveQuadratic returns the integers around the real roots of ax²+bx+c; only
// the exact ones if the roots are integers.
func solveQuadratic(a, b, c *big.Int) []*big.Int {
	disc := new(big.Int).Sub(mul(b, b), mul(mul(big.NewInt(4), a), c))
	if disc.Sign() < 0 {
		return nil
	}
	root := new(big.Int).Sqrt(disc)
	den := new(big.Int).Lsh(a, 1)
	var list []*big.Int
	for _, sign := range [...]int64{1, -1} {
		num := mul(root, big.NewInt(sign))
		num.Sub(num, b)
		list = append(list, around(num, den)...)
	}
	return list
}

// around returns num/den if that is an integer, else the integers below and
// above.
func around(num, den *big.Int) []*big.Int {
	q, m := new(big.Int).DivMod(num, den, new(big.Int)) // m is never negative
	if m.Sign() == 0 {
		return []*big.Int{q}
	}
	step := big.NewInt(int64(den.Sign()))
	return []*big.Int{q, new(big.Int).Add(q, step)}
}

// at returns the position at a signed distance from p, if it is on the axis.
func (s *LineSearch) at(p *sample, distance *big.Int) (x uint256.Int, ok bool) {
	return s.position(new(big.Int).Add(p.x.ToBig(), distance))
}

func (s *LineSearch) position(n *big.Int) (x uint256.Int, ok bool) {
	if n.Sign() < 0 || x.SetFromBig(n) || x.Gt(&s.axis.max) {
		return x, false
	}
	return x, true
}
