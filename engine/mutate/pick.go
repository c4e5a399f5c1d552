package mutate

import (
	"math/rand/v2"

	"github.com/holiman/uint256"

	"leveret/engine/input"
)

// A filter selects Parameters.
type filter func(p *input.Parameter) bool

// A wordOp makes a new word from the one that p has in tx.
type wordOp func(r *rand.Rand, ctx *Env, tx *input.Tx, p *input.Parameter, w *uint256.Int) (uint256.Int, bool)

// isNumber accepts words whose bits are free: no addresses, whose format is
// special [sFuzz, Table 1, last row], and no bools, lengths, delays or actors,
// which have rows of their own.
func isNumber(p *input.Parameter) bool {
	switch p.Kind {
	case input.ParamChunk, input.ParamWei, input.ParamRaw:
		return true
	case input.ParamArg:
		return p.Of.Kind != input.KindAddress && p.Of.Kind != input.KindBool
	}
	return false
}

func isAddress(p *input.Parameter) bool {
	return p.Kind == input.ParamArg && p.Of.Kind == input.KindAddress
}

func isBool(p *input.Parameter) bool {
	return p.Kind == input.ParamArg && p.Of.Kind == input.KindBool
}

func isLength(p *input.Parameter) bool {
	return p.Kind == input.ParamLength || p.Kind == input.ParamRawLength
}

func isWei(p *input.Parameter) bool   { return p.Kind == input.ParamWei }
func isActor(p *input.Parameter) bool { return p.Kind == input.ParamActor }

// isValue accepts everything that stands in the calldata or is wei.
func isValue(p *input.Parameter) bool { return isNumber(p) || isAddress(p) || isBool(p) }

// pickTx draws the Tx to change: the last in two of three cases, since a path
// is the last Tx's [HARVEY, section 5].
func pickTx(r *rand.Rand, ctx *Env, s *input.Sequence) (int, bool) {
	n := len(s.Txs)
	switch {
	case n == 0 || ctx.Tx >= n:
		return 0, false
	case ctx.Tx >= 0:
		return ctx.Tx, true
	case r.IntN(3) > 0:
		return n - 1, true
	}
	return r.IntN(n), true
}

// pickParameter draws among the Parameters of s.Txs[tx] that the filter
// accepts. Words that never had effect are mostly passed over.
func pickParameter(r *rand.Rand, ctx *Env, s *input.Sequence, tx int, accept filter) (input.Parameter, bool) {
	var chosen input.Parameter
	seen := 0
	params := input.Parameters(&s.Txs[tx])
	for i := range params {
		p := &params[i]
		if !accept(p) || ctx.Effects.Idle(tx, p) && r.IntN(8) > 0 {
			continue
		}
		if seen++; r.IntN(seen) == 0 {
			chosen = *p
		}
	}
	return chosen, seen > 0
}

// onWord makes a row that changes one word and nothing else.
func onWord(accept filter, op wordOp) func(*rand.Rand, *Env, input.Sequence) (input.Sequence, Diff, bool) {
	return func(r *rand.Rand, ctx *Env, s input.Sequence) (input.Sequence, Diff, bool) {
		i, ok := pickTx(r, ctx, &s)
		if !ok {
			return s, Diff{}, false
		}
		p, ok := pickParameter(r, ctx, &s, i, accept)
		if !ok {
			return s, Diff{}, false
		}
		tx := &s.Txs[i]
		before := input.Get(tx, &p)
		after, ok := op(r, ctx, tx, &p, &before)
		if !ok {
			return s, Diff{}, false
		}
		return setWord(s, i, p, &before, after)
	}
}

// setWord makes the child with p of Tx i holding w, unless nothing changes.
func setWord(s input.Sequence, i int, p input.Parameter, before *uint256.Int, w uint256.Int) (input.Sequence, Diff, bool) {
	if w = p.Word.Wrap(&w); w == *before {
		return s, Diff{}, false
	}
	child := s.WithTx(i, input.Set(&s.Txs[i], &p, w))
	return child, Diff{Tx: i, Single: true, Param: p, First: i}, true
}
