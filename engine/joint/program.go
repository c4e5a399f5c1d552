package joint

import (
	"math"
	"math/bits"

	"leveret/engine/bytecode"
	"leveret/engine/shadow"

	"github.com/holiman/uint256"
)

// A node is an instruction of a program, a variable (OpInput) or a constant.
type node struct {
	op      bytecode.Op
	a, b, c int32
	on      uint64      // variables that it depends on, as bits
	could   uint256.Int // bits that can be set; of a constant its value
	least   uint256.Int // bounds of its value
	most    uint256.Int
}

// A root is a node that has to be zero, or not zero.
type root struct {
	node    int32
	nonzero bool
}

// A program is the graph of a Problem within domains: nodes in the order of
// evaluation, the variables first. Known variables are constants.
type program struct {
	nodes []node
	roots []root // without those that hold within the domains
	false bool   // a root cannot hold
}

// A builder builds a program.
type builder struct {
	*program
	*scratch
	graph  *shadow.Expressions
	signed []int // by variable: bits of a sign-extended one, or 0
}

// A scratch has what only building needs, for one program after the other.
type scratch struct {
	known   []int32 // by Expr: 1 + its node; 0: none yet
	numbers map[uint256.Int]int32
	shared  map[shape]int32
}

// A shape is what makes an instruction the same as another one.
type shape struct {
	op      bytecode.Op
	a, b, c int32
}

func (m *node) shape() shape { return shape{m.op, m.a, m.b, m.c} }

// empty forgets the last program. The next one is of a graph with so many nodes.
func (s *scratch) empty(nodes int) {
	if s.known == nil {
		s.known, s.numbers, s.shared = make([]int32, nodes), map[uint256.Int]int32{}, map[shape]int32{}
		return
	}
	clear(s.known)
	clear(s.numbers)
	clear(s.shared)
}

// build builds the program of the requirements.
func build(p *Problem, domains []domain, s *scratch) *program {
	s.empty(len(p.Graph.Nodes))
	b := &builder{program: &program{}, scratch: s, graph: p.Graph, signed: make([]int, len(p.Variables))}
	for i := range p.Variables {
		v, d := &p.Variables[i], &domains[i]
		n := node{op: shadow.OpInput, on: 1 << i, could: d.could(), least: d.value, most: d.could()}
		if d.known() {
			n = node{op: shadow.OpConst, could: d.value, least: d.value, most: d.value}
		} else if v.Word.Signed {
			b.signed[i] = v.Word.Bits
		}
		b.nodes = append(b.nodes, n)
		b.known[v.At] = int32(i) + 1
	}
	for _, r := range p.Requirements {
		b.require(b.node(r.Word), r.Nonzero)
	}
	return b.program
}

// require adds a root.
func (b *builder) require(n int32, nonzero bool) {
	for b.nodes[n].op == bytecode.ISZERO {
		n, nonzero = b.nodes[n].a, !nonzero
	}
	m := b.nodes[n]
	switch {
	case m.op == shadow.OpConst:
		b.false = b.false || m.could.IsZero() == nonzero
	case m.op == bytecode.AND && nonzero && b.boolean(m.a) && b.boolean(m.b), m.op == bytecode.OR && !nonzero:
		b.require(m.a, nonzero)
		b.require(m.b, nonzero)
	default:
		r := root{n, nonzero}
		for _, other := range b.roots {
			if other == r {
				return
			}
		}
		b.roots = append(b.roots, r)
	}
}

func (p *program) constant(n int32) bool { return p.nodes[n].op == shadow.OpConst }

// boolean reports whether a node is 0 or 1.
func (p *program) boolean(n int32) bool { return p.nodes[n].could.LtUint64(2) }

// number returns the node of a constant.
func (b *builder) number(v *uint256.Int) int32 {
	if n, ok := b.numbers[*v]; ok {
		return n
	}
	b.nodes = append(b.nodes, node{op: shadow.OpConst, could: *v, least: *v, most: *v})
	n := int32(len(b.nodes) - 1)
	b.numbers[*v] = n
	return n
}

// node returns the node of an Expression.
func (b *builder) node(e shadow.Expr) int32 {
	if n := b.known[e]; n != 0 {
		return n - 1
	}
	x := &b.graph.Nodes[e]
	var n int32
	switch x.Op {
	case shadow.OpConst, shadow.OpInput:
		n = b.number(&x.Value)
	case shadow.OpFrozen:
		n = b.node(x.A)
	default:
		m, pops := node{op: x.Op}, bytecode.Ops[x.Op].Pops
		m.a = b.node(x.A)
		if pops > 1 {
			m.b = b.node(x.B)
		}
		if pops > 2 {
			m.c = b.node(x.C)
		}
		n = b.add(m, int(pops))
	}
	b.known[e] = n + 1
	return n
}

