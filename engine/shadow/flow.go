package shadow

import (
	"slices"

	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
)

// A Flow is a linear relation of a word to one field of an input, with
// everything else constant: word = Scale * (field << Shift) + Offset mod 2^256,
// where field is bits [Low, Low+Bits) of the source's word.
type Flow struct {
	Source TaintSource
	Low    int // lowest bit in the source's word, 0 the least significant
	Bits   int
	Shift  int
	Scale  uint256.Int
	Offset uint256.Int
	Value  uint256.Int // present value of the field

	Remainder bool // the word is the remainder of a division: a smaller field may also do
}

// maxFlows bounds the Flows of a word.
const maxFlows = 4

// Flows returns the linear relations of a word to inputs, including inputs of
// earlier transactions through storage.
func (w Word) Flows() []Flow {
	return w.flowsIn(nil)
}

// flowsIn is Flows, in the memory of an empty slice if that suffices.
func (w Word) flowsIn(memory []Flow) []Flow {
	l := linear{o: w.o, flows: memory}
	l.walk(w.ref, uint256.NewInt(1), termDepth)
	for i := range l.flows {
		f := &l.flows[i]
		value, term := w.Value(), f.term(&f.Value)
		f.Offset.Sub(&value, &term)
	}
	return l.flows
}

// term returns Scale * (field << Shift).
func (f *Flow) term(field *uint256.Int) (t uint256.Int) {
	t.Lsh(field, uint(f.Shift))
	t.Mul(&t, &f.Scale)
	return t
}

// Solve returns the field for which the word becomes target; false if there is
// none.
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
	term := f.term(&field)
	return field, term.Eq(&need)
}

func trailingZeros(v *uint256.Int) uint {
	n := uint(0)
	for n < 255 && v[n/64]>>(n%64)&1 == 0 {
		n++
	}
	return n
}

// invert returns the inverse of an odd word modulo 2^256 by Newton's iteration,
// which doubles the number of correct bits in each step.
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
	o     *Observer
	flows []Flow
	steps int
}

// maxWalk bounds the nodes visited for the Flows of a word.
const maxWalk = 64

// walk adds the Flows of scale * r.
func (l *linear) walk(r ref, scale *uint256.Int, depth int) {
	g := &l.o.g
	r = g.strip(r)
	n := &g.nodes[r]
	if l.steps++; n.data == 0 || depth == 0 || len(l.flows) >= maxFlows || l.steps > maxWalk {
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
		if l.share(n.a, n.b) {
			return // not linear, such as a square
		}
		l.walk(n.a, new(uint256.Int).Mul(scale, &g.nodes[n.b].val), depth-1)
		l.walk(n.b, new(uint256.Int).Mul(scale, &g.nodes[n.a].val), depth-1)
	case bytecode.SHL:
		if by := g.nodes[n.a].val; by.LtUint64(256) {
			l.walk(n.b, new(uint256.Int).Lsh(scale, uint(by.Uint64())), depth-1)
		}
	case bytecode.MOD: // the subtracted multiple is part of Offset
		first := len(l.flows)
		l.walk(n.a, scale, depth-1)
		for i := first; i < len(l.flows); i++ {
			l.flows[i].Remainder = true
		}
	case bytecode.AND, bytecode.SIGNEXTEND:
		l.cleaned(n, scale, depth)
	}
}

// share reports whether two words depend on a common source.
func (l *linear) share(a, b ref) bool {
	sets, nodes := l.o.Sets(), l.o.g.nodes
	for source := range sets.Members(nodes[a].data) {
		if sets.Has(nodes[b].data, source) {
			return true
		}
	}
	return false
}

// cleaned skips a mask or sign extension that changed nothing in this run.
func (l *linear) cleaned(n *node, scale *uint256.Int, depth int) {
	g := &l.o.g
	for _, r := range [2]ref{n.a, n.b} {
		if m := &g.nodes[r]; !m.fixed && m.val.Eq(&n.val) {
			l.walk(r, scale, depth-1)
			return
		}
	}
}

