package input

import (
	"math/big"

	"github.com/holiman/uint256"
)

// A WordType says which integers a word stands for: how many bits, whether
// signed, where in the word, and up to which limit.
//
// Arithmetic on words goes through ordinals: the ordinal of a word is its
// exact integer less the type's minimum, so that ordinals run from 0 to
// MaxOrdinal without gaps whatever the type, differences of ordinals are
// differences of the integers, and no difference needs more than 256 bits.
type WordType struct {
	Bits   int    // 1 to 256
	Signed bool   // two's complement, sign-extended
	Left   bool   // in the high bits of the word
	Limit  uint64 // largest ordinal if not 0
}

// wordTypeOf gives the WordType of an elementary type or of a function value.
func wordTypeOf(t *Type) WordType {
	switch t.Kind {
	case KindInt:
		return WordType{Bits: t.Size, Signed: true}
	case KindAddress:
		return WordType{Bits: 160}
	case KindBool:
		return WordType{Bits: 1}
	case KindFixedBytes:
		return WordType{Bits: 8 * t.Size, Left: true}
	case KindFunction:
		return WordType{Bits: 192, Left: true}
	}
	return WordType{Bits: t.Size}
}

// MaxOrdinal is the ordinal of the largest value.
func (t WordType) MaxOrdinal() (max uint256.Int) {
	if t.Limit != 0 {
		max.SetUint64(t.Limit)
		return max
	}
	max.SetAllOne()
	max.Rsh(&max, uint(256-t.Bits))
	return max
}

// Ordinal gives the ordinal of a word in the type's range.
func (t WordType) Ordinal(w *uint256.Int) (o uint256.Int) {
	switch {
	case t.Signed:
		o = t.bias()
		o.Add(&o, w)
	case t.Left:
		o.Rsh(w, uint(256-t.Bits))
	default:
		o = *w
	}
	return o
}

// Word is the inverse of Ordinal; an ordinal that is too large is clamped.
func (t WordType) Word(o *uint256.Int) (w uint256.Int) {
	if max := t.MaxOrdinal(); o.Gt(&max) {
		o = &max
	}
	switch {
	case t.Signed:
		bias := t.bias()
		w.Sub(o, &bias)
	case t.Left:
		w.Lsh(o, uint(256-t.Bits))
	default:
		w = *o
	}
	return w
}

// bias is minus the smallest value of a signed type.
func (t WordType) bias() (b uint256.Int) {
	b.SetOne()
	b.Lsh(&b, uint(t.Bits-1))
	return b
}

// Wrap brings any word into the type's range as the machine does: it cuts off
// the bits the type does not have and extends the sign. A value above Limit is
// reduced modulo Limit+1.
func (t WordType) Wrap(w *uint256.Int) (r uint256.Int) {
	spare := uint(256 - t.Bits)
	switch {
	case t.Left:
		r.Rsh(w, spare)
		r.Lsh(&r, spare)
	case t.Signed:
		r.Lsh(w, spare)
		r.SRsh(&r, spare)
	default:
		r.Lsh(w, spare)
		r.Rsh(&r, spare)
	}
	if t.Limit != 0 && r.GtUint64(t.Limit) && t.Limit != ^uint64(0) {
		r.Mod(&r, new(uint256.Int).SetUint64(t.Limit+1))
	}
	return r
}

// Integer gives the exact integer of a word.
func (t WordType) Integer(w *uint256.Int) *big.Int {
	o := t.Ordinal(w)
	n := o.ToBig()
	if t.Signed {
		bias := t.bias()
		n.Sub(n, bias.ToBig())
	}
	return n
}

// FromInteger gives the word of an integer, clamped to the type's range.
func (t WordType) FromInteger(n *big.Int) uint256.Int {
	n = new(big.Int).Set(n)
	if t.Signed {
		bias := t.bias()
		n.Add(n, bias.ToBig())
	}
	var o uint256.Int
	if n.Sign() > 0 {
		if over := o.SetFromBig(n); over {
			o.SetAllOne()
		}
	}
	return t.Word(&o)
}
