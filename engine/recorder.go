package engine

import (
	"leveret/engine/cover"
	"leveret/engine/coverage"
	"leveret/engine/direct"
	"leveret/engine/finding"
	"leveret/engine/search"
)

// A recorder measures coverage and records results.
type recorder struct {
	search.Recorder
	clock        *clock
	coverage     *coverage.Counter
	lookahead    *direct.Lookahead
	transactions int
	instructions finding.Coverage       // of the contract under test
	goals        map[cover.BlockID]bool // targets of an experiment that were not executed yet
	allFirsts    bool
	firsts       []finding.FirstHit
}

// record records a result.
func (c *recorder) record(r *search.Result) {
	c.transactions += r.Ran
	if r.Real() {
		c.coverage.Add(r.Sequence.Last().Function, r.Run.Blocks)
	}
	c.Record(r)
}

// firstRun counts a block on its first execution.
func (c *recorder) firstRun(b cover.BlockID, site cover.BlockSite) {
	if site.Code == c.Search.Subject.Code {
		c.instructions.Covered += site.Instructions
		if c.allFirsts || c.goals[b] {
			c.firsts = append(c.firsts, finding.FirstHit{PC: site.PC, Inputs: c.Search.Progress.Inputs, Seconds: c.clock.elapsed().Seconds()})
		}
		delete(c.goals, b)
	}
	c.lookahead.Covered(site)
}

// setGoals sets the targets of an experiment: once all were executed, the
// campaign is over.
func (c *recorder) setGoals(pcs []uint64) {
	c.goals = map[cover.BlockID]bool{}
	for _, pc := range pcs {
		if b, ok := c.Search.Subject.Cover.BlockAt(c.Search.Subject.Code, pc); ok {
			c.goals[b] = true
		}
	}
}

// branches counts the covered branches of the contract under test.
func (c *recorder) branches() (b finding.Branches) {
	first, end := c.Search.Subject.Cover.Branches(c.Search.Subject.Code)
	for at := first; at < end; at += 2 {
		jump, fall := c.Search.Corpus.Covered(at+1), c.Search.Corpus.Covered(at)
		if jump || fall {
			b.Seen += 2
		}
		if jump {
			b.Covered++
		}
		if fall {
			b.Covered++
		}
	}
	return b
}
