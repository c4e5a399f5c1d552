package engine

import (
	"context"
	"slices"
	"time"

	"leveret/engine/finding"
	"leveret/engine/program"
	"leveret/engine/suite"
	"leveret/solc"
)

// runSuite is suiteResult; a panic becomes an error.
func runSuite(ctx context.Context, contract *solc.Contract, project []*solc.Contract, options Options, wanted func(string) bool) (result *finding.Result, err error) {
	err = guard(contract, func() (err error) {
		ctx, fork, done := watchFork(ctx, options.Fork)
		defer done()
		options.Fork = fork
		result, err = suiteResult(ctx, contract, project, options, wanted)
		if failed := forkError(ctx); failed != nil {
			if result == nil {
				result = newResult(contract)
			}
			result.Note = failed.Error()
			return failed
		}
		return err
	})
	if result == nil {
		result = newResult(contract)
		result.Note = "no test of " + contract.Name + " ran to its end"
	}
	return result, err
}

// suiteResult runs the tests of a contract as a campaign: a test that fails is
// a finding. wanted chooses tests by signature; nil means all. Options.Time is for
// the searches alone.
func suiteResult(ctx context.Context, contract *solc.Contract, project []*solc.Contract, options Options, wanted func(string) bool) (*finding.Result, error) {
	if err := options.complete(); err != nil {
		return nil, err
	}
	r := &suiteRun{options: options, began: options.Now(), result: newResult(contract), searched: map[*trial]finding.Stats{}, toldGone: map[int]bool{}}
	s, h, err := openSuite(ctx, contract, project, &options)
	if err != nil {
		if ctx.Err() != nil {
			r.result.Note = cutShort(ctx, contract.Name, "it was set up")
			return r.result, nil
		}
		return nil, err
	}
	r.suite = s
	limits := TestLimits{watch: r.watch}
	switch fault := s.Fault(); {
	case fault != nil:
		r.report(&TestResult{Test: fault.Test, Verdict: *fault, Trail: s.FaultTrail()})
	case h != nil: // its tests share one campaign, which checks its assertions, too
		err = runHarness(ctx, h, options, limits, r.report)
	default:
		err = RunTests(ctx, s, r.tests(wanted), options, limits, r.report)
	}
	if err != nil {
		return r.result, err
	}
	if ctx.Err() == nil {
		r.notifyGone()
	}
	r.notify(Event{Kind: EventDone})
	return r.result, nil
}

// A suiteRun reports the tests of a contract as a campaign does.
type suiteRun struct {
	suite   *suite.Suite
	options Options
	began   time.Time
	result  *finding.Result

	searched map[*trial]finding.Stats // that the result counts
	toldGone map[int]bool             // positions in Options.Known
}

// tests returns the tests to run, those first that the change of Options.Lines may
// affect.
func (r *suiteRun) tests(wanted func(string) bool) []solc.Test {
	o := &r.options.Tests
	tests := slices.DeleteFunc(slices.Clone(r.suite.Tests.Tests), func(t solc.Test) bool {
		return wanted != nil && !wanted(t.Signature) || len(o.Kinds) > 0 && !slices.Contains(o.Kinds, t.Kind) ||
			len(o.Names) > 0 && !slices.Contains(o.Names, t.Signature)
	})
	affected := Affected(r.suite.Program.UnderTest.Build, r.options.Lines)
	var first, later []solc.Test
	for _, t := range tests {
		if executed, known := o.Executed[t.Signature]; known && !affected(executed) {
			later = append(later, t)
		} else {
			first = append(first, t)
		}
	}
	return append(first, later...)
}

// Affected returns a function that reports whether the change of some lines of a
// build may affect a test that executed some functions, as finding.Test names them.
func Affected(build *solc.Build, lines []Lines) func(executed []string) bool {
	changed := map[string]bool{}
	for _, l := range lines {
		source := build.Source(l.File)
		if source == nil {
			continue
		}
		names, outside := program.FunctionsIn(source, l.Spans)
		if outside {
			return func([]string) bool { return true }
		}
		for _, name := range names {
			changed[name] = true
		}
	}
	return func(executed []string) bool {
		return len(changed) == 0 || slices.ContainsFunc(executed, func(name string) bool { return changed[name] })
	}
}

