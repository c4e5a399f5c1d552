package mutate

import (
	"math/rand/v2"

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
	return s.WithTx(i, tx), Diff{Tx: i, First: i}, true
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
	return s.WithTx(i, tx), Diff{Tx: i, First: i}, true
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
		reenter(r, env, tx, script)
	}
	if r.IntN(3) == 0 {
		for n := 1 + r.IntN(3); n > 0; n-- {
			script.Returns = append(script.Returns, returnWord(r, env, tx))
		}
	}
	return script
}

// reenter repeats the running call half of the time: the classic re-entrance,
// with arguments that are known to work.
func reenter(r *rand.Rand, env *Env, tx *input.Tx, script *input.Script) {
	script.Mode, script.Target, script.Depth = input.Reenter, tx.To, 1+r.IntN(2)
	if r.IntN(2) == 0 || len(env.Targets) == 0 {
		script.Data = tx.Calldata()
		return
	}
	t := env.Targets[r.IntN(len(env.Targets))]
	call := input.RandomTx(r, t.Function, t.To, env.Pool(t.Function))
	script.Target, script.Data, script.Value = t.To, call.Calldata(), call.Value
}

// returnWord draws a return value of a mocked callee, mostly true.
func returnWord(r *rand.Rand, env *Env, tx *input.Tx) uint256.Int {
	if r.IntN(2) == 0 {
		return uint256.Int{1}
	}
	return input.RandomWord(r, input.WordType{Bits: 256}, env.Pool(tx.Function))
}
