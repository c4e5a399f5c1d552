package triage

import (
	"slices"

	"leveret/engine/exec"
	"leveret/engine/oracle"
)

// A budget limits triage to a share of the work of executing inputs.
type budget struct {
	usual      exec.Budget
	rare       exec.Budget // while the first finding of an oracle may wait
	last       exec.Budget // to confirm suspects when the campaign is over
	confirming uint64      // work so far
	shrinking  uint64
}

func newBudget() budget {
	return budget{
		usual: exec.Budget{Share: 0.06, Initial: 60e6}, rare: exec.Budget{Share: 0.09, Initial: 100e6},
		last: exec.Budget{Share: 1, Initial: 10e9},
	}
}

// allows reports whether there is budget left for a suspect of a rank.
func (b *budget) allows(r rank, work uint64) bool {
	limit := b.usual
	switch r {
	case certain:
		return true
	case rare:
		limit = b.rare
	}
	limit.Spent = b.confirming + b.shrinking
	return limit.Allows(work)
}

// work confirms suspects and shrinks findings as far as the budget allows, or as
// long as there is time.
func (t *Triage) work(all bool) {
	if _, waits := t.suspects.first(); !waits && len(t.open) == 0 {
		return
	}
	began := t.options.Now()
	for t.hasTime(all) && t.next(all) {
	}
	t.effort.Seconds += t.options.Now().Sub(began).Seconds()
}

func (t *Triage) hasTime(all bool) bool {
	if all {
		return t.options.Shrinks()
	}
	return !t.options.Over()
}

// next confirms one suspect or executes one attempt to shrink a finding; false if
// there is nothing to do or no budget. Suspects get twice the share of findings, since
// a new finding tells more than a shorter one, and what is almost certainly the first
// finding of an oracle comes first.
func (t *Triage) next(all bool) bool {
	r, confirms := t.suspects.first()
	confirms = confirms && (!all || r == certain || t.budget.last.Allows(t.progress.Work))
	shrinks := len(t.open) > 0
	switch {
	case !all && !t.budget.allows(r, t.progress.Work):
		return false
	case confirms && (!shrinks || r == certain || t.budget.confirming <= 2*t.budget.shrinking):
		s := t.suspects.take(r)
		work := t.spend(&t.budget.confirming, func() { t.confirm(s) })
		t.suspects.charge(s, r, work)
		if all {
			t.budget.last.Spent += work
		}
	case shrinks:
		t.spend(&t.budget.shrinking, func() { t.shrink(t.severest()) })
	default:
		return false
	}
	return true
}

// spend adds the work of f to a part of the budget, and returns it.
func (t *Triage) spend(on *uint64, f func()) uint64 {
	before := t.run.work
	t.run.cancelled = false
	f()
	work := t.run.work - before
	*on += work
	return work
}

// severest returns the oldest of the severest open findings.
func (t *Triage) severest() *openFinding {
	return slices.MaxFunc(t.open, func(a, b *openFinding) int { return int(a.finding.Severity) - int(b.finding.Severity) })
}

// confirm checks a suspect, and reports what is confirmed. If it was cancelled, the
// suspect waits again.
func (t *Triage) confirm(s *suspect) {
	t.dropSettled(s)
	if len(s.oracles) == 0 && !s.broken {
		return
	}
	c := t.checker
	c.retry = false
	verdicts := c.check(s.sequence, t.needed(s), c.properties.list, searching)
	if t.run.cancelled {
		t.suspects.put(s, t.rank(s))
		return
	}
	t.effort.Runs++
	if c.retry {
		t.checked[s.suspicion] = s.tries
	} else {
		t.known.settle(s)
	}
	t.Report(s.sequence, verdicts, ShrinkBudget, s.from)
}

// needed returns the oracles that check a suspect: all of them if one needs taint
// tracking, which costs more than all oracles together.
func (t *Triage) needed(s *suspect) []*oracle.Oracle {
	if slices.ContainsFunc(s.oracles, t.checker.taints) {
		return t.checker.oracles
	}
	return s.oracles
}
