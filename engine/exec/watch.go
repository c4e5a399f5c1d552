package exec

import (
	"math/bits"

	"leveret/engine/cover"
	"leveret/engine/evm"
	"leveret/engine/input"
)

// Watch runs a transaction and records its coverage.
//
// The PathID includes which of the written words changed: a transfer of zero
// takes the same branches as others, but no sequence should build on it.
func (x *Executor) Watch(s State, tx *input.Tx, storage []Override) (State, evm.Outcome, *cover.Run) {
	var run *cover.Run
	next, outcome := x.transact(s, tx, storage, func(w *evm.World, b evm.BlockContext, c evm.Call) evm.Outcome {
		out := x.Machine.Record(w, b, c, x.Recorder)
		run = x.Recorder.Finish(out.Status)
		if out.Status == evm.Success {
			out.Logs = x.Machine.Logs()
			run.Path ^= changeHash(x.Machine, run.Writes)
			x.Machine.Commit(w)
		}
		if len(run.Asked) > 0 {
			run.Path ^= answeredPath
		}
		return out
	})
	return next, outcome, run
}

// answeredPath marks a path on which the attacker contract answered: it may take the same
// branches as one on which other contracts did, and its answers can be changed.
const answeredPath cover.PathID = 0xbf58476d1ce4e5b9

// pass runs a transaction and records nothing.
func (x *Executor) pass(s State, tx *input.Tx) (State, evm.Outcome) {
	return x.transact(s, tx, nil, func(w *evm.World, b evm.BlockContext, c evm.Call) evm.Outcome {
		out := x.Machine.Record(w, b, c, nil)
		if out.Status == evm.Success {
			x.Machine.Commit(w)
		}
		return out
	})
}

// fewWords is how many words a run may write so that each counts. With more,
// only all, some or none count, since every record of several words would
// multiply the paths.
const fewWords = 3

// changeHash hashes which of the written words changed; 0 if none did.
func changeHash(m *evm.Machine, writes []evm.Slot) cover.PathID {
	hash, changed := uint64(0), 0
	for i, w := range writes {
		if !m.Changed(w) {
			continue
		}
		changed++
		if len(writes) <= fewWords {
			high, low := bits.Mul64(hash^uint64(i+1)*0xa0761d6478bd642f, 0xe7037ed1a0b428db)
			hash = high ^ low
		}
	}
	switch {
	case changed == 0 || len(writes) <= fewWords:
	case changed == len(writes):
		hash = 0xa0761d6478bd642f
	default:
		hash = 0xe7037ed1a0b428db
	}
	return cover.PathID(hash)
}
