package joint

import (
	"leveret/engine/bytecode"
	"leveret/engine/shadow"

	"github.com/holiman/uint256"
)

// A form is a word as a linear function of the variables: the sum of coefficients
// times variables, and a constant, modulo 2^bits.
type form struct {
	of   []uint256.Int // by variable
	plus uint256.Int
	bits int
}

// An equation wants a form to be zero modulo 2^256.
type equation struct {
	of   []uint256.Int
	plus uint256.Int
}

// A solved variable is a linear function of the free ones and of variables that
// were solved later, modulo 2^bits. As an integer it is one only where a sum is a
// multiple of its divisor, which is 1 for a factor that is not small.
type solved struct {
	variable int
	equation
	bits    int
	divisor uint64
}

// maxDivisor bounds the divisors that search respects.
const maxDivisor = 1 << 16

// A linearSystem is the linear part of a program.
type linearSystem struct {
	*program
	domains []domain
	known   []formed      // by node
	none    []uint256.Int // the coefficients of a constant
	solved  []solved
}

// A formed node is one whose form was looked for.
type formed struct {
	*form // nil: it is not linear
	done  bool
}

// eliminate solves the equations among the roots, and more, for one variable
// each. It reports whether they have a solution.
func (l *linearSystem) eliminate(more []equation) bool {
	l.known, l.none = make([]formed, len(l.nodes)), make([]uint256.Int, len(l.domains))
	var rows []equation
	for _, r := range l.roots {
		if e, ok := l.equation(r); ok {
			rows = append(rows, e)
		}
	}
	for _, e := range more {
		rows = append(rows, l.within(e))
	}
	for len(rows) > 0 {
		row, variable := pivot(rows)
		if row < 0 {
			break // no variables are left
		}
		p := rows[row]
		rows = append(rows[:row], rows[row+1:]...)
		for i := range rows {
			rows[i] = rows[i].without(variable, &p)
		}
		x, ok := p.solve(variable)
		if !ok {
			return false
		}
		l.solved = append(l.solved, x)
	}
	for _, r := range rows {
		if !r.plus.IsZero() {
			return false
		}
	}
	return true
}

// form returns the form of a node; nil if it is not linear.
func (l *linearSystem) form(n int32) *form {
	k := &l.known[n]
	if k.done {
		return k.form
	}
	k.done = true
	switch m := &l.nodes[n]; m.op {
	case shadow.OpConst:
		k.form = &form{of: l.none, plus: m.could, bits: 256}
	case shadow.OpInput:
		k.form = &form{of: make([]uint256.Int, len(l.domains)), bits: 256}
		k.form.of[n].SetOne()
	default:
		k.form = l.formOf(m)
	}
	return k.form
}

// formOf returns the form of an instruction's result.
func (l *linearSystem) formOf(m *node) *form {
	switch m.op {
	case bytecode.ADD:
		return l.form(m.a).plusTimes(l.form(m.b), &one)
	case bytecode.SUB:
		return l.form(m.a).plusTimes(l.form(m.b), &minusOne)
	case bytecode.NOT:
		ones := &form{of: l.none, plus: minusOne, bits: 256}
		return ones.plusTimes(l.form(m.a), &minusOne)
	case bytecode.MUL:
		if l.constant(m.b) {
			return l.form(m.a).times(&l.nodes[m.b].could)
		}
	case bytecode.SHL:
		if k := &l.nodes[m.a].could; l.constant(m.a) && k.LtUint64(256) {
			var power uint256.Int
			return l.form(m.b).times(power.Lsh(&one, uint(k.Uint64())))
		}
	case bytecode.AND:
		if !l.constant(m.b) {
			return nil
		}
		mask := &l.nodes[m.b].could
		next := *mask
		if x := l.form(m.a); x != nil && next.And(next.AddUint64(&next, 1), mask).IsZero() {
			cut := *x
			cut.bits = min(x.bits, mask.BitLen())
			return &cut
		}
	}
	return nil
}

// one and minusOne are factors of forms.
var one, minusOne = uint256.Int{1}, lowBits(256)

// plusTimes returns x + k*y; nil if one of them is.
func (x *form) plusTimes(y *form, k *uint256.Int) *form {
	if x == nil || y == nil {
		return nil
	}
	f := &form{of: make([]uint256.Int, len(x.of)), bits: min(x.bits, y.bits)}
	f.plus.Add(&x.plus, f.plus.Mul(&y.plus, k))
	for i := range f.of {
		f.of[i] = x.of[i]
		if !y.of[i].IsZero() {
			f.of[i].Add(&x.of[i], f.of[i].Mul(&y.of[i], k))
		}
	}
	return f
}

// times returns k*x.
func (x *form) times(k *uint256.Int) *form {
	if x == nil {
		return nil
	}
	f := &form{of: make([]uint256.Int, len(x.of)), bits: min(256, x.bits+trailingZeros(k))}
	f.plus.Mul(&x.plus, k)
	for i := range f.of {
		if !x.of[i].IsZero() {
			f.of[i].Mul(&x.of[i], k)
		}
	}
	return f
}

