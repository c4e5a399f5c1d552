package engine

import (
	"context"
	"errors"
	"math"

	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/search"
	"leveret/solc"
)

// Peers are searches of the same contract elsewhere, such as on other machines. What
// they send is executed here, and never believed. Methods are called by several
// goroutines and return at once: they neither send nor wait.
type Peers interface {
	// Part is the number of this search among them: those above 0 prefer different functions.
	Part() int
	// Publish gets an input that covered something new, which it does not change.
	Publish(input.Sequence)
	// Receive returns inputs of others, and witnesses of their findings, that it did not
	// return before: at most limit of them together.
	Receive(limit int) (inputs, witnesses []input.Sequence)
}

// peersShare is how many inputs of peers a campaign executes in exchangeInterval of its
// own: however much they send, half of the search goes on.
const peersShare = exchangeInterval / 2

// receive passes what peers sent on: inputs to all workers, witnesses to this one.
func (x *exchange) receive() {
	inputs, witnesses := x.hub.peers.Receive(peersShare)
	for _, s := range inputs {
		if s, ok := x.search.Subject.Bind(s); ok {
			x.hub.pass(s)
		}
	}
	x.witnesses = append(x.witnesses, witnesses...)
}

// confirm executes a witness of a peer, if one waits. What it shows here too is
// reported as a finding.
func (w *worker) confirm() {
	x := w.sources.exchange
	if x == nil || len(x.witnesses) == 0 {
		return
	}
	s := x.witnesses[0]
	x.witnesses = x.witnesses[1:]
	w.check(s)
}

// check executes the witness of a finding and reports what it shows. It returns whether
// it shows anything.
func (w *worker) check(s input.Sequence) bool {
	s, ok := w.search.Subject.Bind(s)
	if !ok {
		return false
	}
	verdicts := w.triage.Check(s)
	w.triage.Report(s, verdicts, replayBudget, w.sources.seeds.replayed)
	return len(verdicts) > 0
}

// Review executes the witnesses in options.Known and the inputs of a corpus, and
// nothing else. It reports what they show and cover as Run does.
func Review(ctx context.Context, contract *solc.Contract, project []*solc.Contract, corpus []input.Sequence, options Options) (*finding.Result, error) {
	return ReviewParts(ctx, contract, project, [][]input.Sequence{corpus}, options, nil)
}

// ReviewParts is Review of a corpus in parts. It calls after with what the witnesses and
// the inputs up to a part did; after may be nil.
func ReviewParts(ctx context.Context, contract *solc.Contract, project []*solc.Contract, parts [][]input.Sequence, options Options, after func(part int, s *finding.Stats)) (*finding.Result, error) {
	return runGuarded(ctx, contract, project, options.unlimited(), func(ctx context.Context, c *campaign) error {
		defer c.shutdown.endWith(ctx)()
		c.replayKnown()
		w := c.workers[0]
		for i, part := range parts {
			for _, s := range part {
				if s, ok := w.search.Subject.Bind(s); ok && !c.shutdown.isOver() {
					w.review(s)
				}
			}
			if after != nil {
				after(i, w.notifier.stats(w.tally(false)))
			}
		}
		w.triage.Finish()
		if ctx.Err() != nil {
			return errors.New("interrupted")
		}
		return nil
	})
}

// unlimited returns options without a budget.
func (o Options) unlimited() Options {
	o.Time, o.MaxInputs = 0, math.MaxInt
	return o
}

// review executes an input of a corpus.
func (w *worker) review(s input.Sequence) {
	next := w.search.Generator.FromStart(s)
	next.Origin = w.sources.seeds.replayed
	w.learn(search.Execute(w.executor, next))
	w.triage.Release()
	w.report()
}
