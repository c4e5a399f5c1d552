package shadow

import (
	"leveret/engine/bytecode"

	"github.com/holiman/uint256"
)

// A Flow says that a word is a linear function of one field of an input, as
// long as all else stays: word = Scale * (field << Shift) + Offset mod 2^256,
// field being bits [Low, Low+Bits) of the source's word.
type Flow struct {
	Source Source
	Low    int // bit of the source's word, 0 the least significant
	Bits   int
	Shift  int
	Scale  uint256.Int
	Offset uint256.Int
}

// maxFlows bounds the Flows of a word.
const maxFlows = 4

// Flows returns how a word depends linearly on inputs. A word of calldata has
// the Source of its offset; Flows of words that straddle two are left out.
func (w Word) Flows() []Flow {
	l := linear{o: w.o}
	l.walk(w.ref, uint256.NewInt(1), termDepth)
	for i := range l.flows {
		f := &l.flows[i]
		value := w.Value()
		f.Offset.Sub(&value, f.term(&l.values[i]))
	}
	return l.flows
}

// term returns Scale * (field << Shift).
func (f *Flow) term(field *uint256.Int) *uint256.Int {
	t := new(uint256.Int).Lsh(field, uint(f.Shift))
	return t.Mul(t, &f.Scale)
}

// Solve returns the field that makes the word target; false if none does.
func (f *Flow) Solve(target *uint256.Int) (field uint256.Int, ok bool) {
	var need, odd, inverse uint256.Int
	need.Sub(target, &f.Offset)
	if f.Scale.IsZero() {
		return field, false
	}
	even := trailingZeros(&f.Scale)
	odd.Rsh(&f.Scale, even)
	field.Rsh(&need, even+uint(f.Shift))
	inverse = invert(&odd)
	field.Mul(&field, &inverse)
	width := ones(0, max(1, 256-int(even)-f.Shift))
	field.And(&field, &width)
	if field.BitLen() > f.Bits {
		return field, false
	}
	return field, f.term(&field).Eq(&need)
}

func trailingZeros(v *uint256.Int) uint {
	n := uint(0)
	for n < 255 && v[n/64]>>(n%64)&1 == 0 {
		n++
	}
	return n
}

// invert returns the inverse of an odd word mod 2^256, by Newton's iteration:
// every step doubles the number of right bits.
func invert(odd *uint256.Int) (x uint256.Int) {
	x = *odd
	for range 8 {
		var t uint256.Int
		t.Mul(odd, &x)
		t.Sub(uint256.NewInt(2), &t)
		x.Mul(&x, &t)
	}
	return x
}

// linear collects Flows.
type linear struct {
	o      *Observer
	flows  []Flow
	values []uint256.Int // of the fields
}

// walk adds the Flows of scale * r.
func (l *linear) walk(r ref, scale *uint256.Int, depth int) {
	g := &l.o.g
	r = g.strip(r)
	n := &g.nodes[r]
	if n.data == 0 || depth == 0 || len(l.flows) == maxFlows {
		return
	}
	if l.field(r, scale) {
		return
	}
	minus := new(uint256.Int).Neg(scale)
	switch n.op {
	case bytecode.ADD:
		l.walk(n.a, scale, depth-1)
		l.walk(n.b, scale, depth-1)
	case bytecode.SUB:
		l.walk(n.a, scale, depth-1)
		l.walk(n.b, minus, depth-1)
	case bytecode.NOT:
		l.walk(n.a, minus, depth-1)
	case bytecode.MUL:
		l.walk(n.a, new(uint256.Int).Mul(scale, &g.nodes[n.b].val), depth-1)
		l.walk(n.b, new(uint256.Int).Mul(scale, &g.nodes[n.a].val), depth-1)
	case bytecode.SHL:
		if by := g.nodes[n.a].val; by.LtUint64(256) {
			l.walk(n.b, new(uint256.Int).Lsh(scale, uint(by.Uint64())), depth-1)
		}
	case bytecode.AND, bytecode.SIGNEXTEND:
		l.cleaned(n, scale, depth)
	}
}

// cleaned looks through a mask or sign extension that changed nothing in this
// run.
func (l *linear) cleaned(n *node, scale *uint256.Int, depth int) {
	g := &l.o.g
	for _, r := range [2]ref{n.a, n.b} {
		if m := &g.nodes[r]; !m.fixed && m.val.Eq(&n.val) {
			l.walk(r, scale, depth-1)
			return
		}
	}
}

// field adds r if all its bits that can be set are a field of a source.
func (l *linear) field(r ref, scale *uint256.Int) bool {
	g := &l.o.g
	low, high := 0, g.width(r, termDepth)
	for high-low > 8 && g.clear(r, low, 8, termDepth) {
		low += 8
	}
	if high <= low {
		return false
	}
	f := g.origin(field{r, low, high - low})
	n := &g.nodes[f.word]
	if f.word == 0 || !sourced(n) || n.data == 0 {
		return false
	}
	source := g.sets.Sources(n.data)[0]
	if n.aux != 0 {
		source = g.sets.Source(SourceID(n.aux - 1))
	}
	value := n.val
	value.Rsh(&value, uint(f.low))
	window := ones(0, f.size)
	value.And(&value, &window)
	l.flows = append(l.flows, Flow{Source: source, Low: f.low, Bits: f.size, Shift: low, Scale: *scale})
	l.values = append(l.values, value)
	return true
}

// sourced reports whether a node is the word of one input.
func sourced(n *node) bool {
	switch n.op {
	case opSource, bytecode.TIMESTAMP, bytecode.NUMBER, bytecode.ORIGIN, bytecode.COINBASE,
		bytecode.PREVRANDAO, bytecode.GASPRICE, bytecode.GASLIMIT, bytecode.BASEFEE:
		return true
	}
	return false
}
