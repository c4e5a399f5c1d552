package solve

import (
	"testing"
	"time"

	"leveret/engine/cover"
	"leveret/engine/demand"
	"leveret/engine/evm"
	"leveret/engine/exec"
	"leveret/engine/input"
	"leveret/engine/mutate"
	"leveret/engine/search"
	"leveret/engine/search/searchtest"
	"leveret/solc"
)

// A solving is a search with the sources of this package.
type solving struct {
	*searchtest.Driver
	*Sources
}

// newSolving deploys a contract and sets the sources up.
func newSolving(t *testing.T, b *solc.Build, name string) *solving {
	t.Helper()
	d := searchtest.New(t, b, name, 3)
	return &solving{d, New(d.Search, nil, d.Replayer, time.Now, Options{})}
}

// explored is newSolving after some inputs of all sources.
func explored(t *testing.T, b *solc.Build, name string, inputs int) *solving {
	t.Helper()
	s := newSolving(t, b, name)
	s.explore(inputs, s.next)
	return s
}

// explore executes candidates of a source. All sources of this package learn
// from the results, and then the other learners.
func (s *solving) explore(inputs int, next func() *search.Candidate, others ...func(*search.Result)) {
	learners := []func(*search.Result){s.Solver.Learn, s.Overwrite.Learn, s.Aggressive.Learn, s.Predictions.Learn}
	s.Run(inputs, next, append(learners, others...)...)
}

// next returns an urgent candidate, or one of another source.
func (s *solving) next() *search.Candidate {
	if c := s.urgent(); c != nil {
		return c
	}
	sources := []func() *search.Candidate{s.Solver.Next, s.Predictions.Iterate, s.Aggressive.Next, s.Groups.Next}
	if i := s.Generator.Random.IntN(2 * len(sources)); i < len(sources) {
		if c := sources[i](); c != nil {
			return c
		}
	}
	return s.Driver.Next()
}

// urgent returns a candidate that runs before all others; nil if there is none.
func (s *solving) urgent() *search.Candidate {
	for _, source := range []func() *search.Candidate{s.Predictions.Next, s.Queue.TakeUnmet, s.attempt} {
		if c := source(); c != nil {
			return c
		}
	}
	return nil
}

// attempt returns a candidate that may reach a state goal.
func (s *solving) attempt() *search.Candidate {
	attempt, ok := s.Generator.Demand.NextAttempt(s.Generator.Random)
	if !ok || !s.Generator.Propose(attempt.Sequence) {
		return nil
	}
	entries := s.Corpus.ByCallee(demand.CalleeOf(attempt.Sequence.Last()))
	if len(entries) == 0 {
		return nil
	}
	next := s.Corpus.Child(entries[0], attempt.Sequence, mutate.Diff{Shape: true})
	next.Purpose, _ = attempt.Origin.(search.Purpose)
	return next
}

// calls executes calls of functions as one input. list alternates functions and
// their only argument; each call comes after a delay in seconds.
func (s *solving) calls(t *testing.T, delay uint64, list ...any) *search.Result {
	t.Helper()
	seq := input.Sequence{Deployment: s.Subject.Deployment.Record}
	for i := 0; i < len(list); i += 2 {
		callee := s.Callee(t, list[i].(string))
		tx := input.Tx{From: input.User1, To: callee.Address, Function: callee.Function, Args: callee.Function.Zero()}
		tx.Args[0].Word.SetUint64(uint64(list[i+1].(int)))
		tx.Delay.Seconds = delay
		seq.Txs = append(seq.Txs, tx)
	}
	r := s.Execute(s.Generator.FromStart(seq))
	r.Run.Keep()
	if r.PrefixFailed {
		t.Fatalf("%v: a transaction before the last one fails", list)
	}
	return r
}

// Proposals for an aim that was met meanwhile are dropped; the others run, in
// order. For a function without state, it is enough that the branch is covered.
func TestProposalsForMetAimsAreDropped(t *testing.T) {
	s := newSolving(t, searchtest.Compile(t, "../testdata/Ways.sol"), "Ways")
	calling := func(name string, to *Aim) *search.Candidate {
		callee := s.Callee(t, name)
		to.corpus = s.Corpus
		tx := input.Tx{From: input.Deployer, To: callee.Address, Function: callee.Function}
		return &search.Candidate{Purpose: to, Job: exec.Job{Sequence: input.Sequence{Txs: []input.Tx{tx}}}}
	}
	covered, uncovered := cover.BranchMetric(0, 0), cover.BranchMetric(2, 0)
	s.Corpus.Cover([]cover.Branch{0})
	met := calling("direct", &Aim{goal: uncovered, met: true})
	none, open, again := &search.Candidate{}, calling("direct", &Aim{goal: uncovered}), calling("direct", &Aim{goal: covered})
	looked, looks := calling("looks", &Aim{goal: covered}), calling("looks", &Aim{goal: uncovered})
	for _, c := range []*search.Candidate{met, none, met, open, looked, again, looks, looked} {
		s.Solver.waiting.Add(c)
	}
	for i, want := range []*search.Candidate{none, open, again, looks, nil} {
		if got := s.Solver.Next(); got != want {
			t.Errorf("candidate %d is another", i)
		}
	}
}

// An input that reaches its aim marks the aim as met, for all inputs that were
// made for it. Proposals for one goal of an entry share an aim.
func TestAimsAreMet(t *testing.T) {
	s := explored(t, searchtest.Compile(t, "../testdata/Ways.sol"), "Ways", 100)
	e := s.Corpus.Entries[0]
	p := s.Solver.proposalsFor(e)
	taken := e.Branches[len(e.Branches)-1]
	p.aimAt(cover.BranchMetric(taken, 0))
	one := p.aim
	p.aimAt(cover.BranchMetric(taken.Other(), 0))
	other := p.aim
	if p.aimAt(one.goal); p.aim != one || other == one {
		t.Error("one goal of an entry has two aims, or two goals have one")
	}
	for _, to := range []*Aim{one, other} {
		s.Predictions.Learn(&search.Result{
			Candidate: &search.Candidate{Job: exec.Job{Sequence: e.Sequence}, Purpose: to, Parent: e},
			Result:    exec.Result{Run: cover.Run{Branches: e.Branches, Costs: e.Costs}, Outcome: evm.Outcome{Status: evm.Success}},
		})
	}
	if !one.met || other.met {
		t.Errorf("reached: met is %v; missed: met is %v", one.met, other.met)
	}
}
