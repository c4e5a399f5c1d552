// Package searchtest compiles and deploys contracts for tests, and drives a
// search of them without package engine.
package searchtest

import (
	"math/rand/v2"
	"testing"
	"time"

	"leveret/engine/cover"
	"leveret/engine/coverage"
	"leveret/engine/deploy"
	"leveret/engine/exec"
	"leveret/engine/mutate"
	"leveret/engine/program"
	"leveret/engine/search"
	"leveret/solc"
)

// A Driver executes candidates of a search and records the results as a
// campaign does.
type Driver struct {
	*search.Search
	Executor *exec.Executor
	Replayer *exec.Executor // of everything but candidates
	Coverage *coverage.Counter
	Origin   *search.Origin        // of candidates without one
	Covered  func(cover.BlockSite) // called with each block on its first execution; may be nil
	recorder search.Recorder
	turn     int
}

// New deploys a contract of a build and sets a search up. The same seed gives
// the same search.
func New(t testing.TB, b *solc.Build, name string, seed uint64) *Driver {
	t.Helper()
	p, err := program.New(Contract(t, b, name), b.Contracts)
	if err != nil {
		t.Fatal(err)
	}
	s := search.NewSubject(p)
	d := &Driver{
		Executor: s.NewExecutor(time.Now), Replayer: s.NewExecutor(time.Now),
		Origin: &search.Origin{Name: "test"},
	}
	random := rand.New(rand.NewPCG(seed, 0))
	base, err := deploy.New(t.Context(), t.Context(), p, d.Executor.Machine, random, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Settle(base); err != nil {
		t.Fatal(err)
	}
	d.Executor.Prefixes = exec.NewPrefixes(exec.MaxPrefixBytes, 1)
	all := search.NewCorpus(s, d.Executor)
	d.Coverage = coverage.New(all.Corpus)
	d.Search = &search.Search{
		Subject: s, Corpus: all, Generator: search.NewGenerator(s, all, random), Branches: search.NewBranches(s),
		Progress: &search.Progress{}, Queue: &search.Queue{}, Over: func() bool { return false },
	}
	d.recorder = search.Recorder{Search: d.Search, Covered: func(_ cover.BlockID, site cover.BlockSite) {
		if d.Covered != nil {
			d.Covered(site)
		}
	}}
	return d
}

// Callee returns the function of the contract under test with a name.
func (d *Driver) Callee(t testing.TB, name string) deploy.Callee {
	t.Helper()
	for _, c := range d.Subject.Callees {
		if c.Contract == d.Subject.Program.UnderTest && c.Function.Name == name {
			return c
		}
	}
	t.Fatalf("no function %s", name)
	return deploy.Callee{}
}

// Seed queues a call of each function.
func (d *Driver) Seed() {
	for _, c := range d.Subject.Callees {
		d.Queue.Add(d.Generator.Single(d.Generator.NewTx(c.Callee), d.Origin))
	}
}

// Next is a simple source: it takes queued candidates first, then varies
// entries in turn, puts transactions before them, and makes new transactions.
func (d *Driver) Next() *search.Candidate {
	if next := d.Queue.TakeUnmet(); next != nil {
		return next
	}
	draw := d.Generator.Random.IntN(8)
	if len(d.Corpus.Entries) == 0 || draw == 0 {
		return d.Generator.Fresh()
	}
	d.turn++
	e := d.Corpus.Entries[d.turn%len(d.Corpus.Entries)]
	if draw < 3 {
		if longer, ok := d.Generator.Demand.Precede(d.Generator.Random, e.Sequence, e.Reads); ok {
			return d.Corpus.Child(e, longer, mutate.Diff{First: len(e.Sequence.Txs) - 1, Shape: true})
		}
	}
	return d.Generator.Vary(e)
}

// Run executes up to n candidates of a source, fewer if it returns nil. The
// learners get each result after it was recorded.
func (d *Driver) Run(n int, next func() *search.Candidate, learn ...func(*search.Result)) {
	for range n {
		c := next()
		if c == nil {
			return
		}
		r := d.Execute(c)
		for _, l := range learn {
			l(r)
		}
	}
}

// Execute executes a candidate and records the result.
func (d *Driver) Execute(c *search.Candidate) *search.Result {
	if c.Origin == nil {
		c.Origin = d.Origin
	}
	r := search.Execute(d.Executor, c)
	if r.Real() {
		d.Coverage.Add(r.Sequence.Last().Function, r.Run.Blocks)
	}
	d.recorder.Record(r)
	return r
}

// Approach keeps a result that comes nearer to an uncovered branch than those
// before. It is a learner for Run.
func (d *Driver) Approach(r *search.Result) {
	if !r.Fast() {
		return
	}
	for i := range r.Run.Costs {
		cost := &r.Run.Costs[i]
		if b, ok := cost.Metric.Branch(); ok && d.Branches.Wanted(b) && d.Corpus.Nearer(b, r.Run.Path, &cost.Value) {
			r.Entry = d.Corpus.EntryOf(r)
			value, _ := r.Entry.Cost(cost.Metric)
			d.Corpus.Approach(b, r.Entry, value)
		}
	}
}
