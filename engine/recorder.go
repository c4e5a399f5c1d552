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
	rejected     int        // inputs of tests that are not allowed
	reverts      int        // inputs of tests that failed otherwise
	calls        callCounts // by sequences of tests; nil: not counted
}

// record records a result.
func (c *recorder) record(r *search.Result) {
	c.transactions += r.Ran
	if c.Search.Subject.Rejects(r) {
		c.rejected++
	} else if c.Search.Subject.Suite != nil {
		if r.Real() && !r.Succeeded() {
			c.reverts++
		}
		if c.calls != nil {
			c.calls.add(r)
		}
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
