package mutate

import (
	"math/rand/v2"
	"slices"

	"github.com/holiman/uint256"

	"leveret/engine/input"
)

// newDelay removes a delay or draws one.
func newDelay(r *rand.Rand, env *Env, s input.Sequence) (input.Sequence, Diff, bool) {
	i, ok := pickTx(r, env, &s)
	if !ok {
		return s, Diff{}, false
	}
	tx := s.Txs[i]
	var d input.Delay
	if tx.Delay == d || r.IntN(3) > 0 {
		d = input.RandomDelay(r, tx.Function, env.Pool(tx.Function))
	}
	if d == tx.Delay {
		return s, Diff{}, false
	}
	tx.Delay = d
	return env.with(s, i, tx), Diff{Tx: i, First: i}, true
}

// newScript changes the attacker contract's script: accept, refuse, burn gas or
// re-enter a target, and the words to return. See docs/engine.md, "Attacker
// contracts".
func newScript(r *rand.Rand, env *Env, s input.Sequence) (input.Sequence, Diff, bool) {
	i, ok := pickTx(r, env, &s)
	if !ok || !env.Scripts {
		return s, Diff{}, false
	}
	tx := s.Txs[i]
	if tx.Script != nil && r.IntN(4) == 0 {
		tx.Script = nil
	} else {
		tx.Script = randomScript(r, env, &tx)
	}
	return env.with(s, i, tx), Diff{Tx: i, First: i}, true
}

func randomScript(r *rand.Rand, env *Env, tx *input.Tx) *input.Script {
	script := &input.Script{}
	switch r.IntN(8) {
	case 0:
		script.Mode = input.Refuse
	case 1:
		script.Mode = input.BurnGas
	case 2, 3:
	default:
		script.Mode, script.Calls = input.Reenter, []input.Reentry{reentry(r, env, tx)}
	}
	switch {
	case tx.Script != nil && r.IntN(3) > 0:
		script.Answers = tx.Script.Answers
	case r.IntN(3) == 0:
		script.Answers = [][]uint256.Int{nil}
		for n := 1 + r.IntN(3); n > 0; n-- {
			script.Answers[0] = append(script.Answers[0], returnWord(r, env, tx))
		}
	}
	return script
}

// reentry repeats the running call half of the time: the classic re-entrance,
// with arguments that are known to work.
func reentry(r *rand.Rand, env *Env, tx *input.Tx) input.Reentry {
	if r.IntN(2) == 0 || len(env.Targets) == 0 {
		return Reentering(*tx, 1+r.IntN(2))
	}
	t := env.Targets[r.IntN(len(env.Targets))]
	return Reentering(input.RandomTx(r, t.Function, t.To, env.Pool(t.Function)), 1+r.IntN(2))
}

// Reentering returns the re-entrant call that makes a call so often.
func Reentering(tx input.Tx, times int) input.Reentry {
	tx.From, tx.Script, tx.Delay = input.Attacker, nil, input.Delay{}
	return input.Reentry{Tx: tx, Times: times}
}

// maxReentries bounds the re-entrant calls of a script.
const maxReentries = 8

// changeReentry changes which re-entrant calls a script makes, and when: it adds,
// removes, replaces, repeats, swaps or moves one.
func changeReentry(r *rand.Rand, env *Env, s input.Sequence) (input.Sequence, Diff, bool) {
	i, ok := pickTx(r, env, &s)
	if !ok || s.Txs[i].Script == nil || len(s.Txs[i].Script.Calls) == 0 {
		return s, Diff{}, false
	}
	tx, script := s.Txs[i], *s.Txs[i].Script
	script.Calls = slices.Clone(script.Calls)
	n := len(script.Calls)
	at := r.IntN(n)
	switch k := r.IntN(12); {
	case k < 5 && n < maxReentries:
		added := reentry(r, env, &tx)
		added.First, added.Times = script.Calls[at].First, 1
		script.Calls = slices.Insert(script.Calls, at+r.IntN(2), added)
	case k < 6 && n > 1:
		script.Calls = slices.Delete(script.Calls, at, at+1)
	case k < 7:
		script.Calls[at].Tx = reentry(r, env, &tx).Tx
	case k < 8 && n > 1:
		other := r.IntN(n)
		script.Calls[at], script.Calls[other] = script.Calls[other], script.Calls[at]
	case k < 10:
		script.Calls[at].First = 1 + r.IntN(3)
	default:
		script.Calls[at].Times = 1 + r.IntN(3)
	}
	script.Mode, tx.Script = input.Reenter, &script
	return env.with(s, i, tx), Diff{Tx: i, First: i}, true
}

// maxAnswers bounds the answers that mutators make.
const maxAnswers = 16

// changeAnswers changes how many answers a script has: it repeats or removes one.
func changeAnswers(r *rand.Rand, env *Env, s input.Sequence) (input.Sequence, Diff, bool) {
	i, ok := pickTx(r, env, &s)
	if !ok || s.Txs[i].Script == nil || len(s.Txs[i].Script.Answers) == 0 {
		return s, Diff{}, false
	}
	tx, script := s.Txs[i], *s.Txs[i].Script
	at, n := r.IntN(len(script.Answers)), len(script.Answers)
	switch {
	case n < maxAnswers && (n == 1 || r.IntN(2) == 0):
		script.Answers = slices.Insert(slices.Clone(script.Answers), at, script.Answers[at])
	case n > 1:
		script.Answers = slices.Delete(slices.Clone(script.Answers), at, at+1)
	default:
		return s, Diff{}, false
	}
	tx.Script = &script
	return env.with(s, i, tx), Diff{Tx: i, First: i}, true
}

// answerWord draws a word of an answer: what a contract returns may be a flag, a
// number or an address.
func answerWord(r *rand.Rand, env *Env, tx *input.Tx, _ *input.Parameter, w *uint256.Int) (uint256.Int, bool) {
	switch r.IntN(6) {
	case 0:
		return uint256.Int{}, true
	case 1:
		return addressWord(env.Addresses.Draw(r)), true
	case 2:
		return uint256.Int{w.Uint64() ^ 1}, true
	}
	return returnWord(r, env, tx), true
}

// returnWord draws a return value of a mocked callee, mostly true.
func returnWord(r *rand.Rand, env *Env, tx *input.Tx) uint256.Int {
	if r.IntN(2) == 0 {
		return uint256.Int{1}
	}
	return input.RandomWord(r, input.WordType{Bits: 256}, env.Pool(tx.Function))
}