// add returns the node of an instruction, a simpler one if there is.
func (b *builder) add(m node, pops int) int32 {
	m.normalise(b.program)
	if n, ok := b.simpler(&m, pops); ok {
		return n
	}
	key := m.shape()
	if n, ok := b.shared[key]; ok {
		return n
	}
	for i, r := range [3]int32{m.a, m.b, m.c} {
		if i < pops {
			m.on |= b.nodes[r].on
		}
	}
	m.could = b.bound(&m)
	b.confine(&m)
	if m.least.Eq(&m.most) {
		return b.number(&m.least)
	}
	b.nodes = append(b.nodes, m)
	n := int32(len(b.nodes) - 1)
	b.shared[key] = n
	return n
}

// normalise puts the constant of a commutative instruction last.
func (m *node) normalise(p *program) {
	switch m.op {
	case bytecode.ADD, bytecode.MUL, bytecode.AND, bytecode.OR, bytecode.XOR, bytecode.EQ:
		if p.constant(m.a) || !p.constant(m.b) && m.a > m.b {
			m.a, m.b = m.b, m.a
		}
	}
}

// simpler returns a node with the same value, if there is one.
func (b *builder) simpler(m *node, pops int) (int32, bool) {
	x, y := &b.nodes[m.a], &b.nodes[m.b]
	xc, yc := x.op == shadow.OpConst, pops < 2 || y.op == shadow.OpConst
	if xc && yc && (pops < 3 || b.constant(m.c)) {
		var v uint256.Int
		shadow.Compute(&v, m.op, &x.could, &y.could, &b.nodes[m.c].could)
		return b.number(&v), true
	}
	if pops == 2 && m.a == m.b {
		switch m.op {
		case bytecode.EQ:
			return b.number(uint256.NewInt(1)), true
		case bytecode.SUB, bytecode.XOR, bytecode.LT, bytecode.GT, bytecode.SLT, bytecode.SGT:
			return b.number(new(uint256.Int)), true
		case bytecode.AND, bytecode.OR:
			return m.a, true
		}
	}
	switch {
	case m.op == bytecode.ISZERO && x.op == bytecode.ISZERO && b.boolean(x.a):
		return x.a, true
	case m.op == bytecode.DIV && x.op == bytecode.MUL && !y.least.IsZero() && b.exact(x):
		if x.a == m.b {
			return x.b, true
		} else if x.b == m.b {
			return x.a, true
		}
	case m.op == bytecode.OR && (b.unwrapped(m.a, m.b) || b.unwrapped(m.b, m.a)):
		return b.number(uint256.NewInt(1)), true
	case pops == 2 && yc:
		return b.withConstant(m, x, &y.could)
	case pops == 2 && xc:
		return b.ofConstant(m, &x.could, y)
	}
	return 0, false
}

// exact reports whether a product cannot wrap.
func (p *program) exact(m *node) bool {
	var t uint256.Int
	_, wraps := t.MulOverflow(&p.nodes[m.a].most, &p.nodes[m.b].most)
	return !wraps
}

// unwrapped reports whether two words are the halves of the compiler's check that
// a product did not wrap, x == 0 and x*y/x == y, and it did not.
func (p *program) unwrapped(zero, quotient int32) bool {
	z, q := &p.nodes[zero], &p.nodes[quotient]
	if z.op != bytecode.ISZERO || q.op != bytecode.EQ {
		return false
	}
	for _, pair := range [2][2]int32{{q.a, q.b}, {q.b, q.a}} {
		d := &p.nodes[pair[0]]
		if d.op != bytecode.DIV || d.b != z.a {
			continue
		}
		f := &p.nodes[d.a]
		if f.op == bytecode.MUL && (f.a == z.a && f.b == pair[1] || f.b == z.a && f.a == pair[1]) && p.exact(f) {
			return true
		}
	}
	return false
}

