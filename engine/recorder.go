package engine

import (
	"leveret/engine/cover"
	"leveret/engine/coverage"
	"leveret/engine/direct"
	"leveret/engine/search"
)

// A recorder measures coverage and records the results of one worker.
type recorder struct {
	search.Recorder
	first        *firstRuns
	coverage     *coverage.Counter
	lookahead    *direct.Lookahead
	transactions int
	rejected     int // inputs of tests that are not allowed
	reverts      int // inputs of tests that failed otherwise
}

// rejects reports whether a test does not allow its input.
func (c *recorder) rejects(r *search.Result) bool {
	s := c.Search.Subject.Suite
	return s != nil && !r.Succeeded() && s.Rejects(&r.Outcome)
}

// record records a result.
func (c *recorder) record(r *search.Result) {
	c.transactions += r.Ran
	switch {
	case c.rejects(r):
		c.rejected++
	case c.Search.Subject.Suite != nil && !r.Succeeded():
		c.reverts++
	}
	if r.Real() {
		c.coverage.Add(r.Sequence.Last().Function, r.Run.Blocks)
	}
	c.Record(r)
}

// firstRun counts a block on its first execution.
func (c *recorder) firstRun(b cover.BlockID, site cover.BlockSite) {
	c.first.run(b, site)
	c.lookahead.Covered(site)
}
