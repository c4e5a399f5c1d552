package engine

import (
	"slices"
	"time"

	"leveret/engine/finding"
	"leveret/engine/input"
)

// stopwatch adds to an effort what passes until the function it returns is
// called. Nothing is decided by it.
func stopwatch(now func() time.Time, e *finding.Effort) func() {
	began := now()
	return func() {
		e.Runs++
		e.Seconds += now().Sub(began).Seconds()
	}
}

// measured runs c and notes what it took if the attacker's contract does more
// in it than answer.
func (x *executor) measured(c *candidate) result {
	if !slices.ContainsFunc(c.sequence.Txs[c.from:], func(tx input.Tx) bool { return armed(&tx) }) {
		return x.run(c)
	}
	defer stopwatch(x.now, &x.agents)()
	return x.run(c)
}

// agentEffort is that of all executors.
func (c *campaign) agentEffort() (all finding.Effort) {
	for _, x := range c.executors {
		all.Runs += x.agents.Runs
		all.Seconds += x.agents.Seconds
	}
	return all
}
