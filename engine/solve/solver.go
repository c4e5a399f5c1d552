package solve

import (
	"slices"
	"time"

	"github.com/holiman/uint256"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/demand"
	"leveret/engine/direct"
	"leveret/engine/evm"
	"leveret/engine/exec"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/joint"
	"leveret/engine/predict"
	"leveret/engine/search"
	"leveret/engine/shadow"
)

// A Solver solves for uncovered branches: it runs entries with taint tracking,
// and writes what a condition asks for into the input that its operand is a
// linear function of (input-to-state correspondence). That takes one taint run
// and no second point. It is a source of the inputs that can wait.
type Solver struct {
	search  *search.Search
	guide   *direct.Guide
	taint   *Taint
	wraps   *Wraps
	write   *Overwrite
	groups  *SlotGroups
	jointly *Jointly
	predict *predict.Predictor
	origin  *search.Origin

	options Options
	shared  *sharedChecks
	pending taintQueue
	waiting search.Queue // proposals that can wait
	blocked map[blockingBranch]int
	repairs exec.Budget                 // of Repair
	wants   exec.Budget                 // of Wants
	needs   map[cover.Branch][]evm.Slot // storage that the conditions of branches depend on
	steered map[cover.Metric]int        // writes steered to the probe slot

	operands []evm.Slot // that the operands of the running instruction depend on
}

// Options switch parts of solving off.
type Options struct {
	NoPrediction bool // HARVEY's configuration A
	NoIteration  bool // HARVEY's configuration C
	NoDemand     bool // HARVEY's configuration D, with NoPrediction
	Observed     int  // transactions that a taint run observes, the last ones; 0: all
	Brief        bool // the campaign is one of many with short turns

	Joint func(p *joint.Problem, most int) // called before a problem, which it does not keep, is solved with at most so many instructions; may be nil
}

// Sources are the input sources of this package. They share a solver.
type Sources struct {
	Solver      *Solver
	Predictions *Predictions
	Jointly     *Jointly
	Overwrite   *Overwrite
	Aggressive  *Aggressive
	Groups      *SlotGroups
	Wraps       *Wraps
}

// New returns the sources of a search. executor runs taint tracking.
func New(s *search.Search, g *direct.Guide, executor *exec.Executor, now func() time.Time, o Options) *Sources {
	wraps := NewWraps()
	predictor := predict.New(s.Generator.Random)
	overwrite := &Overwrite{search: s}
	storage := &storageValues{search: s}
	groups := &SlotGroups{search: s, values: storage}
	shared := newSharedChecks(s.Branches)
	solver := &Solver{
		search: s, guide: g, taint: newTaint(s, executor, now, o), wraps: wraps, write: overwrite, groups: groups, jointly: newJointly(s, o),
		predict: predictor, origin: &search.Origin{Name: "substituted"}, options: o,
		shared: shared, pending: newTaintQueue(s, g, shared), blocked: map[blockingBranch]int{}, repairs: exec.Budget{Share: repairShare, Initial: repairInitial},
		wants: exec.Budget{Share: wantsShare, Initial: repairInitial},
		needs: map[cover.Branch][]evm.Slot{}, steered: map[cover.Metric]int{},
	}
	return &Sources{
		Solver:      solver,
		Predictions: newPredictions(s, g, solver, predictor, o),
		Jointly:     solver.jointly,
		Overwrite:   overwrite,
		Aggressive: &Aggressive{
			search: s, guide: g, wraps: wraps, values: storage,
			paths: map[cover.PathID]bool{}, minimisers: map[*search.Candidate]*goalMinimiser{},
		},
		Groups: groups,
		Wraps:  wraps,
	}
}

// Origin returns the origin of the solver's inputs.
func (s *Solver) Origin() *search.Origin { return s.origin }

// Effort returns the time spent with taint tracking.
func (s *Solver) Effort() finding.Effort { return s.taint.effort }

// Rest leaves the memory that taint runs need to campaigns that go on.
func (s *Solver) Rest() { s.taint.observer.Rest() }

// Next returns the next proposal that waited.
func (s *Solver) Next() *search.Candidate { return s.waiting.TakeUnmet() }

// Learn queues a result for a taint run if it has a new path, or if it is worth
// one for another reason.
func (s *Solver) Learn(r *search.Result) {
	if r.Fast() && !s.options.NoPrediction && (r.NewPath && (!r.Irrelevant || s.pending.learns(r)) || s.pending.worth(r)) {
		s.pending.add(s.search.Corpus.EntryOf(r))
	}
}

// CatchUp runs queued entries with taint tracking while there is budget.
func (s *Solver) CatchUp() {
	for s.pending.waits() && !s.search.Over() && s.taint.allows() {
		if e := s.pending.take(); e != nil && s.pending.open(e) {
			s.solve(e)
		}
	}
	s.taint.observer.Lend()
}

