package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"leveret/engine/debug"
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

// DebugTest executes the input with which a test ended once more, after setUp, and
// indexes it for a debugger, as Debug does.
func DebugTest(ctx context.Context, s *suite.Suite, r *TestResult, use func(*debug.Recording) error) error {
	w := endedWith(s, r)
	if len(w.Txs) == 0 {
		return fmt.Errorf("%s has no execution to debug: no input of it succeeded or failed", r.Test.Name)
	}
	blamed := finding.Finding{Function: r.Test.Signature}
	if f := testFinding(s, r); f != nil && r.Verdict.Status == suite.Failed {
		blamed = *f
	}
	return guard(s.Program.UnderTest, func() error {
		return newTrialOf(s, []solc.Test{r.Test}, nil).debug(ctx, w, blamed, use)
	})
}

// traceSuite is Trace on a test contract.
func traceSuite(ctx context.Context, contract *solc.Contract, project []*solc.Contract, s input.Sequence, out Outside, blamed finding.Finding) (trace *replay.Trace, err error) {
	err = onTrial(ctx, contract, project, s, out, func(ctx context.Context, t *trial) (err error) {
		trace, err = t.trace(ctx, s, blamed, false)
		return err
	})
	return trace, err
}

// debugSuite is Debug on a test contract.
func debugSuite(ctx context.Context, contract *solc.Contract, project []*solc.Contract, s input.Sequence, out Outside, blamed finding.Finding, use func(*debug.Recording) error) error {
	return onTrial(ctx, contract, project, s, out, func(ctx context.Context, t *trial) error { return t.debug(ctx, s, blamed, use) })
}

// onTrial calls f with the trial of a sequence of a test contract.
func onTrial(ctx context.Context, contract *solc.Contract, project []*solc.Contract, s input.Sequence, out Outside, f func(context.Context, *trial) error) error {
	if err := out.suits(s); err != nil {
		return err
	}
	ctx, fork, done := watchFork(ctx, out.Fork)
	defer done()
	o := Options{Fork: fork, Tests: TestOptions{Host: out.Host}}
	if err := o.complete(); err != nil {
		return err
	}
	set, h, err := openSuite(ctx, contract, project, &o)
	if err != nil {
		return err
	}
	wanted := testsOf(contract, s)
	t := newTrialOf(set, slices.DeleteFunc(slices.Clone(set.Tests.Tests), func(t solc.Test) bool { return !wanted(t.Signature) }), h)
	switch fault := set.Fault(); {
	case fault != nil && fault.Test.Signature == signatureOf(s):
		t.tests = []solc.Test{fault.Test}
	case fault != nil:
		return fmt.Errorf("%s fails: %s", fault.Test.Name, fault.Reason)
	case len(t.tests) == 0 && h == nil:
		return fmt.Errorf("%s no longer has the test %s", contract.Name, signatureOf(s))
	}
	err = f(ctx, t)
	if failed := forkError(ctx); failed != nil {
		return failed
	}
	return err
}

// trace executes a sequence as the tests do and records its calls, after those of
// setUp if asked.
func (t *trial) trace(ctx context.Context, s input.Sequence, blamed finding.Finding, setUp bool) (trace *replay.Trace, err error) {
	err = t.repeat(ctx, s, func(ctx context.Context, tracer *triage.Tracer, s input.Sequence) error {
		var first []triage.Preparation
		if setUp {
			first = t.preparations()
		}
		trace = tracer.Trace(s, blamed, first...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return trace, nil
}

// debug executes a sequence as the tests do, after setUp, for a debugger.
func (t *trial) debug(ctx context.Context, s input.Sequence, blamed finding.Finding, use func(*debug.Recording) error) error {
	return t.repeat(ctx, s, func(ctx context.Context, tracer *triage.Tracer, s input.Sequence) error {
		recording, err := tracer.Debug(ctx, s, blamed, t.preparations()...)
		if err != nil {
			return err
		}
		return use(recording)
	})
}

// preparations returns the call of setUp.
func (t *trial) preparations() []triage.Preparation {
	if at, tx := t.suite.SetUp(); tx != nil && t.tests[0].Signature != tx.Function.Signature {
		return []triage.Preparation{{At: at, Tx: *tx, Text: "setUp() prepares the test"}}
	}
	return nil
}

// repeat calls f with what executes a sequence as the tests do.
func (t *trial) repeat(ctx context.Context, s input.Sequence, f func(context.Context, *triage.Tracer, input.Sequence) error) error {
	t.traced = true
	subject, err := t.subject()
	if err != nil {
		return err
	}
	x := &exec.Executor{Machine: subject.Suite.NewMachine(), Gas: subject.Suite.Gas, Failing: subject.Suite.Waits}
	defer context.AfterFunc(ctx, x.Machine.Cancel)()
	bound, ok := subject.Bind(s)
	if !ok {
		return errGone(t.suite.Program.UnderTest)
	}
	if err := f(ctx, triage.NewTracer(subject, x), bound); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return errors.New("interrupted")
	}
	return nil
}
