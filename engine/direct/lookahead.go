// Package direct directs a campaign at targets: it runs the lookahead analysis
// [Wüstholz and Christakis, Targeted Greybox Fuzzing with Static Lookahead
// Analysis, ICSE 2020], and tells the input sources which functions, branches
// and entries lead to a target.
package direct

import (
	"encoding/binary"
	"time"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/evm"
	"leveret/engine/exec"
	"leveret/engine/finding"
	"leveret/engine/lookahead"
	"leveret/engine/search"
)

// newBudget returns the share of the work that the analysis may take [paper VI,
// RQ4].
func newBudget() exec.Budget { return exec.Budget{Share: 0.01, Initial: 10e6} }

// A Lookahead is the analysis of one campaign: which prefixes of paths can no
// longer lead to a target [paper IV].
type Lookahead struct {
	request  Request
	subject  *search.Subject
	corpus   *search.Corpus
	progress *search.Progress
	executor *exec.Executor
	now      func() time.Time

	analyzer lookahead.Analyzer
	schedule lookahead.Schedule
	mode     lookahead.Mode
	tracer   tracer
	budget   exec.Budget
	known    map[int]bool // by evm.Code.ID
	targets  targetSet
	asked    bool                  // the user named the targets
	arrived  bool                  // one of them was covered
	seen     map[lookahead.ID]bool // prefixes found so far
	calls    int
	spent    time.Duration
}

// NewLookahead sets the analysis up in one of the paper's configurations B, C
// and D. executor traces paths.
func NewLookahead(mode lookahead.Mode, q Request, s *search.Subject, c *search.Corpus, p *search.Progress, executor *exec.Executor, now func() time.Time) *Lookahead {
	began := now()
	l := &Lookahead{
		request: q, subject: s, corpus: c, progress: p, executor: executor, now: now,
		mode: mode, budget: newBudget(), known: map[int]bool{}, seen: map[lookahead.ID]bool{},
	}
	l.analyzer.Blind = mode.Blind
	l.targets, l.asked = q.targets(s)
	l.analyzer.Focus = l.asked
	for _, d := range s.Deployment.Contracts {
		l.addCode(s.Deployment.World.Code(d.Address))
	}
	list := make([]lookahead.Target, 0, len(l.targets))
	for t := range l.targets {
		list = append(list, t)
	}
	l.analyzer.SetTargets(list)
	l.spent = now().Sub(began)
	return l
}

// addCode makes a code known to the analysis.
func (l *Lookahead) addCode(code *evm.Code) {
	if code == nil || l.known[code.ID] || code.ID == evm.Overflow || code.Init {
		return
	}
	l.known[code.ID] = true
	l.analyzer.AddCode(code.ID, l.subject.Cover.Bytecode(code))
}

// Learn counts an input on a known path, or analyzes a new entry.
func (l *Lookahead) Learn(r *search.Result) {
	switch {
	case r.Known != nil:
		l.Count(r.Known)
	case l != nil && r.Entry != nil:
		r.Irrelevant = l.analyze(r.Entry, r.Outcome.Slow)
	}
}

// maxSeen bounds the prefixes that are known.
const maxSeen = 1 << 18

// Count counts an input on the path of an entry [paper, Definitions 5 and 6].
func (l *Lookahead) Count(e *corpus.Entry) {
	if l != nil {
		l.schedule.Fuzzed(&search.Attached(e).Lookahead)
	}
}

// analyze finds the no-target-ahead prefix of a new entry [paper, Algorithm 1,
// line 11]. It reports whether mutating what comes after the prefix is
// irrelevant: nothing there leads to a target, and another entry has the same
// prefix. Slow inputs are not analyzed.
func (l *Lookahead) analyze(e *corpus.Entry, slow bool) (irrelevant bool) {
	var result lookahead.Result
	if slow || !l.budget.Allows(l.progress.Work) {
		binary.LittleEndian.PutUint64(result.ID[:], uint64(e.Path)) // the whole path is a prefix too [paper, Definition 2]
		search.Attached(e).Lookahead = l.schedule.Add(&result)
		return false
	}
	began := l.now()
	l.tracer.reset(l.subject.Watched)
	l.executor.Transact(l.corpus.LastState(e), e.Sequence.Last(), nil, l.tracer.hooks())
	for _, code := range l.tracer.codes {
		l.addCode(code)
	}
	steps := l.analyzer.Stats.Steps
	if l.tracer.root != nil {
		result = l.analyzer.Analyze(l.tracer.root)
	}
	l.budget.Spent += 2*exec.Cost(l.executor.Machine, exec.HookedStep) + exec.AbstractStep*uint64(l.analyzer.Stats.Steps-steps)
	search.Attached(e).Lookahead = l.schedule.Add(&result)
	l.calls++
	l.spent += l.now().Sub(began)
	irrelevant = result.Proper && l.seen[result.ID]
	if len(l.seen) < maxSeen {
		l.seen[result.ID] = true
	}
	return irrelevant
}

// Covered removes a target that was covered. Targets that the user named stay:
// the lines stay interesting, and an experiment ends with its last target.
func (l *Lookahead) Covered(site cover.BlockSite) {
	if l == nil {
		return
	}
	t := lookahead.Target{Code: site.Code.ID, PC: uint32(site.PC)}
	if !l.targets[t] {
		return
	}
	l.arrived = true
	if !l.asked {
		delete(l.targets, t)
		l.analyzer.RemoveTarget(t)
	}
}

// Schedule returns the power schedule of the paper; without an analysis that of
// HARVEY.
func (l *Lookahead) Schedule() corpus.Schedule {
	if l == nil {
		return corpus.CutOffExponential
	}
	return corpus.Schedule{Name: "lookahead " + l.mode.Name, Energy: func(_ *corpus.Corpus, e *corpus.Entry) int {
		return corpus.Slowed(e, l.schedule.Energy(l.mode, &search.Attached(e).Lookahead, e.Usage.Selected))
	}}
}

// Stats returns what a report says about the analysis.
func (l *Lookahead) Stats() (s finding.Lookahead) {
	if l != nil {
		s = finding.Lookahead{Calls: l.calls, Proper: l.analyzer.Stats.Proper, IDs: len(l.seen), Seconds: l.spent.Seconds()}
	}
	return s
}
