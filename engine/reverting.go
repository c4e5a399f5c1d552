package engine

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/engine/search"
	"leveret/engine/suite"
	"leveret/solc"
)

// A Reverting is a function that the sequences of a test called and of which no call
// succeeded.
type Reverting struct {
	Contract string // name, or address if it has none
	Function string // signature
	Calls    int
	Reason   string      // why calls failed most often; empty: not known
	Place    *suite.Step // where they failed then, as TestResult.Where says; nil: not known
}

// Reverting returns the functions that the campaign of r called at least fewCalls times and that
// never succeeded, once it is over. Results of one campaign have the same. There is none for
// tests that are called themselves.
func (r *TestResult) Reverting() []Reverting {
	if r.trial == nil {
		return nil
	}
	return r.trial.reverting
}

// A callee is a function of a deployed contract.
type callee struct {
	to       common.Address
	function *input.Function
}

// calls are the executed calls of a callee, and until one succeeds the first maxEnds
// ways in which they failed.
type calls struct {
	made      int
	succeeded bool
	ends      []ending
}

// An ending is how calls failed.
type ending struct {
	outcome evm.Outcome
	txs     []input.Tx // the shortest sequence that ends so
	calls   int
}

// Limits of what is kept of failed calls: their number and the bytes of what they return.
const (
	maxEnds = 8
	maxEnd  = 4 << 10
)

// failed counts calls that ended alike.
func (c *calls) failed(end ending) {
	o := &end.outcome
	i := slices.IndexFunc(c.ends, func(e ending) bool { return e.outcome.Halt == o.Halt && bytes.Equal(e.outcome.Return, o.Return) })
	switch {
	case i >= 0:
		c.ends[i].calls += end.calls
		if len(end.txs) < len(c.ends[i].txs) {
			c.ends[i].txs = slices.Clone(end.txs)
		}
	case len(c.ends) < maxEnds && len(o.Return) <= maxEnd:
		end.txs = slices.Clone(end.txs)
		c.ends = append(c.ends, end)
	}
}

// callCounts tells which functions are called and never succeed.
type callCounts map[callee]*calls

// add counts the last call of a sequence.
func (n callCounts) add(r *search.Result) {
	if !r.Real() || r.Outcome.Unfinished() {
		return
	}
	at := n.of(callee{r.Sequence.Last().To, r.Sequence.Last().Function})
	at.made++
	switch {
	case r.Succeeded():
		at.succeeded, at.ends = true, nil
	case !at.succeeded:
		at.failed(ending{r.Outcome, r.Sequence.Txs, 1})
	}
}

// of returns the calls of a callee.
func (n callCounts) of(key callee) *calls {
	if n[key] == nil {
		n[key] = new(calls)
	}
	return n[key]
}

// merge adds the calls of another worker.
func (n callCounts) merge(o callCounts) {
	for key, c := range o {
		at := n.of(key)
		at.made += c.made
		at.succeeded = at.succeeded || c.succeeded
		for _, end := range c.ends {
			at.failed(end)
		}
	}
}

// fewCalls is how many calls say nothing about a function.
const fewCalls = 100

// neverSucceeded lists the functions that a campaign called and that never succeeded.
func (t *trial) neverSucceeded(c *campaign) (list []Reverting) {
	all := callCounts{}
	for _, w := range c.workers {
		all.merge(w.recorder.calls)
	}
	if len(all) == 0 { // nothing was deployed, perhaps
		return nil
	}
	names := input.NewNames(c.deployed.subject.Deployment.Record)
	for key, calls := range all {
		if calls.succeeded || calls.made < fewCalls {
			continue
		}
		f := Reverting{Contract: names.Address(key.to), Function: key.function.Signature, Calls: calls.made}
		if len(calls.ends) > 0 {
			often := slices.MaxFunc(calls.ends, func(a, b ending) int { return cmp.Compare(a.calls, b.calls) })
			f.Reason = t.suite.Reason(&often.outcome)
			again := t.execute(c, slices.Concat(t.tests, []solc.Test{{}})[0], often.txs)
			f.Place, _ = suite.Where(again.tracer.Trail())
		}
		list = append(list, f)
	}
	slices.SortFunc(list, func(a, b Reverting) int {
		return cmp.Or(cmp.Compare(a.Contract, b.Contract), cmp.Compare(a.Function, b.Function))
	})
	return list
}
