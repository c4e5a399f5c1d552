package mutate

import (
	"math/rand/v2"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/input"
)

func freshWord(r *rand.Rand, env *Env, tx *input.Tx, p *input.Parameter, _ *uint256.Int) (uint256.Int, bool) {
	return input.RandomWord(r, p.Word, env.Pool(tx.Function)), true
}

func dictionaryWord(r *rand.Rand, env *Env, tx *input.Tx, p *input.Parameter, _ *uint256.Int) (uint256.Int, bool) {
	return env.Pool(tx.Function).Word(r, p.Word)
}

func dictionaryAddress(r *rand.Rand, env *Env, _ *input.Tx, _ *input.Parameter, _ *uint256.Int) (uint256.Int, bool) {
	return addressWord(env.Addresses.Draw(r)), true
}

func addressWord(a common.Address) (w uint256.Int) {
	w.SetBytes20(a[:])
	return w
}

func flipBool(_ *rand.Rand, _ *Env, _ *input.Tx, _ *input.Parameter, w *uint256.Int) (uint256.Int, bool) {
	return uint256.Int{w.Uint64() ^ 1}, true
}

// stepWord adds or subtracts a small number, usually one.
func stepWord(r *rand.Rand, _ *Env, _ *input.Tx, p *input.Parameter, w *uint256.Int) (uint256.Int, bool) {
	delta := uint64(1)
	if r.IntN(2) == 0 {
		delta += r.Uint64N(maxArith)
	}
	o := p.Word.Ordinal(w)
	if r.IntN(2) == 0 {
		o.AddUint64(&o, delta)
	} else {
		o.SubUint64(&o, delta)
	}
	if max := p.Word.MaxOrdinal(); o.Gt(&max) {
		return *w, false
	}
	return p.Word.Word(&o), true
}

// boundaryWord draws a value of limits.
func boundaryWord(r *rand.Rand, _ *Env, _ *input.Tx, p *input.Parameter, _ *uint256.Int) (uint256.Int, bool) {
	var room [limitWords]uint256.Int
	values := limits(room[:0], p.Word)
	return values[r.IntN(len(values))], true
}

// limitWords is how many limits a type has at most.
const limitWords = 15

// limits appends the extremes of a type and their neighbours, and the numbers
// around zero and the middle.
func limits(list []uint256.Int, t input.WordType) []uint256.Int {
	top := t.MaxOrdinal()
	middle := top
	middle.Rsh(&middle, 1)
	for _, from := range [...]uint256.Int{{}, top, middle} {
		for delta := -2; delta <= 2; delta++ {
			o := from
			if delta < 0 {
				o.SubUint64(&o, uint64(-delta))
			} else {
				o.AddUint64(&o, uint64(delta))
			}
			if w := t.Word(&o); !o.Gt(&top) && !slices.Contains(list, w) {
				list = append(list, w)
			}
		}
	}
	return list
}

// scaleWord doubles, halves, negates or multiplies by a power of ten.
func scaleWord(r *rand.Rand, _ *Env, _ *input.Tx, p *input.Parameter, w *uint256.Int) (uint256.Int, bool) {
	f := field(p.Word, w)
	switch r.IntN(5) {
	case 0:
		f.Lsh(&f, 1)
	case 1:
		f.Rsh(&f, 1)
	case 2:
		f.Neg(&f)
	case 3:
		f.Mul(&f, uint256.NewInt(10))
	case 4:
		f.Div(&f, uint256.NewInt(10))
	}
	return unfield(p.Word, &f), true
}

// etherUnits draws amounts that people use: a few wei, gwei or ether, with
// tenths and hundredths.
func etherUnits(r *rand.Rand, _ *Env, _ *input.Tx, p *input.Parameter, _ *uint256.Int) (uint256.Int, bool) {
	units := [...]uint64{1, 1e9, 1e16, 1e17, 1e18}
	if p.Word.Left || p.Word.Bits < 64 {
		return uint256.Int{}, false
	}
	var w uint256.Int
	w.SetUint64(units[r.IntN(len(units))])
	w.Mul(&w, uint256.NewInt(1+r.Uint64N(100)))
	return w, true
}

func freshWei(r *rand.Rand, env *Env, tx *input.Tx, p *input.Parameter, w *uint256.Int) (uint256.Int, bool) {
	switch {
	case !w.IsZero() && r.IntN(4) == 0:
		return uint256.Int{}, true
	case r.IntN(2) == 0:
		return etherUnits(r, env, tx, p, w)
	}
	return freshWord(r, env, tx, p, w)
}

func otherActor(r *rand.Rand, _ *Env, tx *input.Tx, _ *input.Parameter, _ *uint256.Int) (uint256.Int, bool) {
	index, ok := tx.Function.Sender(input.RandomSender(r, tx.Function).Address())
	return uint256.Int{index}, ok
}

// newLength changes a length by one, or draws a small one or one near a
// multiple of the word size.
func newLength(r *rand.Rand, _ *Env, _ *input.Tx, p *input.Parameter, w *uint256.Int) (uint256.Int, bool) {
	n := w.Uint64()
	switch r.IntN(5) {
	case 0, 1:
		n++
	case 2:
		if n == 0 {
			return *w, false
		}
		n--
	case 3:
		n = r.Uint64N(5)
	case 4:
		n = 32*r.Uint64N(4) + [...]uint64{0, 1, 4, 31}[r.IntN(4)]
	}
	max := p.Word.MaxOrdinal()
	return uint256.Int{min(n, max.Uint64())}, true
}

// copyParameter copies the value of a Parameter, of the same Tx or an earlier
// one, to another, sometimes off by one: most conditions compare with an
// earlier value.
func copyParameter(r *rand.Rand, env *Env, s input.Sequence) (input.Sequence, Diff, bool) {
	i, ok := pickTx(r, env, &s)
	if !ok {
		return s, Diff{}, false
	}
	to, ok := pickParameter(r, env, &s, i, isValue)
	if !ok {
		return s, Diff{}, false
	}
	j := r.IntN(len(s.Txs))
	all := *env
	all.Effects = nil
	from, ok := pickParameter(r, &all, &s, j, func(p *input.Parameter) bool {
		return isValue(p) && p.Word.Left == to.Word.Left && (j != i || p.Index != to.Index)
	})
	if !ok {
		return s, Diff{}, false
	}
	before, w := input.Get(&s.Txs[i], &to), input.Get(&s.Txs[j], &from)
	if !isAddress(&to) {
		switch r.IntN(6) {
		case 0:
			w.AddUint64(&w, 1)
		case 1:
			w.SubUint64(&w, 1)
		}
	}
	return setWord(env, s, i, to, &before, w)
}