// solve runs e with taint tracking, learns where its conditions come from, and
// proposes inputs for uncovered branches.
func (s *Solver) solve(e *corpus.Entry) {
	defer s.taint.measure()()
	p := s.proposalsFor(e)
	if p == nil {
		return
	}
	observed := s.taint.observer.Branches
	decisions := make([]*shadow.Decision, len(observed))
	for i := range observed {
		decisions[i] = &observed[i]
	}
	s.search.Subject.Cover.Learn(decisions)
	for _, d := range decisions {
		s.search.Generator.AddOperands(e.Function().Signature, d)
		if b, ok := s.search.Subject.Cover.Branch(d.Code, d.PC, d.Taken); ok {
			s.shared.took(b, d)
		}
	}
	open := slices.DeleteFunc(decisions, func(d *shadow.Decision) bool { _, open := s.openBranch(d, e); return !open })
	for _, d := range open {
		s.demandStorage(e, d)
		p.compare(d)
	}
	p.extend("operand") // certain
	for _, d := range open {
		if s.search.Over() {
			return
		}
		b, _ := s.search.Subject.Cover.Branch(d.Code, d.PC, !d.Taken)
		p.aimAt(cover.BranchMetric(b, 0))
		s.jointly.flip(p, d, b)
		made := p.made
		if p.flip(d); p.made > made {
			s.shared.tried(b, d)
		}
	}
	s.jointly.pass(p)
	p.steer()
	if p.made < enoughProposals {
		p.extend("xor", "preimage", "signature") // guesses
	}
	if len(open) > 0 {
		s.addGoals(e, nil, 0, len(decisions))
	}
}

// flipLast proposes inputs that flip the last branches of e.
func (s *Solver) flipLast(e *corpus.Entry) {
	defer s.taint.measure()()
	p := s.proposalsFor(e)
	if p == nil {
		return
	}
	decisions := s.taint.observer.Branches
	for i := len(decisions) - 1; i >= max(0, len(decisions)-2); i-- {
		for leaf := range decisions[i].Condition.Leaves {
			if p.made < maxProposals {
				p.flipComparison(leaf)
			}
		}
	}
}

// ReturnValue runs a sequence whose attacker contract answers with a
// placeholder, and returns what the caller compares the answer with; false if
// it does not.
func (s *Solver) ReturnValue(seq input.Sequence) (value uint256.Int, ok bool) {
	defer s.taint.measure()()
	if s.proposalsFor(&corpus.Entry{Sequence: seq}) == nil {
		return value, false
	}
	for _, d := range slices.Backward(s.taint.observer.Branches) {
		for leaf := range d.Condition.Leaves {
			if value, ok := s.taint.comparedWithReturn(leaf); ok {
				return value, true
			}
		}
	}
	return value, false
}

// openBranch returns the other side of a decision on the path of e, and whether
// to solve for it: it is uncovered, and the search is after it.
func (s *Solver) openBranch(d *shadow.Decision, e *corpus.Entry) (cover.Branch, bool) {
	if !s.search.Subject.Watched(d.Code) {
		return 0, false
	}
	tx := e.Sequence.Last()
	b, ok := s.search.Subject.Cover.Branch(d.Code, d.PC, !d.Taken)
	return b, ok && (s.search.Corpus.Uncovered(b, tx) || s.shared.open(b, d)) && s.search.Branches.Wanted(b) && !s.guide.Skips(b, tx)
}

// aim returns an Aim at a goal in sight of an entry.
func (s *Solver) aim(goal cover.Metric, on *corpus.Entry) *Aim {
	b, ok := goal.Branch()
	return &Aim{goal: goal, on: on, corpus: s.search.Corpus, shared: ok && s.search.Branches.Shared(b)}
}

// demandStorage marks the storage words that a condition depends on.
func (s *Solver) demandStorage(e *corpus.Entry, d *shadow.Decision) {
	if wanted := s.taint.storageOf(d); len(wanted) > 0 && !s.options.NoDemand {
		if b, ok := s.search.Subject.Cover.Branch(d.Code, d.PC, !d.Taken); ok {
			s.needs[b] = wanted
		}
		s.search.Generator.Demand.Mark(demand.CalleeOf(e.Sequence.Last()), wanted)
	}
}

// demandOperands marks the storage words of arithmetic that may wrap and never
// did.
func (s *Solver) demandOperands(e *corpus.Entry, a *shadow.Arith) {
	if a.Frame.Code == nil || s.options.NoDemand || !s.search.Subject.Cover.MayWrap(a.Frame.Code, a.PC) || s.wraps.triaged[cover.ArithMetric(a.Frame.Code, a.PC)] > 0 {
		return
	}
	if s.operands = s.taint.storage(s.taint.storage(s.operands[:0], a.A), a.B); len(s.operands) > 0 {
		s.search.Generator.Demand.Mark(demand.CalleeOf(e.Sequence.Last()), s.operands)
	}
}
