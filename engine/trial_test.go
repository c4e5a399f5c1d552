package engine

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"leveret/engine/input"
	"leveret/engine/suite"
	"leveret/solc"
)

const searched = "testdata/tests/Search.t.sol"

// setUp returns a test contract of a build after its setUp.
func setUp(t *testing.T, b *solc.Build, name string) *suite.Suite {
	t.Helper()
	s, err := suite.New(context.Background(), contract(t, b, name), b.Contracts, suite.Options{Config: solc.DefaultTestConfig(), Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	if v := s.Fault(); v != nil {
		t.Fatalf("%s: %s", v.Test.Name, v.Reason)
	}
	return s
}

// searchAll searches all tests of a contract: each fuzz test alone, invariants
// together.
func searchAll(t *testing.T, b *solc.Build, name string, options Options) (all []TestResult) {
	t.Helper()
	s := setUp(t, b, name)
	var groups [][]solc.Test
	for _, test := range s.Tests.Tests {
		if test.Kind == solc.FuzzTest || len(groups) == 0 {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], test)
	}
	for _, tests := range groups {
		results, err := Search(context.Background(), s, tests, options)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, results...)
	}
	return all
}

// Exactly the labelled tests fail, with a short counterexample. A second campaign
// that starts with it fails at once.
func TestSearch(t *testing.T) {
	text, err := os.ReadFile(searched)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	b := compile(t, searched)
	for _, name := range []string{"FuzzTests", "InvariantTests"} {
		for _, r := range searchAll(t, b, name, Options{Seed: 1, MaxInputs: 3000}) {
			want, line := suite.Passed, lines[r.Test.Line-1]
			if strings.HasSuffix(line, "// fails") {
				want = suite.Failed
			}
			if strings.HasSuffix(line, "// rejects") {
				if r.Verdict.Status != suite.Failed || !strings.Contains(r.Verdict.Reason, "rejected all") {
					t.Errorf("%s %s: %s", r.Test.Signature, r.Verdict.Status, r.Verdict.Reason)
				}
				continue
			}
			if r.Verdict.Status != want {
				t.Errorf("%s %s: %s", r.Test.Signature, r.Verdict.Status, r.Verdict.Reason)
			}
			if (r.Finding != nil) != (want == suite.Failed) {
				t.Fatalf("%s: finding %v", r.Test.Signature, r.Finding)
			}
			if r.Finding == nil {
				continue
			}
			l, _ := r.Where()
			if l == nil || l.Place.File != r.Test.File || l.Place.Start.Line <= r.Test.Line || l.Place.Start.Line > r.Test.Line+5 {
				t.Errorf("%s fails at %+v", r.Test.Signature, l)
			}
			if n := len(r.Finding.Witness.Txs); n > 3 || r.Verdict.Reason == "" {
				t.Errorf("%s: %q after %d transactions", r.Test.Signature, r.Verdict.Reason, n)
			}
			again, err := Search(context.Background(), setUp(t, b, name), []solc.Test{r.Test}, Options{Seed: 2, MaxInputs: 1, Known: []input.Sequence{r.Finding.Witness}})
			if err != nil || again[0].Verdict.Status != suite.Failed {
				t.Errorf("%s: again %+v, %v", r.Test.Signature, again, err)
			}
		}
	}
}

// A seed decides everything.
func TestSearchIsDeterministic(t *testing.T) {
	b := compile(t, searched)
	for _, name := range []string{"FuzzTests", "InvariantTests"} {
		run := func(seed uint64) (list []string) {
			options := Options{Seed: seed, MaxInputs: 300}
			options.Executed = func(s input.Sequence) { list = append(list, s.String()) }
			for _, r := range searchAll(t, b, name, options) {
				if r.Finding != nil {
					list = append(list, fmt.Sprint(r.Test.Signature, r.Finding.Inputs, r.Finding.Witness))
				}
			}
			return list
		}
		one := run(3)
		if !slices.Equal(one, run(3)) || slices.Equal(one, run(4)) {
			t.Errorf("%s: inputs do not follow from the seed", name)
		}
	}
}

// Harnesses of Echidna and Medusa run unchanged, and exactly the labelled
// properties and assertions fail.
func TestHarnesses(t *testing.T) {
	for tool, file := range map[solc.HarnessTool]string{solc.Echidna: "Echidna", solc.Medusa: "Medusa"} {
		file = "testdata/suites/" + file + ".sol"
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		b := compile(t, file)
		config := solc.DefaultHarnessConfig(tool)
		config.Checks.Assertions, config.Checks.Prefixes = true, []string{"echidna_", "property_"}
		config.Accounts.PropertySender = config.Accounts.Deployer // who has what the properties are about
		for _, c := range b.Contracts {
			want := failingLines(string(text), c)
			if want == nil {
				continue
			}
			s, err := suite.NewHarness(context.Background(), c, b.Contracts, config, suite.Options{Now: time.Now})
			if err != nil {
				t.Fatal(err)
			}
			if v := s.Fault(); v != nil {
				t.Errorf("%s: %s", c.Name, v.Reason)
				continue
			}
			results, err := SearchHarness(context.Background(), s, Options{Seed: 1, MaxInputs: suiteInputs})
			if err != nil {
				t.Fatal(err)
			}
			have := []string{}
			for _, r := range results {
				if r.Finding == nil {
					if r.Verdict.Status != suite.Passed || r.Test.Line == 0 {
						t.Errorf("%s: %+v", c.Name, r.Verdict)
					}
					continue
				}
				line := r.Test.Line
				if r.Test.Kind != solc.InvariantTest {
					at, _ := r.Where()
					line = at.Place.Start.Line
				}
				have = append(have, fmt.Sprint(line))
				t.Log(c.Name, r.Test.Signature, r.Verdict.Reason, r.Finding.Witness.Describe(nil))
			}
			slices.Sort(have)
			if !slices.Equal(have, want) {
				t.Errorf("%s: have %v, want %v", c.Name, have, want)
			}
		}
	}
}