// equation returns what a root says about linear words.
func (l *linearSystem) equation(r root) (e equation, ok bool) {
	m := &l.nodes[r.node]
	left, right := r.node, int32(-1)
	switch {
	case m.op == bytecode.EQ && r.nonzero, (m.op == bytecode.XOR || m.op == bytecode.SUB) && !r.nonzero:
		left, right = m.a, m.b
	case r.nonzero:
		return e, false
	}
	return l.equal(left, right)
}

// equal returns the equation of two nodes, the right one zero if it is negative.
func (l *linearSystem) equal(left, right int32) (e equation, ok bool) {
	x := l.form(left)
	if x == nil || l.nodes[left].could.BitLen() > x.bits {
		return e, false
	}
	bits := x.bits
	if right >= 0 {
		y := l.form(right)
		if y == nil || l.nodes[right].could.BitLen() > y.bits {
			return e, false
		}
		// Both sides are words of so many bits: they are equal if they are modulo 2^bits.
		bits = max(l.nodes[left].could.BitLen(), l.nodes[right].could.BitLen())
		if bits > x.bits || bits > y.bits {
			return e, false
		}
		bits = min(x.bits, y.bits)
		x = x.plusTimes(y, &minusOne)
	}
	var scale uint256.Int
	f := x.times(scale.Lsh(&one, uint(256-bits)))
	return equation{f.of, f.plus}, true
}

// within replaces the variables of an equation that are known by now.
func (l *linearSystem) within(e equation) equation {
	out := equation{of: append([]uint256.Int{}, e.of...), plus: e.plus}
	var t uint256.Int
	for i := range out.of {
		if d := &l.domains[i]; d.known() {
			out.plus.Add(&out.plus, t.Mul(&out.of[i], &d.value))
			out.of[i].Clear()
		}
	}
	return out
}

// pivot chooses the row and variable with the lowest power of two in its
// coefficient, among them the smallest coefficient; -1 if all are zero. So the
// coefficient divides all others.
func pivot(rows []equation) (row, variable int) {
	row = -1
	least, size := 256, 0
	for i := range rows {
		for j := range rows[i].of {
			k := &rows[i].of[j]
			if k.IsZero() {
				continue
			}
			even := trailingZeros(k)
			if even > least {
				continue
			}
			var signed uint256.Int
			signed.SRsh(k, uint(even))
			bits := min(signed.BitLen(), signed.Neg(&signed).BitLen())
			if even < least || even == least && bits < size {
				row, variable, least, size = i, j, even, bits
			}
		}
	}
	return row, variable
}

// without subtracts the multiple of p that removes a variable.
func (e equation) without(variable int, p *equation) equation {
	k, by := &e.of[variable], &p.of[variable]
	if k.IsZero() {
		return e
	}
	var factor, t uint256.Int
	odd := inverse(by)
	factor.Rsh(k, uint(trailingZeros(by)))
	factor.Mul(&factor, &odd)
	out := equation{of: make([]uint256.Int, len(e.of))}
	out.plus.Sub(&e.plus, t.Mul(&factor, &p.plus))
	for i := range out.of {
		out.of[i].Sub(&e.of[i], t.Mul(&factor, &p.of[i]))
	}
	return out
}

// solve solves an equation for a variable whose coefficient divides all others;
// false if there is no solution.
func (e equation) solve(variable int) (x solved, ok bool) {
	by := &e.of[variable]
	even := trailingZeros(by)
	if trailingZeros(&e.plus) < even {
		return x, false
	}
	odd := inverse(by)
	minus := new(uint256.Int).Neg(&odd)
	x = solved{variable: variable, equation: equation{of: make([]uint256.Int, len(e.of))}, bits: 256 - even, divisor: 1}
	factor := new(uint256.Int).SRsh(by, uint(even))
	if factor.Abs(factor); factor.LtUint64(maxDivisor) {
		x.divisor = factor.Uint64()
	}
	x.plus.Rsh(&e.plus, uint(even))
	x.plus.Mul(&x.plus, minus)
	for i := range e.of {
		if i != variable {
			x.of[i].Rsh(&e.of[i], uint(even))
			x.of[i].Mul(&x.of[i], minus)
		}
	}
	return x, true
}

// value sets z to the variable's value.
func (x *solved) value(z *uint256.Int, values []uint256.Int, signed bool) {
	var t uint256.Int
	*z = x.plus
	for i := range x.of {
		if !x.of[i].IsZero() {
			z.Add(z, t.Mul(&x.of[i], &values[i]))
		}
	}
	if spare := uint(256 - x.bits); spare > 0 {
		if z.Lsh(z, spare); signed {
			z.SRsh(z, spare)
		} else {
			z.Rsh(z, spare)
		}
	}
}

// settle fixes the solved variables that depend on no other. It reports whether
// there are such ones, and whether they are in their domains.
func (l *linearSystem) settle(domains []domain) (news, ok bool) {
	all := lowBits(256)
	for i := range l.solved {
		x := &l.solved[i]
		alone := true
		for j := range x.of {
			alone = alone && x.of[j].IsZero()
		}
		d := &domains[x.variable]
		if !alone || d.known() {
			continue
		}
		var v uint256.Int
		x.value(&v, nil, d.word.Signed)
		if _, ok := d.fix(&all, &v); !ok {
			return false, false
		}
		news = true
	}
	return news, true
}
