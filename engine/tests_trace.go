package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"leveret/engine/exec"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/replay"
	"leveret/engine/suite"
	"leveret/engine/triage"
	"leveret/solc"
)

// TraceTest executes the input with which a test ended once more and records its
// calls, after those of setUp if asked. It returns nil for a test without such an
// input: a search in which none succeeded, a constructor, a test of a removed kind.
func TraceTest(ctx context.Context, s *suite.Suite, r *TestResult, setUp bool) (trace *replay.Trace, err error) {
	w := endedWith(s, r)
	if len(w.Txs) == 0 {
		return nil, nil
	}
	blamed := finding.Finding{Function: r.Test.Signature}
	if f := testFinding(s, r); f != nil && r.Verdict.Status == suite.Failed {
		blamed = *f
	}
	err = guard(s.Program.UnderTest, func() (err error) {
		t := newTrialOf(s, []solc.Test{r.Test}, nil)
		trace, err = t.trace(ctx, w, blamed, setUp)
		return err
	})
	if trace != nil {
		trace.Deployment = nil // that is what setUp did
	}
	return trace, err
}

// traceSuite is Trace on a test contract.
func traceSuite(ctx context.Context, contract *solc.Contract, project []*solc.Contract, s input.Sequence, out Outside, blamed finding.Finding) (*replay.Trace, error) {
	if err := out.suits(s); err != nil {
		return nil, err
	}
	ctx, fork, done := watchFork(ctx, out.Fork)
	defer done()
	o := Options{Fork: fork, Tests: TestOptions{Host: out.Host}}
	if err := o.complete(); err != nil {
		return nil, err
	}
	set, err := suite.New(ctx, contract, project, suiteOptions(contract, &o))
	if err != nil {
		return nil, err
	}
	wanted := testsOf(contract, s)
	t := newTrialOf(set, slices.DeleteFunc(slices.Clone(set.Tests.Tests), func(t solc.Test) bool { return !wanted(t.Signature) }), nil)
	switch fault := set.Fault(); {
	case fault != nil && fault.Test.Signature == signatureOf(s):
		t.tests = []solc.Test{fault.Test}
	case fault != nil:
		return nil, fmt.Errorf("%s fails: %s", fault.Test.Name, fault.Reason)
	case len(t.tests) == 0:
		return nil, fmt.Errorf("%s no longer has the test %s", contract.Name, signatureOf(s))
	}
	trace, err := t.trace(ctx, s, blamed, false)
	if failed := forkError(ctx); failed != nil {
		return nil, failed
	}
	return trace, err
}

// trace executes a sequence as the tests do and records its calls, after those of
// setUp if asked.
func (t *trial) trace(ctx context.Context, s input.Sequence, blamed finding.Finding, setUp bool) (*replay.Trace, error) {
	t.traced = true
	subject, err := t.subject()
	if err != nil {
		return nil, err
	}
	x := &exec.Executor{Machine: subject.Suite.NewMachine(), Gas: subject.Suite.Gas}
	defer context.AfterFunc(ctx, x.Machine.Cancel)()
	bound, ok := subject.Bind(s)
	if !ok {
		return nil, errGone(t.suite.Program.UnderTest)
	}
	checker, err := triage.NewChecker(subject, x, nil, nil)
	if err != nil {
		return nil, err
	}
	var first []triage.Preparation
	if at, tx := t.suite.SetUp(); setUp && tx != nil && t.tests[0].Signature != tx.Function.Signature {
		first = []triage.Preparation{{At: at, Tx: *tx, Text: "setUp() prepares the test"}}
	}
	trace := checker.Trace(bound, blamed, first...)
	if ctx.Err() != nil {
		return nil, errors.New("interrupted")
	}
	return trace, nil
}
