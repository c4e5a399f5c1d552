package engine

import (
	"math/bits"

	"leveret/engine/bounded"
	"leveret/engine/cover"
	"leveret/engine/exec"
	"leveret/engine/search"
)

// repeats drop inputs that a worker executed before: of the inputs that sources
// make for real contracts, two in five are. What the search counts of an input
// is counted for a repeat too; there is nothing else to learn from it.
type repeats struct {
	executor  *exec.Executor
	paths     *bounded.Map                 // of executed inputs, by digest
	dropped   func(*search.Repeat)         // the Repeat is valid during the call
	further   func(*search.Candidate) bool // changes a repeat once more; false if it cannot
	exhausted func()                       // called when there seem to be no other inputs; nil: the campaign goes on
	last      search.Repeat                // that was dropped
	vain      int                          // searches for another input in a row that found none
}

// Bounds: inputs that are remembered, and repeats in a row after which one is
// executed all the same, so that a campaign ends whose contract has fewer inputs
// than its budget. A fuzz test whose inputs were repeats in maxVain such rows, 2080
// draws, has no others, or one in hundreds.
const (
	maxTried   = 1 << 20
	leastTried = 1 << 17 // where many campaigns share the memory
	maxRepeats = 64
	maxVain    = 32
)

// maxFurther is how often a repeat is changed further before the sources make another
// input: that takes less time, and what differs in two things was tried less often. In
// November 2026 it raised the inputs per CPU second of a token by 30 %.
const maxFurther = 3

// tried is how many inputs each of some campaigns remembers.
func tried(campaigns int) int {
	return max(maxTried>>bits.Len(uint(campaigns-1)), leastTried)
}

// next returns the first input of a source, or what changes it further, that was not
// executed before, ready to run; nil if the source has none.
func (p *repeats) next(source func() *search.Candidate) (*search.Candidate, exec.Ready) {
	next, changes := source(), 0
	for n := 0; next != nil; n++ {
		ready := search.Prepare(p.executor, next)
		path, repeated := p.paths.Get(ready.Digest)
		if !repeated {
			p.vain = 0
			return next, ready
		}
		if n == maxRepeats {
			if p.vain++; p.vain == maxVain && p.exhausted != nil {
				p.exhausted()
			}
			return next, ready
		}
		p.last = search.Repeat{Candidate: next, Digest: ready.Digest, Path: cover.PathID(path)}
		p.dropped(&p.last)
		if changes++; changes > maxFurther || !p.further(next) {
			next, changes = source(), 0
		}
	}
	return nil, exec.Ready{}
}

// remember remembers an input that was executed.
func (p *repeats) remember(r *search.Result) { p.paths.Put(r.Digest, uint64(r.Run.Path)) }
