package engine

import (
	"time"

	"leveret/engine/suite"
	"leveret/solc"
)

// TestLimits are limits of single campaigns over tests.
type TestLimits struct {
	Configured bool // `timeout` and `runs` limit a test if its configuration sets them
	FuzzRuns   int  // inputs of each fuzz test that are not rejected; 0: other limits hold
	FailFast   bool // a campaign over several invariants ends when the first of them fails

	// watch gets what the campaign over some tests did so far, now and then, and which of
	// Options.Known no longer fail. Then an invariant that fails has its result at once,
	// though the campaign goes on for others. nil: nobody watches.
	watch func(*trial, Event)
}

// A testGroup is tests that share a campaign, which goes on in turns.
type testGroup struct {
	trial   *trial
	options Options
	timed   bool // shares the time of all

	turns int                 // so far
	news  bool                // the last one showed something new
	next  func() (bool, bool) // the next turn; see search
	stop  func()              // ends the campaign

	results []TestResult // once it is over
	err     error
}

// group returns the campaign over some tests. Of the configuration, `runs` counts
// the inputs of a fuzz test that are not rejected, or sequences of `depth` calls.
func group(s *suite.Suite, tests []solc.Test, all Options, limits *TestLimits) *testGroup {
	g := groupOf(newTrialOf(s, tests, nil), all, limits)
	fuzz, invariant, usual := &g.trial.config.Fuzz, &g.trial.config.Invariant, solc.DefaultTestConfig()
	runs, timeout, set := int(fuzz.Runs), fuzz.Timeout, fuzz.Runs != usual.Fuzz.Runs
	if !g.trial.fuzzes() {
		runs, timeout = int(invariant.Runs)*int(invariant.Depth), invariant.Timeout
		set = invariant.Runs != usual.Invariant.Runs || invariant.Depth != usual.Invariant.Depth
	}
	switch {
	case limits.FuzzRuns > 0 && g.trial.fuzzes():
		g.limit(0, limits.FuzzRuns)
	case !limits.Configured:
	case timeout > 0:
		g.limit(timeout, 0)
	case set:
		g.limit(0, max(runs, 1))
	}
	return g
}

// groupOf returns the campaign over a trial, whose configuration sets no limit.
func groupOf(t *trial, all Options, limits *TestLimits) *testGroup {
	g := &testGroup{trial: t, options: all, timed: all.Time > 0}
	g.options.Observe, g.trial.failFast = nil, limits.FailFast
	if limits.watch != nil {
		g.trial.early = true
		known := t.knownOf(all.Known)
		g.options.Known = nil
		for _, i := range known {
			g.options.Known = append(g.options.Known, all.Known[i])
		}
		g.options.Observe = func(e Event) {
			switch e.Kind {
			case EventGone:
				e.Index = known[e.Index]
				limits.watch(t, e)
			case EventProgress:
				limits.watch(t, e)
			}
		}
	}
	if g.timed {
		g.options.Time = max(all.Time, minTestTime)
	}
	return g
}

// limit gives a campaign a limit of its own.
func (g *testGroup) limit(time time.Duration, runs int) {
	g.timed, g.options.Time, g.options.MaxInputs, g.trial.runs = false, time, 0, runs
}
