package mutate

import (
	"math/rand/v2"

	"github.com/holiman/uint256"

	"leveret/engine/input"
)

// A positional operator changes count bytes or bits of a word's field. The
// field is the bits of the type, lowest bit first; it wraps at its own width.

// field moves the bits of w that its type has to the bottom.
func field(t input.WordType, w *uint256.Int) (f uint256.Int) {
	f = *w
	if t.Left {
		f.Rsh(&f, uint(256-t.Bits))
		return f
	}
	f.Lsh(&f, uint(256-t.Bits))
	f.Rsh(&f, uint(256-t.Bits))
	return f
}

// unfield is the inverse of field.
func unfield(t input.WordType, f *uint256.Int) uint256.Int {
	w := *f
	if t.Left {
		w.Lsh(&w, uint(256-t.Bits))
	}
	return t.Wrap(&w)
}

// mask has n bits set from position at on.
func mask(n, at int) (m uint256.Int) {
	m.SetOne()
	m.Lsh(&m, uint(n))
	m.SubUint64(&m, 1)
	m.Lsh(&m, uint(at))
	return m
}

// flipBitsAt flips n consecutive bits.
func flipBitsAt(t input.WordType, w *uint256.Int, n, at int) uint256.Int {
	f, m := field(t, w), mask(n, at)
	f.Xor(&f, &m)
	return unfield(t, &f)
}

// segment reads n bytes from byte position at on.
func segment(f *uint256.Int, n, at int) uint64 {
	var s uint256.Int
	s.Rsh(f, uint(8*at))
	return s.Uint64() & (1<<(8*n) - 1)
}

// setSegment writes n bytes at byte position at.
func setSegment(t input.WordType, w *uint256.Int, n, at int, value uint64) uint256.Int {
	f, m := field(t, w), mask(8*n, 8*at)
	var v uint256.Int
	v.SetUint64(value & (1<<(8*n) - 1))
	v.Lsh(&v, uint(8*at))
	m.Not(&m)
	f.And(&f, &m)
	f.Or(&f, &v)
	return unfield(t, &f)
}

// addAt adds delta to n bytes, wrapping within them.
func addAt(t input.WordType, w *uint256.Int, n, at int, delta int64) uint256.Int {
	f := field(t, w)
	return setSegment(t, w, n, at, segment(&f, n, at)+uint64(delta))
}

// places is the number of positions of a unit of n in a width; at least one, so
// that narrow types are changed as a whole.
func places(width, n int) int { return max(1, width-n+1) }

func flipBits(n int) wordOp {
	return func(r *rand.Rand, _ *Env, _ *input.Tx, p *input.Parameter, w *uint256.Int) (uint256.Int, bool) {
		return flipBitsAt(p.Word, w, n, r.IntN(places(p.Word.Bits, n))), true
	}
}

func flipBytes(n int) wordOp {
	return func(r *rand.Rand, _ *Env, _ *input.Tx, p *input.Parameter, w *uint256.Int) (uint256.Int, bool) {
		return flipBitsAt(p.Word, w, 8*n, 8*r.IntN(places(p.Word.Bits/8, n))), true
	}
}

// maxArith is AFL's ARITH_MAX.
const maxArith = 35

func addBytes(n int) wordOp {
	return func(r *rand.Rand, _ *Env, _ *input.Tx, p *input.Parameter, w *uint256.Int) (uint256.Int, bool) {
		delta := 1 + r.Int64N(maxArith)
		if r.IntN(2) == 0 {
			delta = -delta
		}
		return addAt(p.Word, w, n, r.IntN(places(p.Word.Bits/8, n)), delta), true
	}
}

// interesting are AFL's values that tend to break code, by bytes.
var interesting = map[int][]int64{
	1: {-128, -1, 0, 1, 16, 32, 64, 100, 127},
	2: {-32768, -129, 128, 255, 256, 512, 1000, 1024, 4096, 32767},
	4: {-2147483648, -100663046, -32769, 32768, 65535, 65536, 100663045, 2147483647},
}

func interestBytes(n int) wordOp {
	values := interesting[n]
	return func(r *rand.Rand, _ *Env, _ *input.Tx, p *input.Parameter, w *uint256.Int) (uint256.Int, bool) {
		at := r.IntN(places(p.Word.Bits/8, n))
		return setSegment(p.Word, w, n, at, uint64(values[r.IntN(len(values))])), true
	}
}
