package engine

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"leveret/engine/input"
	"leveret/engine/suite"
	"leveret/solc"
)

// labelledTests runs all tests of contracts in a file as leveret test does, and
// requires that exactly those with "// fails" in their line fail.
func labelledTests(t *testing.T, file string, o Options, check func(*suite.Suite, *TestResult)) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	b := compile(t, file)
	for _, c := range b.Contracts {
		if solc.Suite(c) == nil {
			continue
		}
		options := suiteOptions(c, &Options{Now: time.Now, Seed: o.Seed})
		s, err := suite.New(context.Background(), c, b.Contracts, options)
		if err != nil {
			t.Fatal(err)
		}
		if v := s.Fault(); v != nil {
			t.Errorf("%s: %s", c.Name, v.Reason)
			continue
		}
		err = RunTests(context.Background(), s, s.Tests.Tests, o, TestLimits{}, func(r *TestResult) {
			want := suite.Passed
			if strings.HasSuffix(lines[r.Test.Line-1], "// fails") {
				want = suite.Failed
			}
			if r.Verdict.Status != want {
				t.Errorf("%s.%s %s: %s", c.Name, r.Test.Signature, r.Verdict.Status, r.Verdict.Reason)
			}
			check(s, r)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Properties are checked when forge checks them: after runs of so many calls, or
// every so many calls. What breaks one is such a run, shrunk or not, and breaks it
// again.
func TestRuns(t *testing.T) {
	labelledTests(t, "testdata/tests/Runs.t.sol", Options{Seed: 1, MaxInputs: 2000}, func(s *suite.Suite, r *TestResult) {
		if r.Finding == nil {
			return
		}
		config := s.ConfigOf(r.Test).Invariant
		n, after := len(r.Finding.Witness.Txs), s.Tests.AfterInvariant
		whole := after || config.CheckInterval == 0
		if whole && n != int(config.Depth) || config.CheckInterval > 1 && n%int(config.CheckInterval) != 0 {
			t.Errorf("%s fails after %d calls", r.Test.Signature, n)
		}
		again, err := Search(context.Background(), s, []solc.Test{r.Test}, Options{Seed: 2, MaxInputs: 1, Known: []input.Sequence{r.Finding.Witness}})
		if err != nil || again[0].Verdict.Status != suite.Failed {
			t.Errorf("%s: again %+v, %v", r.Test.Signature, again, err)
		}
		t.Log(s.Program.UnderTest.Name, r.Test.Signature, r.Stats.Inputs, r.Finding.Witness.Describe(nil))
	})
}

// Fixtures are values of arguments of their names, of tests and of handlers.
func TestFixtures(t *testing.T) {
	labelledTests(t, "testdata/tests/Fixtures.t.sol", Options{Seed: 1, MaxInputs: 500}, func(*suite.Suite, *TestResult) {})
}

// Assertions that do not revert are found by searches, too.
func TestLegacyAssertions(t *testing.T) {
	labelledTests(t, "testdata/tests/Legacy.t.sol", Options{Seed: 1, MaxInputs: 500}, func(*suite.Suite, *TestResult) {})
}

// Contracts that calls create are targets where forge has them, and what shows that
// is replayed.
func TestCreatedTargets(t *testing.T) {
	labelledTests(t, "testdata/tests/Created.t.sol", Options{Seed: 1, MaxInputs: 2000}, func(s *suite.Suite, r *TestResult) {
		if r.Finding == nil {
			return
		}
		text := input.AppendText(nil, r.Finding.Witness)
		known, err := input.ReadText(text, nil)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		again, err := Search(context.Background(), s, []solc.Test{r.Test}, Options{Seed: 2, MaxInputs: 1, Known: []input.Sequence{known}})
		if err != nil || again[0].Verdict.Status != suite.Failed {
			t.Errorf("%s: again %+v, %v", r.Test.Signature, again, err)
		}
		t.Log(s.Program.UnderTest.Name, r.Finding.Witness.Brief(), r.Verdict.Reason)
	})
}

// Contracts that a test creates with arguments of its own have the same branches,
// whatever their immutables are: few of the paths are new.
func TestMadeContractsShareBranches(t *testing.T) {
	labelledTests(t, "testdata/tests/Made.t.sol", Options{Seed: 1, MaxInputs: 2000}, func(_ *suite.Suite, r *TestResult) {
		if r.Stats.Paths > 16 {
			t.Errorf("%s: %d paths in %d inputs", r.Test.Name, r.Stats.Paths, r.Stats.Inputs)
		}
	})
}

// Functions that return an int256 are maximized; the sequence leads to the value.
func TestOptimize(t *testing.T) {
	const file = "testdata/suites/Optimize.sol"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	b := compile(t, file)
	config := solc.DefaultHarnessConfig(solc.Medusa)
	h, err := suite.NewHarness(context.Background(), contract(t, b, "Optimized"), b.Contracts, config, suite.Options{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	results, err := SearchHarness(context.Background(), h, Options{Seed: 1, MaxInputs: 8000})
	results = slices.DeleteFunc(results, func(r TestResult) bool { return r.Test.Kind != solc.InvariantTest })
	if err != nil || len(results) != 5 {
		t.Fatal(results, err)
	}
	for i := range results {
		r := &results[i]
		_, want, labelled := strings.Cut(lines[r.Test.Line-1], "// ")
		if labelled != (r.Best != nil) || r.Verdict.Status != suite.Passed || labelled && SignedText(&r.Best.Value) != want {
			t.Errorf("%s %s: %+v", r.Test.Signature, r.Verdict.Status, r.Best)
		}
		if labelled && len(r.Best.Sequence.Txs) > 25 {
			t.Errorf("%s: %v", r.Test.Signature, r.Best.Sequence.Brief())
		}
	}
}

// Fuzz tests and invariants fail where only what is compared, by a cheatcode or a library,
// tells how far an input is from that, also beyond vm.assume and bound: arguments are
// predicted, with taint tracking and lookahead analysis, and shrunk.
func TestDistances(t *testing.T) {
	predicted := 0
	labelledTests(t, "testdata/tests/Distances.t.sol", Options{Seed: 1, MaxInputs: 5000}, func(s *suite.Suite, r *TestResult) {
		if r.Finding == nil {
			return
		}
		if s.Program.UnderTest.Name == "Shrunk" {
			if args := r.Finding.Witness.Last().Args; args[0].Word.Uint64() != 1000 || len(args[1].Data) != 2 {
				t.Errorf("%s fails with %v", r.Test.Signature, args)
			}
			return
		}
		predicted += r.Stats.Predicted.Succeeded
		if r.Stats.Shadow.Runs == 0 || r.Stats.Lookahead.Calls == 0 {
			t.Errorf("%s %s: taint %+v, lookahead %+v", s.Program.UnderTest.Name, r.Test.Signature, r.Stats.Shadow, r.Stats.Lookahead)
		}
	})
	if predicted == 0 {
		t.Error("no prediction reached its target")
	}
}
