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

	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/search"
	"leveret/engine/triage"
	"leveret/solc"
)

// Run fuzzes contract until ctx is done or the budget is spent. Others of the
// project serve as dependencies. A contract that cannot be fuzzed gives a
// Result with a Note, not an error. An error means that the options are wrong,
// or, beside a Result, that the corpus could not be saved or, if it is a
// *Panic, that the campaign ended early.
func Run(ctx context.Context, contract *solc.Contract, project []*solc.Contract, options Options) (result *finding.Result, err error) {
	return runGuarded(ctx, contract, project, options, func(ctx context.Context, c *campaign) error {
		c.loop(ctx)
		if c.search.Progress.Inputs == 0 && (ctx.Err() != nil || c.clock.late()) {
			c.result.Note = cutShort(ctx, contract.Name, "its first input had run")
		}
		return c.saver.save(c.corpusTexts)
	})
}

// Recheck executes the witnesses in options.Known again, and nothing else. It
// reports them as Run does.
func Recheck(ctx context.Context, contract *solc.Contract, project []*solc.Contract, options Options) (*finding.Result, error) {
	return runGuarded(ctx, contract, project, options, func(ctx context.Context, c *campaign) error {
		defer c.shutdown.endWith(ctx)()
		c.replayKnown()
		c.triage.Finish()
		return nil
	})
}

// runGuarded sets a campaign up and runs a part of it. A panic becomes an error.
func runGuarded(ctx context.Context, contract *solc.Contract, project []*solc.Contract, options Options, part func(context.Context, *campaign) error) (result *finding.Result, err error) {
	var c *campaign
	err = guard(contract, func() (err error) {
		ctx, done := options.until(ctx)
		defer done()
		if c, err = newCampaign(ctx, contract, project, options); err != nil {
			return err
		}
		if c.result.Note == "" {
			err = part(ctx, c)
		}
		result = c.finish()
		return err
	})
	if p, ok := err.(*Panic); ok {
		result = p.abandoned(c, contract)
	}
	return result, err
}

// A campaign is one run of the fuzzer on one contract. Its loop decides;
// executors only execute.
type campaign struct {
	options  Options
	clock    clock
	deployed *deployed
	search   *search.Search
	sources  *sources
	strategy strategy
	recorder recorder
	triage   *triage.Triage
	shutdown shutdown
	saver    saver
	notifier notifier
	result   *finding.Result
}

// loop tries inputs until the budget is spent.
func (c *campaign) loop(ctx context.Context) {
	defer c.shutdown.endWith(ctx)()
	c.replayKnown()
	c.loadCorpus()
	for !c.spent(ctx) {
		for _, r := range c.execute(c.strategy.next(c.batchSize())) {
			c.learn(r)
		}
		c.triage.Release()
		c.notifyProgress()
	}
	c.triage.Finish()
}

// learn records a result and lets the sources and the triage learn from it.
func (c *campaign) learn(r *search.Result) {
	if r.Outcome.Halt == evm.ErrCancelled {
		return // the campaign is over
	}
	if c.options.Executed != nil {
		c.options.Executed(r.Sequence)
	}
	c.recorder.record(r)
	c.strategy.learn(r, false)
	c.triage.Learn(r)
	c.strategy.learn(r, true)
}

// spent reports whether the campaign is over.
func (c *campaign) spent(ctx context.Context) bool {
	switch inputs := c.search.Progress.Inputs; {
	case ctx.Err() != nil:
		return true
	case c.options.MaxInputs > 0 && inputs >= c.options.MaxInputs:
		return true
	case len(c.options.Targets) > 0 && len(c.recorder.goals) == 0:
		return true
	case c.options.StopOnFirst && slices.ContainsFunc(c.result.Findings, func(f finding.Finding) bool { return f.Severity >= finding.Warning }):
		return true
	}
	return c.clock.late()
}
