package engine

import (
	"cmp"
	"slices"

	"leveret/engine/corpus"
	"leveret/engine/evm"
	"leveret/engine/exec"
)

// maxStateBytes bounds the Worlds that are kept with Entries.
const maxStateBytes = 256 << 20

// statesOf returns the states before e's Txs. Those that were let go are made
// again from the deployment.
func (c *campaign) statesOf(e *corpus.Entry) []exec.State {
	a := attached(e)
	c.uses++
	a.used = c.uses
	if a.states == nil {
		a.states = c.rerun(e)
		c.keep(a)
	}
	return a.states
}

// rerun executes all but the last Tx of e.
func (c *campaign) rerun(e *corpus.Entry) []exec.State {
	states := []exec.State{c.start}
	for i := range len(e.Sequence.Txs) - 1 {
		next, outcome := c.judge.executor.Transact(states[i], &e.Sequence.Txs[i], nil, nil)
		if outcome.Status != evm.Success {
			next = states[i] // cancelled: the campaign is over anyway
		}
		states = append(states, next)
	}
	return states
}

// keep counts what an Entry's states hold, and lets go of those that were not
// used for longest once it is too much.
func (c *campaign) keep(a *attachment) {
	a.size = 0
	for _, s := range a.states {
		a.size += s.World.Size()
	}
	c.holding = append(c.holding, a)
	c.held += a.size
	if c.held <= maxStateBytes {
		return
	}
	slices.SortStableFunc(c.holding, func(a, b *attachment) int { return cmp.Compare(b.used, a.used) })
	for last := len(c.holding) - 1; last > 0 && c.held > maxStateBytes/2; last-- {
		c.held -= c.holding[last].size
		c.holding[last].states = nil
		c.holding = c.holding[:last]
	}
}
