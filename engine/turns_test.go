package engine

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"leveret/engine/input"
	"leveret/engine/suite"
	"leveret/solc"
)

// testsNamed returns the tests of a suite that have one of some names.
func testsNamed(s *suite.Suite, names ...string) []solc.Test {
	return slices.DeleteFunc(slices.Clone(s.Tests.Tests), func(t solc.Test) bool { return !slices.Contains(names, t.Name) })
}

// What fails is reported before what has to be searched to the end, and turns change
// nothing of what a campaign does.
func TestTurns(t *testing.T) {
	b := compile(t, searched)
	o := Options{Seed: 1, MaxInputs: 3000}
	s := setUp(t, b, "FuzzTests")
	var names []string
	passed := 0
	err := RunTests(t.Context(), s, testsNamed(s, "testSum", "testMagic", "testWarp"), o, TestLimits{}, func(r *TestResult) {
		names = append(names, r.Test.Name)
		if r.Verdict.Status == suite.Failed && passed > 0 {
			t.Errorf("%s fails after others passed", r.Test.Name)
		}
		if r.Verdict.Status == suite.Passed {
			passed++
		}
		alone, err := Search(t.Context(), setUp(t, b, "FuzzTests"), []solc.Test{r.Test}, o)
		if err != nil {
			t.Fatal(err)
		}
		if r.Stats.Inputs != alone[0].Stats.Inputs || !slices.Equal(r.Calls, alone[0].Calls) {
			t.Errorf("%s in turns: %d inputs, %q, and alone: %d, %q", r.Test.Name, r.Stats.Inputs, r.Calls, alone[0].Stats.Inputs, alone[0].Calls)
		}
	})
	if err != nil || len(names) != 3 || passed != 1 {
		t.Errorf("%v: results of %q, of which %d passed", err, names, passed)
	}
}

// The first invariant that fails ends the campaign over all of a contract, if that is asked.
func TestTurnsFailFast(t *testing.T) {
	b := compile(t, "testdata/suites/Foundry.sol")
	for _, fast := range []bool{false, true} {
		s := setUp(t, b, "VaultInvariants")
		failed, inputs := 0, 0
		err := RunTests(t.Context(), s, s.Tests.Tests, Options{Seed: 1, MaxInputs: 4000}, TestLimits{FailFast: fast}, func(r *TestResult) {
			if r.Test.Kind == solc.InvariantTest {
				inputs = r.Stats.Inputs
			}
			if r.Verdict.Status == suite.Failed {
				failed++
			}
		})
		if err != nil || failed != 1 || fast != (inputs < 4000) {
			t.Errorf("fast %t: %v, %d fail after %d inputs", fast, err, failed, inputs)
		}
	}
}

// A limit of runs is kept exactly.
func TestTurnsKeepRuns(t *testing.T) {
	s := setUp(t, compile(t, searched), "FuzzTests")
	err := RunTests(t.Context(), s, testsNamed(s, "testSum"), Options{Seed: 1}, TestLimits{FuzzRuns: 2560}, func(r *TestResult) {
		if got := r.Stats.Inputs - r.Stats.Rejected; got != 2560 {
			t.Errorf("%d runs", got)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Campaigns share the time equally, by a clock that every look at it moves.
func TestTurnsShareTime(t *testing.T) {
	s := setUp(t, compile(t, searched), "FuzzTests")
	var at time.Time
	o := Options{Seed: 1, Time: 4 * time.Second, Now: func() time.Time {
		at = at.Add(100 * time.Microsecond)
		return at
	}}
	if err := o.complete(); err != nil {
		t.Fatal(err)
	}
	var spent []float64
	turns := turns{now: o.Now, each: func(r *TestResult) { spent = append(spent, r.Stats.Seconds) }}
	sum := testsNamed(s, "testSum")
	groups := []*testGroup{group(s, sum, o, &TestLimits{}), group(s, sum, o, &TestLimits{}), group(s, sum, o, &TestLimits{})}
	if err := turns.run(t.Context(), groups, o.Time); err != nil || len(spent) != 3 {
		t.Fatal(spent, err)
	}
	for _, seconds := range spent {
		if seconds < 1 || seconds > 2 {
			t.Errorf("3 campaigns share 4 s as %v", spent)
		}
	}
}

// What fails at once need not wait either where there are more campaigns than are open at
// the same time.
func TestTurnsScout(t *testing.T) {
	s := setUp(t, compile(t, searched), "FuzzTests")
	o := Options{Seed: 1, MaxInputs: 3000}
	if err := o.complete(); err != nil {
		t.Fatal(err)
	}
	var ended []string
	turns := turns{now: o.Now, each: func(r *TestResult) { ended = append(ended, r.Test.Name) }}
	var groups []*testGroup
	for range maxOpen + 1 {
		groups = append(groups, group(s, testsNamed(s, "testSum"), o, &TestLimits{}))
	}
	groups = append(groups, group(s, testsNamed(s, "testBound"), o, &TestLimits{}))
	if err := turns.run(t.Context(), groups, 0); err != nil || len(ended) != maxOpen+2 || ended[0] != "testBound" {
		t.Errorf("%q ended, %v", ended, err)
	}
}

// A campaign that panics has no results, and others go on. One that was not begun when
// the context is done has none either.
func TestTurnsEnd(t *testing.T) {
	s := setUp(t, compile(t, searched), "FuzzTests")
	ctx, cancel := context.WithCancel(t.Context())
	o := Options{Seed: 1, MaxInputs: 200, Tests: TestOptions{}}
	if err := o.complete(); err != nil {
		t.Fatal(err)
	}
	var ended []string
	turns := turns{now: o.Now, each: func(r *TestResult) {
		ended = append(ended, r.Test.Name)
		cancel()
	}}
	var groups []*testGroup
	for _, name := range []string{"testTake", "testSum", "testWarp"} {
		groups = append(groups, group(s, testsNamed(s, name), o, &TestLimits{}))
	}
	groups[0].options.Executed = func(input.Sequence) { panic("broken") }
	err := turns.run(ctx, groups, 0)
	if p := (*Panic)(nil); !errors.As(err, &p) || !strings.Contains(p.Error(), "broken") || !slices.Equal(ended, []string{"testSum"}) {
		t.Errorf("%q ended, %v", ended, err)
	}
}
