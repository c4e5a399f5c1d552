package search

import (
	"slices"

	"leveret/engine/cover"
	"leveret/engine/demand"
)

// A Recorder keeps what every search keeps of a result, whatever its source:
// counts, entries, samples for demand, and words for mutators.
type Recorder struct {
	Search  *Search
	Covered func(cover.BlockID, cover.BlockSite) // gets each block on its first execution
	covered []bool                               // by cover.BlockID
}

// Record counts a result. A result with a new path becomes an entry.
func (c *Recorder) Record(r *Result) {
	s := c.Search
	s.Progress.Inputs++
	s.Progress.Work += r.Work
	r.Origin.Stat.Tried++
	r.Origin.Rate.Count(false)
	r.Origin.Work.Count(r.Work)
	r.Origin.Dry++
	if r.Parent != nil {
		r.Parent.Usage.Fuzzed++
		r.Parent.Usage.Rate.Count(false)
	}
	if !r.Real() {
		return
	}
	known := false
	if r.Known, known = s.Corpus.Hit(r.Run.Path); !known {
		r.NewPath = true
		c.add(r)
	} else if r.Fast() && !s.Subject.Single() {
		c.sampleAgain(r)
	}
}

// Repeat counts a candidate that is not executed, as an equal one was before: how
// often sources make inputs for a path decides about its energy.
func (c *Recorder) Repeat(r *Repeat) {
	r.Origin.Stat.Repeats++
	r.Origin.Rate.Count(true)
	r.Origin.Dry++
	if r.Parent != nil {
		r.Parent.Usage.Fuzzed++
		r.Parent.Usage.Rate.Count(true)
	}
	if r.Storage == nil {
		r.Known, _ = c.Search.Corpus.Hit(r.Path)
	}
}

// add makes a result with a new path an entry of the corpus.
func (c *Recorder) add(r *Result) {
	s := c.Search
	r.Entry = s.Corpus.NewEntry(r)
	s.Corpus.Add(r.Entry)
	r.Origin.Stat.NewPaths++
	if s.Corpus.Cover(r.Entry.Branches) > 0 {
		s.Progress.LastNew = s.Progress.Inputs
	}
	c.cover(r.Run.Blocks)
	if s.Progress.LastNew == s.Progress.Inputs {
		r.Origin.Dry, r.Entry.First = 0, true
	}
	for _, h := range slices.Concat(r.Run.Hashed, r.Hashed) {
		s.Generator.Demand.Preimages.Add(h)
	}
	c.sample(r)
	s.Generator.AddRun(r)
	s.Corpus.limit()
}

// cover reports the blocks that were executed for the first time.
func (c *Recorder) cover(blocks []cover.BlockID) {
	for _, b := range blocks {
		if int(b) >= len(c.covered) {
			c.covered = append(c.covered, make([]bool, int(b)+1-len(c.covered))...)
		}
		if !c.covered[b] {
			c.covered[b] = true
			c.Search.Progress.LastNew = c.Search.Progress.Inputs
			c.Covered(b, c.Search.Subject.Cover.BlockSite(b))
		}
	}
}

// sample offers a transaction that succeeded and wrote storage to demand. Where sequences
// have one transaction, no state that others leave is of use.
func (c *Recorder) sample(r *Result) {
	last := r.Sequence.Last()
	if c.Search.Subject.Single() || !r.Succeeded() || len(r.Run.Writes) == 0 || last.Function.Constant() {
		return
	}
	c.Search.Corpus.Keep(r)
	at := len(r.Sequence.Txs) - 1
	c.Search.Generator.Demand.AddSample(c.Search.Generator.Random, r.Sequence.Txs[:at], *last, r.Run.Reads, r.Run.Writes,
		Words(r.Before(), r.Run.Writes), Words(r.After, r.Run.Writes))
}

// sampleOneIn is how rarely a transaction on a known path is sampled: other
// values may change more.
const sampleOneIn = 64

// sampleAgain samples a transaction on a known path now and then, and always
// while demand has no sample of the function that changed anything: the first
// transaction on a path often adds nothing to what was there.
func (c *Recorder) sampleAgain(r *Result) {
	g := c.Search.Generator
	if r.Succeeded() && (g.Demand.LacksSample(demand.CalleeOf(r.Sequence.Last())) || g.Random.IntN(sampleOneIn) == 0) &&
		!slices.Equal(Words(r.Before(), r.Run.Writes), Words(r.After, r.Run.Writes)) {
		c.sample(r)
	}
}
