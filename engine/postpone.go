package engine

import (
	"cmp"
	"iter"
	"math"
	"slices"

	"leveret/engine/corpus"
	"leveret/engine/cover"
)

// A postponed Entry waits for an inspection: there is work for more than a
// campaign can spend on them.
type postponed struct {
	*corpus.Entry
	stray bool // comes after the others
	looks int  // at the goal in its sight that was looked at least
}

// maxPostponed bounds the Entries that wait.
const maxPostponed = 128

// inspect has e looked at, as soon as there is something left for it.
func (c *campaign) inspect(e *corpus.Entry) {
	last := e.Sequence.Last()
	if c.direction.vain(last) {
		return
	}
	c.postponed = append(c.postponed, postponed{Entry: e, stray: c.strays(last)})
	if len(c.postponed) >= 2*maxPostponed {
		c.rank()
		c.postponed = slices.Delete(c.postponed, 0, max(0, len(c.postponed)-maxPostponed))
	}
}

// catchUp looks at what waits for it.
func (c *campaign) catchUp() {
	for len(c.postponed) > 0 && !c.over() && c.inspecting.Allows(c.work) {
		c.rank()
		if len(c.postponed) == 0 {
			return
		}
		last := len(c.postponed) - 1
		e := c.postponed[last].Entry
		c.postponed = c.postponed[:last]
		if c.open(e) {
			c.look(e)
		}
	}
}

// rank puts what is postponed in order, and leaves out what has no goal any
// more. Last comes what has a goal in sight that was looked at least, and the
// newest of those: what a campaign meets late is often what it looked for all
// the time.
func (c *campaign) rank() {
	for i := range c.postponed {
		p := &c.postponed[i]
		p.looks = math.MaxInt
		for goal := range c.openGoals(p.Entry) {
			p.looks = min(p.looks, c.looks[goal])
		}
	}
	c.postponed = slices.DeleteFunc(c.postponed, func(p postponed) bool { return p.looks == math.MaxInt })
	slices.SortStableFunc(c.postponed, func(a, b postponed) int {
		switch {
		case a.stray == b.stray:
			return cmp.Compare(b.looks, a.looks)
		case a.stray:
			return -1
		}
		return 1
	})
}

// openGoals are the goals that e came near to, that were never met, and that
// are worth it.
func (c *campaign) openGoals(e *corpus.Entry) iter.Seq[cover.Metric] {
	return func(yield func(cover.Metric) bool) {
		for i := range e.Costs {
			goal := e.Costs[i].Metric
			if b, ok := goal.Branch(); ok {
				if !c.unseen(b, e.Sequence.Last()) || !c.worthwhile(b) {
					continue
				}
				goal = cover.BranchMetric(b, 0)
			}
			if !yield(goal) {
				return
			}
		}
	}
}

// maxLooks bounds how often the shadow tier is asked about one goal, whatever
// the path.
const maxLooks = 40

// open reports whether e came near to a goal that is worth another look.
func (c *campaign) open(e *corpus.Entry) bool {
	open := false
	for goal := range c.openGoals(e) {
		if b, ok := goal.Branch(); ok && c.astray(b, e.Sequence.Last()) {
			continue
		}
		if c.looks[goal] < c.patience(maxLooks) {
			c.looks[goal]++
			open = true
		}
	}
	return open
}

// lookEvery is after how many inputs a goal is worth one more look than at the
// beginning: a campaign that goes on has come to states that were out of reach.
const lookEvery = 32

// patience is how many looks a goal is worth by now, that was worth n at first.
func (c *campaign) patience(n int) int { return n + c.result.Stats.Inputs/lookEvery }
