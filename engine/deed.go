package engine

import (
	"math/bits"

	"leveret/engine/cover"
	"leveret/engine/evm"
	"leveret/engine/input"
)

// watch runs one Tx under the Recorder's eyes.
//
// The path it reports tells runs apart that took the same jumps and left
// something else behind: which of the words that they wrote have changed. A
// transfer of nothing takes the path of a transfer of something, and is the
// first that a search comes across; what is worth building on is the other.
func (x *executor) watch(s state, tx *input.Tx, storage []override) (state, evm.Outcome, *cover.Run) {
	x.recorder.Reset()
	next, outcome := x.transact(s, tx, storage, x.recorder.Hooks())
	run := x.recorder.Finish(outcome.Status)
	if outcome.Status == evm.Success {
		run.Path ^= deed(s.world, next.world, storage, run.Writes)
	}
	return next, outcome, run
}

// deed hashes which of the words written have changed, in order; 0 if none has.
func deed(before, after *evm.World, storage []override, writes []cover.Slot) cover.PathID {
	hash := uint64(0)
	for i, w := range writes {
		was := before.Storage(w.Address, w.Key)
		for _, o := range storage {
			if o.slot == w {
				was = o.value
			}
		}
		if after.Storage(w.Address, w.Key) != was {
			high, low := bits.Mul64(hash^uint64(i+1)*0xa0761d6478bd642f, 0xe7037ed1a0b428db)
			hash = high ^ low
		}
	}
	return cover.PathID(hash)
}