// withConstant simplifies instructions whose second operand is a constant.
func (b *builder) withConstant(m, x *node, k *uint256.Int) (int32, bool) {
	var bits uint256.Int
	no := func() (int32, bool) { return b.number(new(uint256.Int)), true }
	switch m.op {
	case bytecode.ADD, bytecode.SUB, bytecode.OR, bytecode.XOR:
		return m.a, k.IsZero()
	case bytecode.MUL, bytecode.DIV:
		if k.IsZero() {
			return no()
		}
		if k.IsUint64() && k.Uint64() == 1 {
			return m.a, true
		}
		if low := trailingZeros(k); m.op == bytecode.DIV && k.BitLen() == low+1 {
			return b.add(node{op: bytecode.SHR, a: b.number(uint256.NewInt(uint64(low))), b: m.a}, 2), true
		}
	case bytecode.AND:
		if bits.And(&x.could, k).IsZero() {
			return no()
		}
		return m.a, bits.Eq(&x.could)
	case bytecode.EQ:
		if bits.Not(&x.could); !bits.And(&bits, k).IsZero() {
			return no()
		}
	}
	return 0, false
}

// ofConstant simplifies instructions whose first operand is a constant.
func (b *builder) ofConstant(m *node, k *uint256.Int, y *node) (int32, bool) {
	switch m.op {
	case bytecode.SHL, bytecode.SHR:
		if k.IsZero() {
			return m.b, true
		}
		if could := b.bound(m); could.IsZero() {
			return b.number(&could), true
		}
	case bytecode.SIGNEXTEND:
		if !k.LtUint64(31) {
			return m.b, true
		}
		width := 8 * (int(k.Uint64()) + 1)
		extended := y.op == shadow.OpInput && b.signed[m.b] > 0 && b.signed[m.b] <= width
		return m.b, extended || y.could.BitLen() < width
	}
	return 0, false
}

// bound returns the bits of an instruction's result that can be set.
func (p *program) bound(m *node) (could uint256.Int) {
	x, y := &p.nodes[m.a].could, &p.nodes[m.b].could
	wide := 256
	switch m.op {
	case bytecode.LT, bytecode.GT, bytecode.SLT, bytecode.SGT, bytecode.EQ, bytecode.ISZERO:
		wide = 1
	case bytecode.AND:
		return *could.And(x, y)
	case bytecode.OR, bytecode.XOR:
		return *could.Or(x, y)
	case bytecode.SHL, bytecode.SHR:
		if p.constant(m.a) {
			shadow.Compute(&could, m.op, x, y, nil)
			return could
		}
	case bytecode.ADD:
		wide = min(256, 1+max(x.BitLen(), y.BitLen()))
	case bytecode.MUL:
		wide = min(256, x.BitLen()+y.BitLen())
	case bytecode.DIV:
		wide = x.BitLen()
	case bytecode.MOD:
		wide = min(x.BitLen(), y.BitLen())
	case bytecode.BYTE:
		wide = 8
	}
	return lowBits(wide)
}

// confine bounds the value of an instruction's result.
func (p *program) confine(m *node) {
	x, y := &p.nodes[m.a], &p.nodes[m.b]
	m.most = m.could
	var least, most uint256.Int
	switch m.op {
	case bytecode.ADD:
		if _, wraps := most.AddOverflow(&x.most, &y.most); !wraps {
			m.least.Add(&x.least, &y.least)
			m.most = most
		}
	case bytecode.SUB:
		if !x.least.Lt(&y.most) {
			m.least.Sub(&x.least, &y.most)
			m.most.Sub(&x.most, &y.least)
		}
	case bytecode.MUL:
		if _, wraps := most.MulOverflow(&x.most, &y.most); !wraps {
			m.least.Mul(&x.least, &y.least)
			m.most = most
		}
	case bytecode.DIV:
		if !y.least.IsZero() {
			m.least.Div(&x.least, &y.most)
			m.most.Div(&x.most, &y.least)
		}
	case bytecode.SHR:
		if x.op == shadow.OpConst {
			shadow.Compute(&m.least, m.op, &x.could, &y.least, nil)
			shadow.Compute(&m.most, m.op, &x.could, &y.most, nil)
		}
	case bytecode.LT, bytecode.GT, bytecode.EQ, bytecode.ISZERO:
		least, most = p.related(m)
		m.least, m.most = least, most
	}
}

