package predict

import (
	"bytes"

	"github.com/holiman/uint256"

	"leveret/engine/input"
)

// operands writes the wanted value of an operand to the Parameter that it came
// from. It matches a Parameter that equals the operand, also shifted to the
// right end of the word; a sender with that address; bytes of a Parameter; or a
// whole multiple in either direction. Otherwise it assumes a constant
// difference.
func operands(o *Observation, c *Comparison) [][]Move {
	var sure, likely, guessed [][]Move
	c.sides(func(is, want *uint256.Int) {
		o.each(func(tx int, p *input.Parameter, w *uint256.Int) {
			sure = append(sure, same(&o.Sequence.Txs[tx], tx, p, w, is, want)...)
			likely = append(likely, fields(tx, p, w, is, want)...)
			likely = append(likely, multiples(tx, p, w, is, want)...)
			guessed = append(guessed, apart(tx, p, w, is, want)...)
		})
	})
	if list := append(sure, likely...); len(list) > 0 {
		return list
	}
	return guessed
}

func same(call *input.Tx, tx int, p *input.Parameter, w, is, want *uint256.Int) [][]Move {
	if p.Kind == input.ParamActor {
		from := call.From.Address()
		if index, ok := call.Function.Sender(want.Bytes20()); ok && *is == *new(uint256.Int).SetBytes(from[:]) {
			return one(tx, p, uint256.Int{index})
		}
		return nil
	}
	if w.IsZero() && p.Kind != input.ParamArg {
		return nil // zero identifies no Parameter
	}
	if *w == *is {
		return one(tx, p, *want)
	}
	if f := p.Word.Ordinal(w); p.Word.Left && f == *is {
		return one(tx, p, p.Word.Word(want))
	}
	return nil
}

// fields searches for the bytes of is, at least two, in those of w.
func fields(tx int, p *input.Parameter, w, is, want *uint256.Int) [][]Move {
	have, part, put := w.Bytes32(), is.Bytes(), want.Bytes32()
	if len(part) < 2 || *w == *is || p.Kind == input.ParamActor {
		return nil
	}
	at := bytes.Index(have[:], part)
	if at < 0 || want.BitLen() > 8*(at+len(part)) {
		return nil
	}
	size := max(len(part), (want.BitLen()+7)/8)
	end := at + len(part)
	copy(have[end-size:end], put[32-size:])
	var out uint256.Int
	out.SetBytes32(have[:])
	return one(tx, p, out)
}

// multiples assumes that the operand is a multiple of the Parameter, or the
// reverse.
func multiples(tx int, p *input.Parameter, w, is, want *uint256.Int) [][]Move {
	if w.IsZero() || is.IsZero() || *w == *is || p.Word.Left || p.Kind != input.ParamArg && p.Kind != input.ParamWei {
		return nil
	}
	var factor, rest, out uint256.Int
	if factor.DivMod(is, w, &rest); rest.IsZero() {
		if out.DivMod(want, &factor, &rest); rest.IsZero() {
			return one(tx, p, out)
		}
		return nil
	}
	if factor.DivMod(w, is, &rest); rest.LtUint64(2) && !factor.IsZero() {
		out.Mul(want, &factor)
		return one(tx, p, out)
	}
	return nil
}

// apart assumes a constant difference between operand and Parameter. Delays
// only grow, and only towards numbers of the size of timestamps.
func apart(tx int, p *input.Parameter, w, is, want *uint256.Int) [][]Move {
	var out uint256.Int
	switch p.Kind {
	case input.ParamActor, input.ParamLength, input.ParamRawLength, input.ParamAnswerLength:
		return nil
	case input.ParamSeconds, input.ParamBlocks:
		if want.Lt(is) || !is.IsUint64() {
			return nil
		}
	}
	if p.Of != nil && (p.Of.Kind == input.KindAddress || p.Of.Kind == input.KindBool) {
		return nil
	}
	lack := new(uint256.Int).Sub(want, is)
	if p.Word.Left {
		out = p.Word.Ordinal(w)
		if out.Add(&out, lack); out.BitLen() > p.Word.Bits {
			return nil
		}
		return one(tx, p, p.Word.Word(&out))
	}
	return one(tx, p, *out.Add(w, lack))
}

// xors assumes that the operand is the Parameter with some bits inverted.
func xors(o *Observation, c *Comparison) [][]Move {
	if c.Relation != Equal {
		return nil
	}
	var list [][]Move
	var lack uint256.Int
	lack.Xor(&c.Left, &c.Right)
	o.each(func(tx int, p *input.Parameter, w *uint256.Int) {
		if p.Of == nil || p.Kind == input.ParamLength || p.Of.Kind == input.KindAddress || p.Of.Kind == input.KindBool {
			return
		}
		flip := lack
		if p.Word.Left {
			if flip.BitLen() > p.Word.Bits {
				return
			}
			flip.Lsh(&flip, uint(256-p.Word.Bits))
		}
		list = append(list, one(tx, p, *flip.Xor(&flip, w))...)
	})
	return list
}
