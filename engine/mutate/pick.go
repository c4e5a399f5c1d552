package mutate

import (
	"math/rand/v2"

	"github.com/holiman/uint256"

	"leveret/engine/input"
)

// A filter selects Parameters.
type filter func(p *input.Parameter) bool

// A wordOp computes a new word from the one that p has in tx.
type wordOp func(r *rand.Rand, env *Env, tx *input.Tx, p *input.Parameter, w *uint256.Int) (uint256.Int, bool)

// isNumber accepts words without a format. It rejects addresses, which have one
// [sFuzz, Table 1, last row], and bools, lengths, delays and actors, which have
// rows of their own.
func isNumber(p *input.Parameter) bool {
	switch p.Kind {
	case input.ParamChunk, input.ParamWei, input.ParamRaw, input.ParamAnswer:
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
	return p.Kind == input.ParamLength || p.Kind == input.ParamRawLength || p.Kind == input.ParamAnswerLength
}

func isAnswer(p *input.Parameter) bool { return p.Kind == input.ParamAnswer }

func isWei(p *input.Parameter) bool   { return p.Kind == input.ParamWei }
func isActor(p *input.Parameter) bool { return p.Kind == input.ParamActor }

// isValue accepts all words of the calldata, and wei.
func isValue(p *input.Parameter) bool { return isNumber(p) || isAddress(p) || isBool(p) }

// pickTx draws the Tx to change: in two of three cases the last one, whose path
// counts [HARVEY, section 5].
func pickTx(r *rand.Rand, env *Env, s *input.Sequence) (int, bool) {
	n := len(s.Txs)
	switch {
	case n == 0 || env.Tx >= n:
		return 0, false
	case env.Tx >= 0:
		return env.Tx, true
	case r.IntN(3) > 0:
		return n - 1, true
	}
	return r.IntN(n), true
}

// pickParameter draws among the Parameters of s.Txs[tx] that the filter
// accepts. It mostly skips idle words.
func pickParameter(r *rand.Rand, env *Env, s *input.Sequence, tx int, accept filter) (input.Parameter, bool) {
	chosen, seen := 0, 0
	params := env.lister.Of(&s.Txs[tx])
	for i := range params {
		p := &params[i]
		if !accept(p) || env.Effects.Idle(tx, p) && r.IntN(8) > 0 {
			continue
		}
		if seen++; r.IntN(seen) == 0 {
			chosen = i
		}
	}
	if seen == 0 {
		return input.Parameter{}, false
	}
	return params[chosen].Keep(), true
}

// onWord builds a row that changes a single word.
func onWord(accept filter, op wordOp) func(*rand.Rand, *Env, input.Sequence) (input.Sequence, Diff, bool) {
	return func(r *rand.Rand, env *Env, s input.Sequence) (input.Sequence, Diff, bool) {
		i, ok := pickTx(r, env, &s)
		if !ok {
			return s, Diff{}, false
		}
		p, ok := pickParameter(r, env, &s, i, accept)
		if !ok {
			return s, Diff{}, false
		}
		tx := &s.Txs[i]
		before := input.Get(tx, &p)
		after, ok := op(r, env, tx, &p, &before)
		if !ok {
			return s, Diff{}, false
		}
		return setWord(env, s, i, p, &before, after)
	}
}

// setWord returns the child whose p of Tx i is w; false if nothing changes.
func setWord(env *Env, s input.Sequence, i int, p input.Parameter, before *uint256.Int, w uint256.Int) (input.Sequence, Diff, bool) {
	if w = p.Word.Wrap(&w); w == *before {
		return s, Diff{}, false
	}
	child := env.with(s, i, input.Set(&s.Txs[i], &p, w))
	return child, Diff{Tx: i, Single: true, Param: p, First: i}, true
}
