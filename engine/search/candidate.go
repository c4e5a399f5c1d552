package search

import (
	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/evm"
	"leveret/engine/exec"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/mutate"
	"leveret/engine/oracle"
)

// An Origin is the source that inputs come from, as statistics count it.
type Origin struct {
	Name string
	Stat finding.SourceStat
	Dry  int         // inputs since the last that covered something new
	Rate corpus.Rate // of repeats
	Work corpus.Mean // of an input, in units of exec.Budget
}

// A Candidate is an input to execute.
type Candidate struct {
	exec.Job
	Origin  *Origin
	Parent  *corpus.Entry // what it was made from; nil for seeds
	Change  mutate.Diff   // how it differs from the parent
	Purpose Purpose       // nil: new coverage
	Random  bool          // Vary or Longer made it: Further may change it
	Hashed  [][]byte      // inputs of hashes that its maker put into arguments
}

// A Purpose is what a source made a candidate for.
type Purpose interface {
	// Met reports whether the candidate need not be executed any more.
	Met(*Candidate) bool
}

// A Result is a candidate after its execution. The learners of a campaign fill
// in what the later ones use.
type Result struct {
	*Candidate
	exec.Result
	Known      *corpus.Entry // had the same path before; nil if it was forgotten
	NewPath    bool          // nothing had its path before
	Entry      *corpus.Entry // made of this result; nil: none so far
	Irrelevant bool          // mutating it cannot lead to a target
}

// A Repeat is a candidate that is not executed, as an equal one was before.
type Repeat struct {
	*Candidate
	Digest uint64        // as in exec.Result
	Path   cover.PathID  // of the run before; 0 if a transaction before the last one fails
	Known  *corpus.Entry // has that path; nil if the candidate has overridden storage
}

// Execute prepares and runs a candidate. One that was put together from several parts drops
// the transactions that fail.
func Execute(x *exec.Executor, c *Candidate) *Result {
	ready := Prepare(x, c)
	return &Result{Candidate: c, Result: x.Run(&ready)}
}

// Shorten drops the first transactions of a sequence that is longer than a run.
func (s *Subject) Shorten(c *Candidate) {
	if s.Suite == nil || s.Suite.Run.Depth == 0 {
		return
	}
	if over := len(c.Sequence.Txs) - s.Suite.Run.Depth; over > 0 {
		c.Sequence.Txs, c.Change.Shape, c.Change.First = c.Sequence.Txs[over:], true, 0
		c.Begun = exec.Begun{}
	}
}

// Prepare leads to the state before the last transaction of a candidate.
func Prepare(x *exec.Executor, c *Candidate) exec.Ready {
	c.DropFailing = c.Change.Shape
	return x.Prepare(&c.Job)
}

// Real reports whether the last transaction ran, on storage that transactions
// led to.
func (r *Result) Real() bool { return !r.PrefixFailed && r.Storage == nil }

// Fast reports whether r is Real and ran within the limits of an input. Sources
// learn from no other.
func (r *Result) Fast() bool { return r.Real() && !r.Outcome.Slow }

// Succeeded reports whether the last transaction did not revert.
func (r *Result) Succeeded() bool { return r.Outcome.Status == evm.Success }

// Before returns the world before the last transaction.
func (r *Result) Before() *evm.World { return r.At.World }

// Profits reports whether the sender of the last transaction has more wei after
// it than before.
func (r *Result) Profits() bool {
	return r.Succeeded() && oracle.Gains(r.Sequence.Last().From, r.Before(), r.After)
}

// Shows reports whether the run showed any of some signs.
func (r *Result) Shows(signs cover.Suspicion) bool { return r.Run.Suspicion&signs != 0 }

// Progress counts what a campaign has done. Sources adapt to it, not to a clock.
type Progress struct {
	Inputs   int
	LastNew  int    // Inputs when a branch or block was last covered for the first time
	LastNear int    // Inputs when one came nearer to a branch than those before it
	Work     uint64 // for inputs, in units of exec.Budget
}

// SinceNew returns the inputs since the last new coverage.
func (p *Progress) SinceNew() int { return p.Inputs - p.LastNew }

// Stateless reports whether a function neither reads nor writes state.
func Stateless(f *input.Function) bool { return f.Mutability == input.Pure }
