// Package engine is the fuzzer's only door: Run fuzzes one contract.
//
// The loop is HARVEY's Algorithm 1 [Wüstholz and Christakis, ESEC/FSE 2020] with
// the additions of its section 5 (demand-driven sequences), of Targeted Greybox
// Fuzzing with Static Lookahead Analysis [ICSE 2020, Algorithm 1] and of sFuzz
// [ICSE 2020, section 3.2: the best seed of each just-missed branch]. Each is a
// source of inputs, a row of the table in table.go.
//
// The package prints nothing, reads no environment, and decides nothing by a
// clock or by randomness that it was not given.
package engine

import (
	"context"
	"slices"
	"sync"

	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/solc"
)

// Run fuzzes contract until ctx is done or the budget is spent. Others of the
// project serve as dependencies. A contract that cannot be fuzzed gives a
// Result with a Note, not an error. An error means that the options are wrong,
// or, beside a Result, that the corpus could not be saved or, if it is a
// *Panic or a *ForkError, that the campaign ended early.
//
// A test contract of Foundry is fuzzed by running its tests, see RunTests.
func Run(ctx context.Context, contract *solc.Contract, project []*solc.Contract, options Options) (result *finding.Result, err error) {
	if contract.RunsTests() {
		return runSuite(ctx, contract, project, options, nil)
	}
	return runGuarded(ctx, contract, project, options, func(ctx context.Context, c *campaign) error {
		c.loop(ctx)
		if c.budget.executed() == 0 && (ctx.Err() != nil || c.clock.late()) {
			c.result.Note = cutShort(ctx, contract.Name, "its first input had run")
		}
		c.tally()
		return c.saver.save(c.notifier.inputs)
	})
}

// Recheck executes the witnesses in options.Known again, and nothing else. It
// reports them as Run does.
func Recheck(ctx context.Context, contract *solc.Contract, project []*solc.Contract, options Options) (*finding.Result, error) {
	if contract.RunsTests() {
		return runSuite(ctx, contract, project, options, func(signature string) bool {
			return slices.ContainsFunc(options.Known, func(k input.Sequence) bool { return testsOf(contract, k)(signature) })
		})
	}
	return runGuarded(ctx, contract, project, options, func(ctx context.Context, c *campaign) error {
		defer c.shutdown.endWith(ctx)()
		c.replayKnown()
		c.workers[0].triage.Finish()
		return nil
	})
}

// runGuarded sets a campaign up and runs a part of it. A panic becomes an error.
func runGuarded(ctx context.Context, contract *solc.Contract, project []*solc.Contract, options Options, part func(context.Context, *campaign) error) (result *finding.Result, err error) {
	var c *campaign
	err = guard(contract, func() (err error) {
		ctx, done := options.until(ctx)
		defer done()
		ctx, fork, done := watchFork(ctx, options.Fork)
		defer done()
		options.Fork = fork
		if c, err = newCampaign(ctx, contract, project, options); err != nil {
			return err
		}
		if c.result.Note == "" {
			err = part(ctx, c)
		}
		result = c.finish()
		if failed := forkError(ctx); failed != nil {
			result.Note = failed.Error()
			return failed
		}
		return err
	})
	if p, ok := err.(*Panic); ok {
		result = p.abandoned(c, contract)
	}
	return result, err
}

// A campaign is one run of the fuzzer on one contract. Its workers search, each
// by itself; what they share is safe for concurrent use.
type campaign struct {
	options    Options
	corpusName string // of the corpus file; empty: the contract's
	clock      clock
	deployed   *deployed
	workers    []*worker
	budget     budget
	first      *firstRuns
	shutdown   shutdown
	saver      saver
	notifier   notifier
	result     *finding.Result
}

// loop tries inputs until the budget is spent.
func (c *campaign) loop(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer c.shutdown.endWith(ctx)()
	c.replayKnown()
	c.loadCorpus()
	for c.begin(); ; c.begin() {
		c.fuzz(ctx, cancel)
		if c.over(ctx) || !c.pause() {
			break
		}
	}
	for _, w := range c.workers {
		w.triage.Finish()
	}
}

// fuzz runs the workers until all are done. A panic of one ends the others.
func (c *campaign) fuzz(ctx context.Context, cancel context.CancelFunc) {
	if len(c.workers) == 1 {
		c.workers[0].fuzz(ctx)
		return
	}
	var wait sync.WaitGroup
	caught := make([]workerPanic, len(c.workers))
	for i, w := range c.workers {
		wait.Go(func() {
			defer func() {
				if caught[i].value != nil {
					cancel()
				}
			}()
			defer caught[i].catch()
			w.fuzz(ctx)
		})
	}
	wait.Wait()
	rethrow(caught)
}
