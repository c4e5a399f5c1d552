package engine

import "sync/atomic"

// A budget counts the inputs of all workers, and says when a campaign is over.
type budget struct {
	limit    int64        // of inputs; 0: none
	runs     int64        // of inputs that are not rejected; 0: none
	rejects  int64        // of inputs that are, with a limit of runs; 0: none
	begun    atomic.Int64 // inputs that a worker took on
	done     atomic.Int64 // inputs that were executed
	rejected atomic.Int64 // of those
	ended    atomic.Bool  // there is nothing left to look for
}

// take takes an input on. It returns false if there is none left.
func (b *budget) take() bool { return b.limit == 0 || b.begun.Add(1) <= b.limit }

// count counts an input that was executed, and maybe rejected.
func (b *budget) count(rejected bool) {
	b.done.Add(1)
	if rejected {
		b.rejected.Add(1)
	}
}

// executed returns the inputs that were executed.
func (b *budget) executed() int { return int(b.done.Load()) }

// end ends the campaign before its budget is spent.
func (b *budget) end() { b.ended.Store(true) }

// spent reports whether the campaign is over.
func (b *budget) spent() bool {
	if b.ended.Load() || b.limit > 0 && b.begun.Load() >= b.limit {
		return true
	}
	rejected := b.rejected.Load()
	return b.runs > 0 && (b.done.Load()-rejected >= b.runs || b.rejects > 0 && rejected > b.rejects)
}
