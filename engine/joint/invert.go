package joint

import (
	"leveret/engine/bytecode"
	"leveret/engine/shadow"

	"github.com/holiman/uint256"
)

// knownBits are some bits of a word and their values.
type knownBits struct{ mask, value uint256.Int }

// An inversion follows known bits of results backwards to operands.
type inversion struct {
	*program
	known   []knownBits
	clashed bool
}

// deduce fixes the bits of variables that the roots determine. It reports
// whether there are new ones, and whether the roots can hold.
func (p *program) deduce(domains []domain) (news, ok bool) {
	v := &inversion{program: p, known: make([]knownBits, len(p.nodes))}
	all := lowBits(256)
	for _, r := range p.roots {
		switch {
		case !r.nonzero:
			v.set(r.node, &all, new(uint256.Int))
		case p.boolean(r.node):
			v.set(r.node, &all, uint256.NewInt(1))
		}
	}
	for n := int32(len(p.nodes) - 1); n >= int32(len(domains)) && !v.clashed; n-- {
		if k := &v.known[n]; !k.mask.IsZero() && p.nodes[n].op != shadow.OpConst {
			v.follow(&p.nodes[n], k)
		}
	}
	for i := range domains {
		if v.clashed {
			return false, false
		}
		if k := &v.known[i]; !k.mask.IsZero() {
			more, possible := domains[i].fix(&k.mask, &k.value)
			news, v.clashed = news || more, !possible
		}
	}
	return news, !v.clashed
}

// set notes bits of a node; constants and impossible bits can clash.
func (v *inversion) set(n int32, mask, value *uint256.Int) {
	m, k := &v.nodes[n], &v.known[n]
	var x, y uint256.Int
	if m.op == shadow.OpConst {
		x.Xor(&m.could, value)
	} else {
		x.And(&k.mask, x.Xor(&k.value, value))
		x.Or(&x, y.And(value, y.Not(&m.could)))
	}
	if !x.And(&x, mask).IsZero() {
		v.clashed = true
		return
	}
	k.value.Or(&k.value, x.And(value, mask))
	k.mask.Or(&k.mask, mask)
}

// follow passes the known bits of a result on to operands.
func (v *inversion) follow(m *node, k *knownBits) {
	all := lowBits(256)
	if m.could.LtUint64(2) && k.mask[0]&1 == 0 {
		return // nothing is known of a boolean but that it is one
	}
	switch m.op {
	case bytecode.NOT:
		var x uint256.Int
		v.set(m.a, &k.mask, x.Not(&k.value))
	case bytecode.ISZERO:
		if k.value[0]&1 == 1 {
			v.set(m.a, &all, new(uint256.Int))
		} else if v.boolean(m.a) {
			v.set(m.a, &all, uint256.NewInt(1))
		}
	case bytecode.EQ:
		switch y := &v.nodes[m.b]; {
		case y.op == shadow.OpConst && k.value[0]&1 == 1:
			v.set(m.a, &all, &y.could)
		case y.op == shadow.OpConst && v.boolean(m.a) && y.could.LtUint64(2):
			v.set(m.a, &all, uint256.NewInt(1-y.could.Uint64()))
		}
	case bytecode.AND, bytecode.OR, bytecode.XOR:
		v.bitwise(m, k)
	case bytecode.ADD, bytecode.SUB, bytecode.MUL:
		v.arithmetic(m, k)
	case bytecode.SHL, bytecode.SHR, bytecode.BYTE, bytecode.SIGNEXTEND:
		if v.constant(m.a) {
			v.moved(m, k, &v.nodes[m.a].could)
		}
	}
}

