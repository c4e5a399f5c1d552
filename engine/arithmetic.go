package engine

import (
	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/demand"
	"leveret/engine/evm"
	"leveret/engine/exec"
	"leveret/engine/shadow"
)

// wrapsPerSite bounds how often new combinations of wraps at one place are
// looked into: the first few tell what becomes of its result.
const wrapsPerSite = 24

// wrapSet identifies which arithmetic wrapped in a run, whatever the order;
// places that were looked at often enough are left out.
func (c *campaign) wrapSet(run *cover.Run) (set uint64) {
	for _, site := range run.Wraps {
		if c.wrapped[site] < wrapsPerSite {
			x := uint64(site) * 0x9e3779b97f4a7c15
			set += x ^ x>>29
		}
	}
	return set
}

// examinedWraps counts the places that are about to be looked at.
func (c *campaign) examinedWraps(run *cover.Run) {
	for _, site := range run.Wraps {
		c.wrapped[site]++
	}
}

// wrapDreams bounds how often made-up storage that lets arithmetic wrap where
// it never did counts as news.
const wrapDreams = 8

// imaginedWrap reports whether a run with made-up storage wrapped where no
// real one did: the function wants other state, though its paths are known.
func (c *campaign) imaginedWrap(r *result) bool {
	if r.Outcome.Status != evm.Success {
		return false
	}
	for _, site := range r.Run.Wraps {
		if c.wrapped[site] == 0 && c.dreamt[site] < wrapDreams {
			c.dreamt[site]++
			return true
		}
	}
	return false
}

// operands puts storage words in demand on which arithmetic works that may
// wrap and never did.
func (s *substitution) operands(a *shadow.Arith) {
	if a.Frame.Code == nil || s.options.NoDemand || !s.cover.MayWrap(a.Frame.Code, a.PC) || s.wrapped[cover.ArithMetric(a.Frame.Code, a.PC)] > 0 {
		return
	}
	var wanted []evm.Slot
	for _, w := range [2]shadow.Word{a.A, a.B} {
		for _, source := range s.observer.Sets().Sources(w.Sources()) {
			if source.Kind == shadow.FromStorage && source.Offset != shadow.Anywhere {
				wanted = append(wanted, evm.Slot{Address: source.Address, Key: source.Slot})
			}
		}
	}
	if len(wanted) > 0 {
		s.demand.Mark(demand.CalleeOf(s.entry.Sequence.Last()), wanted)
	}
}

// unwrappedTries bounds how often a wrap that came to nothing is followed up.
const unwrappedTries = 12

// unwrapped follows up a run in which arithmetic wrapped but that failed for
// another reason: the branch that stopped it is solved for, though both of its
// outcomes are known, because no run had both the wrap and the other outcome.
func (c *campaign) unwrapped(r *result) {
	if c.options.NoPrediction || len(r.Run.Wraps) == 0 || r.Outcome.Status == evm.Success || r.Storage != nil {
		return
	}
	for _, site := range r.Run.Wraps {
		failed := site | failedWraps
		if c.dreamt[failed] >= unwrappedTries {
			continue
		}
		c.dreamt[failed]++
		c.turnLast(c.entry(r))
		return
	}
}

// failedWraps tells the count of followed-up failures from that of dreams.
const failedWraps = cover.Metric(1) << 61

// turnLast proposes inputs that turn the last branches of e.
func (c *campaign) turnLast(e *corpus.Entry) {
	defer exec.Stopwatch(c.options.Now, &c.result.Stats.Shadow)()
	s := c.reenact(e)
	if s == nil {
		return
	}
	decisions := s.observer.Branches
	for i := len(decisions) - 1; i >= max(0, len(decisions)-2); i-- {
		for leaf := range decisions[i].Condition.Leaves {
			if s.made < maxSubstitutions {
				s.leaf(leaf)
			}
		}
	}
}