// related bounds the result of a comparison by the bounds of its operands.
func (p *program) related(m *node) (least, most uint256.Int) {
	x, y := &p.nodes[m.a], &p.nodes[m.b]
	if m.op == bytecode.GT {
		x, y = y, x
	}
	never, always := false, false
	switch m.op {
	case bytecode.EQ:
		never = x.most.Lt(&y.least) || y.most.Lt(&x.least)
	case bytecode.ISZERO:
		never = !x.least.IsZero()
	default:
		never, always = !x.least.Lt(&y.most), x.most.Lt(&y.least)
		sum, part := m.a, m.b
		if m.op == bytecode.GT {
			sum, part = m.b, m.a
		}
		never = never || p.grows(sum, part)
	}
	if !never {
		most.SetOne()
	}
	if always {
		least.SetOne()
	}
	return least, most
}

// grows reports whether sum is a sum with part that cannot wrap.
func (p *program) grows(sum, part int32) bool {
	m := &p.nodes[sum]
	if m.op != bytecode.ADD || m.a != part && m.b != part {
		return false
	}
	var t uint256.Int
	_, wraps := t.AddOverflow(&p.nodes[m.a].most, &p.nodes[m.b].most)
	return !wraps
}

// lowBits returns 2^n - 1.
func lowBits(n int) (w uint256.Int) {
	w.SetAllOne()
	return *w.Rsh(&w, uint(256-n))
}

func trailingZeros(v *uint256.Int) int {
	for i, limb := range v {
		if limb != 0 {
			return 64*i + bits.TrailingZeros64(limb)
		}
	}
	return 256
}

// distance returns how far a node is from being zero, or not zero: the sum over
// what has to hold together of the logarithms of distances, the minimum over
// what may. It is zero if and only if the outcome is right.
func (p *program) distance(values []uint256.Int, n int32, nonzero bool) float64 {
	m := &p.nodes[n]
	switch m.op {
	case bytecode.ISZERO:
		return p.distance(values, m.a, !nonzero)
	case bytecode.AND, bytecode.OR:
		if m.op == bytecode.AND && (!p.boolean(m.a) || !p.boolean(m.b)) {
			break
		}
		x, y := p.distance(values, m.a, nonzero), p.distance(values, m.b, nonzero)
		if nonzero == (m.op == bytecode.AND) {
			return x + y
		}
		return min(x, y)
	}
	if gap, ok := p.gap(values, n, nonzero); !ok {
		return max(magnitude(&gap), 1)
	}
	return 0
}

// gap returns whether a node has the right outcome, else the word that should be
// zero: the difference of the sides of a comparison, two's complement.
func (p *program) gap(values []uint256.Int, n int32, nonzero bool) (gap uint256.Int, ok bool) {
	if (!values[n].IsZero()) == nonzero {
		return gap, true
	}
	m := &p.nodes[n]
	switch m.op {
	case bytecode.EQ, bytecode.XOR, bytecode.SUB:
		if nonzero == (m.op == bytecode.EQ) {
			gap.Sub(&values[m.a], &values[m.b])
			return gap, false
		}
	case bytecode.LT, bytecode.SLT, bytecode.GT, bytecode.SGT:
		x, y := &values[m.a], &values[m.b]
		if m.op == bytecode.GT || m.op == bytecode.SGT {
			x, y = y, x
		}
		gap.Sub(x, y)
		if nonzero { // x < y
			gap.AddUint64(&gap, 1)
		}
		return gap, false
	case bytecode.ISZERO:
		return p.gap(values, m.a, !nonzero)
	default:
		if !nonzero {
			return values[n], false
		}
	}
	gap.SetOne()
	return gap, false
}

// leaf returns the comparison of a root that is nearest to being right, or that
// still has to be.
func (p *program) leaf(values []uint256.Int, n int32, nonzero bool) (int32, bool) {
	for {
		m := &p.nodes[n]
		switch {
		case m.op == bytecode.ISZERO:
			n, nonzero = m.a, !nonzero
			continue
		case m.op == bytecode.AND && p.boolean(m.a) && p.boolean(m.b), m.op == bytecode.OR:
			x, y := p.distance(values, m.a, nonzero), p.distance(values, m.b, nonzero)
			if both := nonzero == (m.op == bytecode.AND); both && x == 0 || !both && y < x {
				n = m.b
			} else {
				n = m.a
			}
			continue
		}
		return n, nonzero
	}
}

// magnitude returns log2(1+|v|) of a two's complement word.
func magnitude(v *uint256.Int) float64 {
	w := *v
	if w.Sign() < 0 {
		w.Neg(&w)
	}
	bits := w.BitLen()
	if bits <= 64 {
		return math.Log2(1 + float64(w.Uint64()))
	}
	w.Rsh(&w, uint(bits-64))
	return math.Log2(float64(w.Uint64())) + float64(bits-64)
}