// bitwise passes bits to each operand where the other is known.
func (v *inversion) bitwise(m *node, k *knownBits) {
	for _, pair := range [2][2]int32{{m.a, m.b}, {m.b, m.a}} {
		var mask, value, other, set uint256.Int
		to, y := pair[0], &v.nodes[pair[1]]
		other.Not(&y.could) // where the other operand is zero
		if y.op == shadow.OpConst {
			set = y.could
		}
		switch m.op {
		case bytecode.AND: // where the other is one, and all ones of the result
			mask.And(&k.mask, &set)
			mask.Or(&mask, value.And(&k.mask, &k.value))
			value = k.value
		case bytecode.OR: // where the other is zero, and all zeros of the result
			mask.And(&k.mask, &other)
			mask.Or(&mask, value.And(&k.mask, value.Not(&k.value)))
			value = k.value
		case bytecode.XOR:
			mask.And(&k.mask, other.Or(&other, &set))
			value.Xor(&k.value, &set)
		}
		if v.set(to, &mask, value.And(&value, &mask)); v.clashed {
			return
		}
	}
	if y := &v.nodes[m.b]; y.op == shadow.OpConst && m.op != bytecode.XOR {
		var wrong uint256.Int // ones that a mask clears, or zeros that it sets
		if m.op == bytecode.AND {
			wrong.And(&k.value, wrong.Not(&y.could))
		} else {
			wrong.And(&y.could, wrong.Not(&k.value))
		}
		v.clashed = v.clashed || !wrong.And(&wrong, &k.mask).IsZero()
	}
}

// arithmetic inverts sums with and differences from a constant, and products
// with one, modulo the power of two up to which all bits are known.
func (v *inversion) arithmetic(m *node, k *knownBits) {
	var low, x uint256.Int
	width := trailingZeros(low.Not(&k.mask))
	if width == 0 {
		return
	}
	to, other := m.a, &v.nodes[m.b].could
	if !v.constant(m.b) {
		if m.op != bytecode.SUB || !v.constant(m.a) {
			return
		}
		to, other = m.b, &v.nodes[m.a].could
	}
	switch {
	case m.op == bytecode.ADD:
		x.Sub(&k.value, other)
	case m.op == bytecode.SUB && to == m.a:
		x.Add(&k.value, other)
	case m.op == bytecode.SUB:
		x.Sub(other, &k.value)
	default:
		even := trailingZeros(other)
		if zeros := lowBits(min(even, width)); !zeros.And(&zeros, &k.value).IsZero() {
			v.clashed = true
			return
		}
		if even >= width {
			return
		}
		odd := inverse(other)
		x.Rsh(&k.value, uint(even))
		x.Mul(&x, &odd)
		width -= even
	}
	low = lowBits(width)
	v.set(to, &low, x.And(&x, &low))
}

// moved inverts instructions that move bits by a constant.
func (v *inversion) moved(m *node, k *knownBits, by *uint256.Int) {
	if !by.LtUint64(256) {
		return
	}
	n := uint(by.Uint64())
	var mask, value, lost uint256.Int
	switch m.op {
	case bytecode.SHL:
		lost = lowBits(int(n))
		lost.And(&lost, &k.mask)
		v.clashed = !lost.And(&lost, &k.value).IsZero()
		mask.Rsh(&k.mask, n)
		value.Rsh(&k.value, n)
	case bytecode.SHR:
		mask.Lsh(&k.mask, n)
		value.Lsh(&k.value, n)
	case bytecode.BYTE:
		if n > 31 {
			return
		}
		low := lowBits(8)
		mask.Lsh(mask.And(&k.mask, &low), 8*(31-n))
		value.Lsh(value.And(&k.value, &low), 8*(31-n))
	case bytecode.SIGNEXTEND:
		low := lowBits(min(256, int(8*(n+1))))
		mask.And(&k.mask, &low)
		value.And(&k.value, &low)
	}
	if !v.clashed {
		v.set(m.b, &mask, &value)
	}
}

// inverse returns the inverse of the odd part of a word, which is not zero,
// modulo 2^256 by Newton's iteration.
func inverse(v *uint256.Int) (x uint256.Int) {
	var odd, t uint256.Int
	odd.Rsh(v, uint(trailingZeros(v)))
	x = odd
	for range 8 {
		t.Mul(&odd, &x)
		x.Mul(&x, t.Sub(uint256.NewInt(2), &t))
	}
	return x
}
