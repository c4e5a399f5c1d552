package engine

import (
	"sync"

	"leveret/engine/cover"
	"leveret/engine/finding"
	"leveret/engine/search"
)

// firstRuns records when a block was executed first by any worker. It is safe for
// concurrent use.
type firstRuns struct {
	subject *search.Subject
	clock   *clock
	budget  *budget
	all     bool // keep when each block of the contract under test was executed

	mu           sync.Mutex
	covered      []bool // by cover.BlockID
	instructions finding.Coverage
	goals        map[cover.BlockID]bool // targets of an experiment that were not executed yet
	hits         []finding.FirstHit
}

func newFirstRuns(s *search.Subject, clock *clock, b *budget, all bool) *firstRuns {
	return &firstRuns{
		subject: s, clock: clock, budget: b, all: all,
		instructions: finding.Coverage{Total: s.Cover.Bytecode(s.Code).Count}, // numbers its branches before those of other code
	}
}

// setGoals sets the targets of an experiment: once all were executed, the
// campaign is over.
func (f *firstRuns) setGoals(pcs []uint64) {
	f.goals = map[cover.BlockID]bool{}
	for _, pc := range pcs {
		if b, ok := f.subject.Cover.BlockAt(f.subject.Code, pc); ok {
			f.goals[b] = true
		}
	}
	if len(pcs) > 0 && len(f.goals) == 0 {
		f.budget.end()
	}
}

// run counts a block on its first execution by a worker.
func (f *firstRuns) run(b cover.BlockID, site cover.BlockSite) {
	if site.Code != f.subject.Code {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for int(b) >= len(f.covered) {
		f.covered = append(f.covered, false)
	}
	if f.covered[b] {
		return
	}
	f.covered[b] = true
	f.instructions.Covered += site.Instructions
	if f.all || f.goals[b] {
		f.hits = append(f.hits, finding.FirstHit{PC: site.PC, Inputs: f.budget.executed(), Seconds: f.clock.elapsed().Seconds()})
	}
	if f.goals[b] {
		if delete(f.goals, b); len(f.goals) == 0 {
			f.budget.end()
		}
	}
}

// report returns the covered instructions and the first executions so far.
func (f *firstRuns) report() (finding.Coverage, []finding.FirstHit) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.instructions, f.hits[:len(f.hits):len(f.hits)]
}
