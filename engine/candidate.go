package engine

import (
	"leveret/engine/corpus"
	"leveret/engine/exec"
	"leveret/engine/finding"
	"leveret/engine/mutate"
)

// A candidate is an input about to be tried.
type candidate struct {
	exec.Job
	source *source

	parent  *corpus.Entry // what it was made from; nil for seeds
	change  mutate.Diff   // how it differs from the parent
	solving *solving      // the prediction it belongs to, if any
	steps   int           // inputs of that prediction so far
	aim     *aim          // what it was made for; nil: nothing in particular
	easing  *easing       // of the Dream that storage makes up; nil: none
}

// A result is what became of a candidate.
type result struct {
	*candidate
	exec.Result
}

// execute runs a candidate. If it was put together from parts, it goes on
// without those that fail.
func execute(x *exec.Executor, c *candidate) result {
	c.DropFailing = c.change.Shape && c.solving == nil
	return result{c, x.Run(&c.Job)}
}

// newExecutor returns an executor whose Recorder watches all code but agents'.
func (c *campaign) newExecutor() *exec.Executor {
	return exec.New(c.cover, c.watched, c.probe, c.topics, c.options.Now)
}

// agentEffort is that of all executors.
func (c *campaign) agentEffort() (all finding.Effort) {
	for _, x := range c.executors {
		all.Runs += x.Scripted.Runs
		all.Seconds += x.Scripted.Seconds
	}
	return all
}
