package solve

import (
	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/corpus"
	"leveret/engine/evm"
	"leveret/engine/exec"
	"leveret/engine/input"
	"leveret/engine/predict"
)

// ecrecover is the precompiled contract that returns the signer of a digest.
var ecrecover = common.Address{19: 1}

// signed returns variants of a child whose last transaction has a signature of what
// it then checks: another argument has another digest. There are none if the entry
// checks no signature.
func (p *proposals) signed(child input.Sequence) (list []input.Sequence) {
	if len(p.solver.taint.observer.Recoveries) == 0 || p.made >= p.most {
		return nil
	}
	recovery, ok := p.solver.taint.recovery(child)
	if !ok {
		return nil
	}
	for _, moves := range predict.Signatures(child, recovery) {
		list = append(list, predict.Apply(child, moves))
	}
	return list
}

// recovery executes the last transaction of a sequence and returns its first check
// of a signature; false if there is none.
func (t *Taint) recovery(s input.Sequence) (r predict.Recovery, ok bool) {
	last := len(s.Txs) - 1
	hooks := &evm.Hooks{
		Ops: []byte{},
		Enter: func(f *evm.Frame) {
			if in := f.Input; f.To == ecrecover && !ok && len(in) >= 128 {
				r.Digest = common.Hash(in[:32])
				r.V.SetBytes32(in[32:64])
				r.R.SetBytes32(in[64:96])
				r.S.SetBytes32(in[96:128])
				ok = true
			}
		},
	}
	at := t.search.Corpus.StateBefore(&corpus.Entry{Sequence: s}, last)
	if at.World == nil {
		return r, false
	}
	t.executor.Transact(at, &s.Txs[last], nil, hooks)
	t.budget.Spent += exec.Cost(t.executor.Machine, exec.HookedStep)
	return r, ok
}
