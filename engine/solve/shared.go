package solve

import (
	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/demand"
	"leveret/engine/search"
	"leveret/engine/shadow"
)

// A sharedChecks is what taint runs tell of the branches of checks that several calls
// share, as a test harness's helper that asserts. That such a branch was covered says
// nothing of the other calls: each of them is solved for.
type sharedChecks struct {
	branches *search.Branches
	taken    map[callSite]bool
	tries    map[callSite]int
	runs     map[sharedBy]int
}

// A callSite is a branch of a shared check and one of the ways that call it.
type callSite struct {
	branch cover.Branch
	caller uint64 // shadow.Decision.Caller
}

// A sharedBy is a branch of a shared check and a function that leads to it.
type sharedBy struct {
	branch cover.Branch
	callee demand.Callee
}

// Bounds of the taint runs for a shared check behind one function, and of those that led
// to inputs for one call of it.
const (
	runsPerFunction = 16
	triesPerCall    = 4
)

// maxCallSites bounds the calls that are remembered: an argument may look like another
// return address.
const maxCallSites = 1 << 14

func newSharedChecks(b *search.Branches) *sharedChecks {
	return &sharedChecks{branches: b, taken: map[callSite]bool{}, tries: map[callSite]int{}, runs: map[sharedBy]int{}}
}

// waits reports whether a taint run of an entry may tell of calls of a shared check that
// were not solved for.
func (c *sharedChecks) waits(b cover.Branch, e *corpus.Entry) bool {
	return c.branches.Shared(b) && c.runs[sharedBy{b, demand.CalleeOf(e.Sequence.Last())}] < runsPerFunction
}

// count counts a taint run of an entry.
func (c *sharedChecks) count(b cover.Branch, e *corpus.Entry) {
	c.runs[sharedBy{b, demand.CalleeOf(e.Sequence.Last())}]++
}

// took learns that a call took a branch.
func (c *sharedChecks) took(b cover.Branch, d *shadow.Decision) {
	if c.branches.Shared(b) && len(c.taken) < maxCallSites {
		c.taken[callSite{b, d.Caller}] = true
	}
}

// open reports whether to solve for a branch of a shared check in a call of it.
func (c *sharedChecks) open(b cover.Branch, d *shadow.Decision) bool {
	at := callSite{b, d.Caller}
	return c.branches.Shared(b) && !c.taken[at] && c.tries[at] < triesPerCall
}

// tried counts a taint run that led to inputs for a branch.
func (c *sharedChecks) tried(b cover.Branch, d *shadow.Decision) {
	if c.branches.Shared(b) && len(c.tries) < maxCallSites {
		c.tries[callSite{b, d.Caller}]++
	}
}