// field adds r if all its possible bits are one field of a source.
func (l *linear) field(r ref, scale *uint256.Int) bool {
	g := &l.o.g
	low, high := 0, g.width(r)
	for high-low > 8 && g.clear(r, low, 8) {
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
	source := l.o.g.sourceOf(n)
	value := n.val
	value.Rsh(&value, uint(f.low))
	window := ones(0, f.size)
	value.And(&value, &window)
	l.flows = append(l.flows, Flow{Source: source, Low: f.low, Bits: f.size, Shift: low, Scale: *scale, Value: value})
	if source.Kind == FromStorage {
		l.earlier(source, f, low, scale)
	}
	return true
}

// earlier adds the Flows of a word that an earlier transaction stored.
func (l *linear) earlier(source TaintSource, f field, shift int, scale *uint256.Int) {
	var outer uint256.Int
	outer.Lsh(scale, uint(shift))
	for _, part := range l.o.state.slots[stateSlot{source.Address, source.Slot}].fields {
		if part.low != f.low || part.size < f.size {
			continue
		}
		l.flows = slices.Grow(l.flows, len(part.flows))
		for _, inner := range part.flows {
			inner.Scale.Mul(&inner.Scale, &outer)
			l.flows = append(l.flows, inner)
		}
	}
}

// A storedField is a part of a stored word with a linear relation to inputs.
type storedField struct {
	low, size int
	flows     []Flow
}

// fields returns the parts of a word with linear relations to inputs; a part is
// a run of bytes with the same taint.
func (o *Observer) fields(r ref) []storedField {
	n := &o.g.nodes[r]
	if n.data == 0 {
		return nil
	}
	by := n.parts(&o.g)
	var out []storedField
	for s := 0; s < 32; {
		end := s + 1
		for end < 32 && by[end] == by[s] {
			end++
		}
		if by[s] != 0 {
			if flows := o.flowsOf(field{r, 8 * s, 8 * (end - s)}); len(flows) > 0 {
				out = append(out, storedField{8 * s, 8 * (end - s), flows})
			}
		}
		s = end
	}
	return out
}

// flowsOf returns the Flows of a part of a word, in memory of the State.
func (o *Observer) flowsOf(part field) []Flow {
	f := o.g.origin(part)
	if f.word == 0 {
		return nil
	}
	if f.low == 0 {
		return o.state.flows.keep(Word{o, f.word}.flowsIn(o.state.flows.room()))
	}
	n := &o.g.nodes[f.word]
	if !sourced(n) || n.data == 0 {
		return nil
	}
	value := n.val
	value.Rsh(&value, uint(f.low))
	window := ones(0, f.size)
	value.And(&value, &window)
	return o.state.flows.keep(append(o.state.flows.room(), Flow{Source: o.g.sourceOf(n), Low: f.low, Bits: f.size, Scale: *uint256.NewInt(1), Value: value}))
}

// flowMemory is memory for the Flows of many words, which are few each.
type flowMemory struct {
	piece []Flow // the latest piece of memory, with the Flows in it
}

// pieceSize is how many Flows a piece has room for.
const pieceSize = 64

// room returns an empty slice with memory for the Flows of a word.
func (m *flowMemory) room() []Flow {
	if len(m.piece)+maxFlows > cap(m.piece) {
		m.piece = make([]Flow, 0, pieceSize)
	}
	return m.piece[len(m.piece):]
}

// keep returns the Flows that were put into room, or into other memory as it did not
// suffice. Others do not share their memory.
func (m *flowMemory) keep(flows []Flow) []Flow {
	if n := len(m.piece) + len(flows); n <= cap(m.piece) {
		m.piece = m.piece[:n]
	}
	return flows[:len(flows):len(flows)]
}

// clear gives all memory free.
func (m *flowMemory) clear() { m.piece = m.piece[:0] }

// sourceOf returns the TaintSource of a sourced node.
func (g *graph) sourceOf(n *node) TaintSource {
	if n.aux != 0 {
		return g.sets.Source(TaintSourceID(n.aux - 1))
	}
	return g.sets.Sources(n.data)[0]
}

// sourced reports whether a node is the word of one input.
func sourced(n *node) bool {
	switch n.op {
	case opSource, bytecode.TIMESTAMP, bytecode.NUMBER, bytecode.ORIGIN, bytecode.COINBASE,
		bytecode.PREVRANDAO, bytecode.GASPRICE, bytecode.GASLIMIT, bytecode.BASEFEE,
		bytecode.BALANCE, bytecode.SELFBALANCE:
		return true
	}
	return false
}

// Blend returns word with its bits of the Flow replaced by field.
func (f *Flow) Blend(word, field *uint256.Int) (out uint256.Int) {
	var mask uint256.Int
	mask.SetAllOne()
	mask.Rsh(&mask, uint(256-f.Bits))
	mask.Lsh(&mask, uint(f.Low))
	out.Lsh(field, uint(f.Low))
	out.And(&out, &mask)
	mask.Not(&mask)
	mask.And(&mask, word)
	out.Or(&out, &mask)
	return out
}