// Each function of a harness fails at each line, also at one that functions share, with an
// ID that does not depend on the order; the others pass.
func TestLinesOfHarnesses(t *testing.T) {
	b := compile(t, "testdata/suites/Lines.sol")
	config := solc.DefaultHarnessConfig(solc.Medusa)
	var ids []string
	for seed := range uint64(4) {
		h, err := suite.NewHarness(context.Background(), contract(t, b, "Lines"), b.Contracts, config, suite.Options{Now: time.Now})
		if err != nil {
			t.Fatal(err)
		}
		results, err := SearchHarness(context.Background(), h, Options{Seed: seed, MaxInputs: suiteInputs})
		if err != nil {
			t.Fatal(err)
		}
		var have, list []string
		for i := range results {
			r := &results[i]
			if r.Finding == nil {
				have = append(have, fmt.Sprint(r.Test.Name, " ", r.Verdict.Status))
				continue
			}
			at, _ := r.Where()
			have = append(have, fmt.Sprint(r.Test.Name, " ", at.Place.Start.Line, " ", r.Verdict.Reason))
			list = append(list, r.Finding.ID)
		}
		slices.Sort(have)
		slices.Sort(list)
		want := []string{
			"add 11 panic: assertion failed (0x01)", "add 18 assertion failed: no 77", "add 20 panic: assertion failed (0x01)",
			"double 11 panic: assertion failed (0x01)", "invariant passed", "reset passed",
		}
		if !slices.Equal(have, want) {
			t.Errorf("seed %d: %q", seed, have)
		}
		if ids == nil {
			ids = list
		}
		if !slices.Equal(list, ids) {
			t.Errorf("seed %d: %v, not %v", seed, list, ids)
		}
	}
}

// What forge keeps of failures runs first.
func TestForgeFailures(t *testing.T) {
	b := compile(t, searched)
	for _, row := range []struct{ contract, test, file string }{
		{"FuzzTests", "testTake", `{"warp":null,"roll":null,"sender":null,"addr":null,"calldata":"0xa57f30d10000000000000000000000000000000000000000000000000000000000007a69","args":"31337 [3.133e4]"}`},
		{"InvariantTests", "invariant_total", `{"call_sequence":[
			{"warp":null,"roll":null,"sender":"0x0000000000000000000000000000000000000b0b","addr":"0x2e234dae75c793f67a35089c9d99245e1c58470b","calldata":"0x3f81a2c000000000000000000000b612067eea9defcd5c7a0e0322f4e02c760621377247"},
			{"warp":null,"roll":null,"sender":"0x0000000000000000000000000000000000000b0b","addr":"0x2e234dae75c793f67a35089c9d99245e1c58470b","calldata":"0x4fd9efc40000000000000000000000000000000000000000000000000000000000007a69"}],"settings":{}}`},
	} {
		s := setUp(t, b, row.contract)
		at := slices.IndexFunc(s.Tests.Tests, func(t solc.Test) bool { return t.Name == row.test })
		known, err := s.ParseFailure(s.Tests.Tests[at], []byte(row.file))
		if err != nil {
			t.Fatal(err)
		}
		r, err := Search(context.Background(), s, s.Tests.Tests[at:at+1], Options{Seed: 1, MaxInputs: 1, Known: []input.Sequence{known}})
		if err != nil || r[0].Verdict.Status != suite.Failed {
			t.Errorf("%s: %+v, %v", row.test, r, err)
		}
		for _, wrong := range []string{"", "{}", `{"call_sequence":[]}`, strings.ReplaceAll(row.file, "0x", "0x11")} {
			if q, err := s.ParseFailure(s.Tests.Tests[at], []byte(wrong)); err == nil {
				t.Errorf("%q is %v", wrong, q)
			}
		}
	}
}

// Counterexamples are in the corpus, and run first next time.
func TestCounterexamplesAreKept(t *testing.T) {
	b, folder := compile(t, searched), t.TempDir()
	failing := func(o Options) (list []string) {
		o.Corpus = folder
		for _, r := range searchAll(t, b, "FuzzTests", o) {
			if r.Finding != nil {
				list = append(list, r.Test.Name)
			}
		}
		return list
	}
	first := failing(Options{Seed: 1, MaxInputs: 1000})
	if again := failing(Options{Seed: 2, MaxInputs: 2}); len(first) == 0 || !slices.Equal(first, again) {
		t.Errorf("%v fail, then %v", first, again)
	}
}

// A fuzz test ends when all its inputs were executed; one with many does not run
// short of them.
func TestDomains(t *testing.T) {
	b := compile(t, searched)
	for _, r := range searchAll(t, b, "Domains", Options{Seed: 1, MaxInputs: 20000}) {
		switch r.Test.Name {
		case "testFew":
			if r.Stats.Inputs < 512 || r.Stats.Inputs > 800 || r.Verdict.Status != suite.Passed {
				t.Errorf("%d inputs of 512: %s", r.Stats.Inputs, r.Verdict.Status)
			}
		case "testMany":
			if r.Stats.Inputs != 20000 || r.Stats.Reuse.Repeats > r.Stats.Inputs {
				t.Errorf("%d inputs, %d repeats", r.Stats.Inputs, r.Stats.Reuse.Repeats)
			}
		}
	}
}
