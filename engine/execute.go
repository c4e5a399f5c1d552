package engine

import (
	"sync"

	"leveret/engine/search"
)

// batchPerWorker is how many inputs each of several executors gets at once: so
// many that handing them out costs little, so few that the loop decides on what
// it learned last.
const batchPerWorker = 16

func (c *campaign) batchSize() int {
	size := 1
	if len(c.deployed.executors) > 1 {
		size = len(c.deployed.executors) * batchPerWorker
	}
	if c.options.MaxInputs > 0 {
		size = min(size, c.options.MaxInputs-c.search.Progress.Inputs)
	}
	return size
}

// execute runs a batch and returns the results in the batch's order, so that
// what is learned does not depend on which executor was faster.
func (c *campaign) execute(batch []*search.Candidate) []*search.Result {
	results := make([]*search.Result, len(batch))
	if len(c.deployed.executors) == 1 {
		for i, next := range batch {
			results[i] = search.Execute(c.deployed.executors[0], next)
		}
		return results
	}
	var wait sync.WaitGroup
	caught := make([]workerPanic, len(c.deployed.executors))
	for n, x := range c.deployed.executors {
		wait.Go(func() {
			defer caught[n].catch()
			for i := n; i < len(batch); i += len(c.deployed.executors) {
				results[i] = search.Execute(x, batch[i])
				results[i].Run.Keep()
			}
		})
	}
	wait.Wait()
	rethrow(caught)
	return results
}