// notify tells the observer how far the run is.
func (r *suiteRun) notify(e Event) {
	spent := r.options.Now().Sub(r.began)
	r.result.Stats.Seconds = spent.Seconds()
	e.Contract, e.Stats = r.suite.Program.UnderTest, r.result.Stats
	if r.options.Time > 0 {
		e.Left = max(0, r.options.Time-spent)
	}
	r.options.Observe(e)
}

// watch tells the observer how far a campaign is, and which known finding of its tests is
// gone. It may be one of invariants that run in another campaign, or not now.
func (r *suiteRun) watch(t *trial, e Event) {
	r.count(t, e.Stats)
	if e.Kind == EventProgress {
		r.notify(Event{Kind: EventProgress})
	} else if t.fuzzes() || len(t.tests) == r.invariants() {
		r.gone(e.Index)
	}
}

// invariants counts the invariants of the contract, or the properties of the harness.
func (r *suiteRun) invariants() (n int) {
	for _, t := range r.suite.Tests.Tests {
		if t.Kind == solc.InvariantTest {
			n++
		}
	}
	return n
}

// count counts what a campaign did so far, or without one a test.
func (r *suiteRun) count(t *trial, so finding.Stats) {
	var before finding.Stats
	if t != nil {
		before, r.searched[t] = r.searched[t], so
	}
	all := &r.result.Stats
	all.Inputs += so.Inputs - before.Inputs
	all.Transactions += so.Transactions - before.Transactions
	all.Paths += so.Paths - before.Paths
}

// report records the result of a test.
func (r *suiteRun) report(t *TestResult) {
	r.count(t.trial, t.Stats)
	ended := finding.Test{
		Signature: t.Test.Signature, Status: string(t.Verdict.Status), Reason: t.Verdict.Reason, Runs: t.Stats.Inputs,
		Seconds: t.Verdict.Took.Seconds(), Lines: t.Verdict.Lines, Prints: t.Prints, Executed: t.Verdict.Executed,
		Witness: endedWith(r.suite, t),
	}
	if t.Best != nil {
		ended.Best = SignedText(&t.Best.Value)
	}
	if !t.ofHandler() {
		r.result.Tests = append(r.result.Tests, ended)
		r.notify(Event{Kind: EventProgress, Test: &ended})
	}
	if t.Verdict.Status != suite.Failed {
		r.notifyPassed(t.Test)
		return
	}
	if f := testFinding(r.suite, t); f != nil {
		f.Inputs, f.Seconds = t.Stats.Inputs, r.options.Now().Sub(r.began).Seconds()
		r.result.Findings = append(r.result.Findings, *f)
		r.notify(Event{Kind: EventFound, Finding: f})
	}
}

// gone tells once that a known finding no longer shows.
func (r *suiteRun) gone(index int) {
	if !r.toldGone[index] {
		r.toldGone[index] = true
		r.notify(Event{Kind: EventGone, Index: index})
	}
}

// notifyPassed tells that the known findings of a test that ended are gone. Those of
// invariants may be of others.
func (r *suiteRun) notifyPassed(t solc.Test) {
	for i, known := range r.options.Known {
		if t.Kind != solc.InvariantTest && signatureOf(known) == t.Signature {
			r.gone(i)
		}
	}
}

// notifyGone tells which known findings no longer show: their tests did not fail, do
// not exist, or cannot run.
func (r *suiteRun) notifyGone() {
	for i, known := range r.options.Known {
		about := testsOf(r.suite.Program.UnderTest, known)
		fails := slices.ContainsFunc(r.result.Findings, func(f finding.Finding) bool { return about(f.Function) })
		waits := slices.ContainsFunc(r.suite.Tests.Tests, func(t solc.Test) bool { return about(t.Signature) && !r.ran(t) })
		if !fails && (!waits || r.suite.Fault() != nil) {
			r.gone(i)
		}
	}
}

// ran reports whether a test has a result.
func (r *suiteRun) ran(t solc.Test) bool {
	return slices.ContainsFunc(r.result.Tests, func(ended finding.Test) bool { return ended.Signature == t.Signature })
}
