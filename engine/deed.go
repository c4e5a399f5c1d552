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

// fewWords is how many words a run may write so that it counts which of them
// have changed. Of more it counts whether all have, or some: every record of
// several words would multiply the paths.
const fewWords = 3

// deed hashes which of the words written have changed; 0 if none has.
func deed(before, after *evm.World, storage []override, writes []cover.Slot) cover.PathID {
	hash, changed := uint64(0), 0
	for i, w := range writes {
		was := before.Storage(w.Address, w.Key)
		for _, o := range storage {
			if o.slot == w {
				was = o.value
			}
		}
		if after.Storage(w.Address, w.Key) == was {
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
