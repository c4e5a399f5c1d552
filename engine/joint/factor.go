package joint

import (
	"math/bits"
	"slices"

	"leveret/engine/bytecode"

	"github.com/holiman/uint256"
)

// Bounds of products that are tried with divisors: how many at once, and the
// divisors of each.
const (
	maxProducts = 8
	maxDivisors = 512
)

// A product is an equation of two linear words' product with a constant that is
// not zero. It cannot wrap.
type product struct {
	x, y    *form
	value   uint64
	factors []uint64 // that x may have
}

// product returns a product among the roots: one with a factor that elimination
// left constant, else that with the smallest value. Those without unknown factors
// are left out.
func (l *linearSystem) product() (best product, ok bool) {
	for _, r := range l.roots {
		p, is := l.productOf(r)
		if !is {
			continue
		}
		x, y := l.reduced(p.x), l.reduced(p.y)
		switch {
		case x != nil && y != nil:
			continue
		case x == nil && y == nil:
			if !ok || p.value < best.value {
				best, ok = p, true
			}
			continue
		case x == nil:
			p.x, p.y, x = p.y, p.x, y
		}
		p.factors = []uint64{}
		if d := x.Uint64(); x.IsUint64() && d > 0 && p.value%d == 0 {
			p.factors = append(p.factors, d)
		}
		return p, true
	}
	if ok {
		best.factors = divisors(best.value)
	}
	return best, ok
}

// productOf returns the product that a root wants.
func (l *linearSystem) productOf(r root) (p product, ok bool) {
	m := &l.nodes[r.node]
	equal := m.op == bytecode.EQ && r.nonzero || (m.op == bytecode.XOR || m.op == bytecode.SUB) && !r.nonzero
	if !equal || !l.constant(m.b) {
		return p, false
	}
	f, c := &l.nodes[m.a], &l.nodes[m.b].could
	if f.op != bytecode.MUL || c.IsZero() || !c.IsUint64() {
		return p, false
	}
	p = product{x: l.form(f.a), y: l.form(f.b), value: c.Uint64()}
	narrow := l.nodes[f.a].could.BitLen()+l.nodes[f.b].could.BitLen() <= 256
	return p, narrow && p.x != nil && p.y != nil && p.x.bits == 256 && p.y.bits == 256
}

// reduced returns the number that a form is by elimination; nil if none.
func (l *linearSystem) reduced(f *form) *uint256.Int {
	of, plus := slices.Clone(f.of), f.plus
	for i := range l.solved {
		x := &l.solved[i]
		k := of[x.variable]
		if k.IsZero() || x.bits < 256 {
			continue
		}
		of[x.variable].Clear()
		var t uint256.Int
		plus.Add(&plus, t.Mul(&k, &x.plus))
		for j := range of {
			of[j].Add(&of[j], t.Mul(&k, &x.of[j]))
		}
	}
	for j := range of {
		if !of[j].IsZero() {
			return nil
		}
	}
	return &plus
}

// leastShare is how many instructions each factor gets at least.
const leastShare = 500

// divide tries the factors of a product. They share what is left of the budget.
func (s *solver) divide(domains []domain, more []equation, p product, products int) (Model, bool) {
	s.random.Shuffle(len(p.factors), func(i, j int) { p.factors[i], p.factors[j] = p.factors[j], p.factors[i] })
	all, list := s.most, p.factors[:min(len(p.factors), maxDivisors)]
	defer func() { s.most = all }()
	for i, d := range list {
		if s.spent > all {
			break
		}
		s.most = min(all, s.spent+max((all-s.spent)/(len(list)-i), leastShare))
		rows := append(slices.Clip(more), p.x.equals(d), p.y.equals(p.value/d))
		if m, ok := s.attempt(slices.Clone(domains), rows, products-1); ok {
			m.By = max(m.By, ByDivisors)
			return m, true
		}
	}
	return Model{}, false
}

// equals returns the equation of a form and a number.
func (x *form) equals(v uint64) equation {
	e := equation{of: x.of}
	e.plus.Sub(&x.plus, uint256.NewInt(v))
	return e
}

// divisors lists the divisors of n > 0, in no order.
func divisors(n uint64) []uint64 {
	list := []uint64{1}
	for _, p := range primes(n) {
		times := slices.Clone(list)
		for i := range times {
			times[i] *= p
		}
		list = append(list, times...)
		slices.Sort(list)
		list = slices.Compact(list)
	}
	return list
}

// primes returns the prime factors of n > 0, with multiplicity.
func primes(n uint64) (list []uint64) {
	for p := uint64(2); p < 1<<10 && p*p <= n; p++ {
		for ; n%p == 0; n /= p {
			list = append(list, p)
		}
	}
	if n > 1 {
		list = append(list, large(n)...)
	}
	return list
}

// large returns the prime factors of a number without small ones, by Pollard's
// rho method.
func large(n uint64) []uint64 {
	if n < 1<<20 || n >= 1<<56 || isPrime(n) { // larger ones take too long
		return []uint64{n}
	}
	for c := uint64(1); ; c++ {
		step := func(x uint64) uint64 {
			hi, lo := bits.Mul64(x, x)
			lo, carry := bits.Add64(lo, c, 0)
			return bits.Rem64(hi+carry, lo, n)
		}
		x, y, d := uint64(2), uint64(2), uint64(1)
		for d == 1 {
			x, y = step(x), step(step(y))
			d = gcd(max(x, y)-min(x, y), n)
		}
		if d != n {
			return append(large(d), large(n/d)...)
		}
	}
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// isPrime tests n > 2^20 by Miller and Rabin; the bases are exact for 64 bits.
func isPrime(n uint64) bool {
	if n%2 == 0 {
		return false
	}
	even := bits.TrailingZeros64(n - 1)
	for _, base := range [...]uint64{2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37} {
		x := power(base, (n-1)>>even, n)
		composite := x != 1 && x != n-1
		for i := 1; i < even && composite; i++ {
			hi, lo := bits.Mul64(x, x)
			x = bits.Rem64(hi, lo, n)
			composite = x != n-1
		}
		if composite {
			return false
		}
	}
	return true
}

// power returns b^e modulo n.
func power(b, e, n uint64) uint64 {
	r := uint64(1)
	for ; e > 0; e >>= 1 {
		if e&1 == 1 {
			hi, lo := bits.Mul64(r, b)
			r = bits.Rem64(hi, lo, n)
		}
		hi, lo := bits.Mul64(b, b)
		b = bits.Rem64(hi, lo, n)
	}
	return r
}
