package engine

import (
	"slices"

	"leveret/engine/cover"
	"leveret/engine/coverage"
	"leveret/engine/demand"
	"leveret/engine/direct"
	"leveret/engine/exec"
	"leveret/engine/finding"
	"leveret/engine/search"
)

// A recorder keeps what every campaign keeps of a result, whatever its sources:
// counts, coverage, the corpus, samples for demand, and words for mutators.
type recorder struct {
	search       *search.Search
	clock        *clock
	coverage     *coverage.Counter
	lookahead    *direct.Lookahead
	covered      []bool // by cover.BlockID
	transactions int
	instructions finding.Coverage       // of the contract under test
	goals        map[cover.BlockID]bool // targets of an experiment that were not executed yet
	allFirsts    bool
	firsts       []finding.FirstHit
}

// record counts a result. A result with a new path becomes an entry.
func (c *recorder) record(r *search.Result) {
	c.count(r)
	if !r.Real() {
		return
	}
	c.coverage.Add(r.Sequence.Last().Function, r.Run.Blocks)
	if r.Known = c.search.Corpus.Hit(r.Run.Path); r.Known == nil {
		c.add(r)
	} else if r.Fast() {
		c.sampleAgain(r)
	}
}

func (c *recorder) count(r *search.Result) {
	c.search.Progress.Inputs++
	c.search.Progress.Work += uint64(r.Ran-1)*exec.CallCost + exec.Cost(&r.Outcome)
	c.transactions += r.Ran
	r.Origin.Stat.Tried++
	r.Origin.Dry++
	if r.Parent != nil {
		r.Parent.Usage.Fuzzed++
	}
}

// add makes a result with a new path an entry of the corpus.
func (c *recorder) add(r *search.Result) {
	corpus, progress := c.search.Corpus, c.search.Progress
	r.Entry = corpus.NewEntry(r)
	corpus.Add(r.Entry)
	r.Origin.Stat.NewPaths++
	if corpus.Cover(r.Entry.Branches) > 0 {
		progress.LastNew = progress.Inputs
	}
	c.coverBlocks(r.Run.Blocks)
	if progress.LastNew == progress.Inputs {
		r.Origin.Dry = 0
	}
	for _, h := range r.Run.Hashed {
		c.search.Generator.Demand.Preimages.Add(h)
	}
	c.sample(r)
	c.search.Generator.AddRun(r)
}

// coverBlocks counts the instructions of the contract under test.
func (c *recorder) coverBlocks(blocks []cover.BlockID) {
	for _, b := range blocks {
		if int(b) >= len(c.covered) {
			c.covered = append(c.covered, make([]bool, int(b)+1-len(c.covered))...)
		}
		if c.covered[b] {
			continue
		}
		c.covered[b] = true
		c.search.Progress.LastNew = c.search.Progress.Inputs
		site := c.search.Subject.Cover.BlockSite(b)
		if site.Code == c.search.Subject.Code {
			c.instructions.Covered += site.Instructions
			c.firstRun(b, site)
		}
		c.lookahead.Covered(site)
	}
}

// setGoals sets the targets of an experiment: once all were executed, the
// campaign is over.
func (c *recorder) setGoals(pcs []uint64) {
	c.goals = map[cover.BlockID]bool{}
	for _, pc := range pcs {
		if b, ok := c.search.Subject.Cover.BlockAt(c.search.Subject.Code, pc); ok {
			c.goals[b] = true
		}
	}
}

// firstRun records the first execution of a block of the contract under test.
func (c *recorder) firstRun(b cover.BlockID, site cover.BlockSite) {
	if c.allFirsts || c.goals[b] {
		c.firsts = append(c.firsts, finding.FirstHit{PC: site.PC, Inputs: c.search.Progress.Inputs, Seconds: c.clock.elapsed().Seconds()})
	}
	delete(c.goals, b)
}

// sample offers a transaction that succeeded and wrote storage to demand.
func (c *recorder) sample(r *search.Result) {
	last := r.Sequence.Last()
	if !r.Succeeded() || len(r.Run.Writes) == 0 || last.Function.Constant() {
		return
	}
	at := len(r.Sequence.Txs) - 1
	c.search.Generator.Demand.AddSample(c.search.Generator.Random, r.Sequence.Txs[:at], *last, r.Run.Reads, r.Run.Writes,
		search.Words(r.States[at].World, r.Run.Writes), search.Words(r.After, r.Run.Writes))
}

// sampleOneIn is how rarely a transaction on a known path is sampled: other
// values may change more.
const sampleOneIn = 64

// sampleAgain samples a transaction on a known path now and then, and always
// while demand has no sample of the function that changed anything: the first
// transaction on a path often adds nothing to what was there.
func (c *recorder) sampleAgain(r *search.Result) {
	if r.Succeeded() && (c.search.Generator.Demand.LacksSample(demand.CalleeOf(r.Sequence.Last())) || c.search.Generator.Random.IntN(sampleOneIn) == 0) &&
		!slices.Equal(search.Words(r.Before(), r.Run.Writes), search.Words(r.After, r.Run.Writes)) {
		c.sample(r)
	}
}

// branches counts the covered branches of the contract under test.
func (c *recorder) branches() (b finding.Branches) {
	first, end := c.search.Subject.Cover.Branches(c.search.Subject.Code)
	for at := first; at < end; at += 2 {
		jump, fall := c.search.Corpus.Covered(at+1), c.search.Corpus.Covered(at)
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
