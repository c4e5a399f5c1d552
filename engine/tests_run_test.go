package engine

import (
	"slices"
	"strings"
	"testing"

	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/solc"
)

const ordered = "testdata/tests/Order.t.sol"

// executedBy runs all tests of OrderTest and returns what each executed, and the
// order of the tests.
func executedBy(t *testing.T, b *solc.Build, o Options) (executed map[string][]string, order []string) {
	t.Helper()
	if o.Tests.Executed == nil {
		o.Tests.Executed = map[string][]string{}
	}
	o.MaxInputs, o.Seed, executed = 20, 1, map[string][]string{}
	result := run(t, b, "OrderTest", o)
	for _, ended := range result.Tests {
		executed[ended.Signature], order = ended.Executed, append(order, ended.Signature)
	}
	return executed, order
}

// Tests note the functions that they execute, also in their set-up, and those that
// executed changed code run first, unit tests before searches.
func TestAffectedTestsRunFirst(t *testing.T) {
	b := compile(t, ordered)
	executed, order := executedBy(t, b, Options{})
	all := []string{"testNothing()", "testPut()", "testTake()", "testFuzzNothing(uint8)", "testFuzzPut(uint8)"}
	if got := slices.Sorted(slices.Values(order)); len(got) != len(all) {
		t.Fatalf("tests %q", order)
	}
	has := func(test, function string) bool { return slices.Contains(executed[test], ordered+":"+function) }
	for _, row := range []struct {
		test, function string
		want           bool
	}{
		{"testNothing()", "OrderTest.testNothing", true},
		{"testNothing()", "OrderTest.setUp", true},
		{"testNothing()", "Ledger.put", false},
		{"testPut()", "Ledger.put", true},
		{"testPut()", "Ledger.add", true}, // internal
		{"testPut()", "Ledger.take", false},
		{"testTake()", "Ledger.take", true},
		{"testFuzzPut(uint8)", "Ledger.add", true},
		{"testFuzzNothing(uint8)", "Ledger.add", false},
	} {
		if has(row.test, row.function) != row.want {
			t.Errorf("%s executed %s: %t; all: %q", row.test, row.function, !row.want, executed[row.test])
		}
	}

	for _, row := range []struct {
		change string
		first  []string // of the unit tests, then of the searches
	}{
		{"require(held[msg.sender] >= n", []string{"testTake()", "testNothing()", "testPut()"}},
		{"held[msg.sender] += n", []string{"testPut()", "testTake()", "testNothing()", "testFuzzPut(uint8)", "testFuzzNothing(uint8)"}},
		{"total++", order},                     // a modifier: all may be affected
		{"ledger = new Ledger()", order},       // the set-up of all
		{"mapping(address => uint256)", order}, // outside of functions
	} {
		_, got := executedBy(t, b, Options{Lines: linesWith(t, b, row.change), Tests: TestOptions{Executed: executed}})
		if !slices.Equal(got[:len(row.first)], row.first) {
			t.Errorf("after a change of %q: %q, want first %q", row.change, got, row.first)
		}
	}

	delete(executed, "testNothing()") // a new test
	if _, got := executedBy(t, b, Options{Lines: linesWith(t, b, "require(held"), Tests: TestOptions{Executed: executed}}); got[0] != "testNothing()" {
		t.Errorf("a test that never ran comes after others: %q", got)
	}
}

// Options choose kinds of tests. A known finding is gone only if its test ran.
func TestKindsOfTests(t *testing.T) {
	b := compile(t, ordered)
	c := contract(t, b, "OrderTest")
	known := func(signature string) input.Sequence {
		f, err := input.ParseSignature(signature)
		if err != nil {
			t.Fatal(err)
		}
		return input.Sequence{Txs: []input.Tx{{Function: f}}}
	}
	var gone []int
	options := Options{
		MaxInputs: 20, Known: []input.Sequence{known("testPut()"), known("testFuzzPut(uint8)"), known("testRemoved()")},
		Tests: TestOptions{Kinds: []solc.TestKind{solc.UnitTest}},
		Observe: func(e Event) {
			if e.Kind == EventGone {
				gone = append(gone, e.Index)
			}
		},
	}
	result, err := Run(t.Context(), c, b.Contracts, options)
	if err != nil {
		t.Fatal(err)
	}
	if slices.ContainsFunc(result.Tests, func(ended finding.Test) bool { return ended.Runs > 1 }) || len(result.Tests) != 3 {
		t.Errorf("tests %+v, want the unit tests", result.Tests)
	}
	if !slices.Equal(gone, []int{0, 2}) {
		t.Errorf("gone %v, want those of the unit test and of the removed one", gone)
	}
}

// Where unit tests that pass print is noted only if asked, since that takes a second execution; what
// they print is always there, and where a failed one printed.
func TestPrints(t *testing.T) {
	b := compile(t, "testdata/tests/Prints.t.sol")
	for _, asked := range []bool{false, true} {
		result := run(t, b, "PrintsTest", Options{MaxInputs: 1, Tests: TestOptions{Prints: asked}})
		for _, ended := range result.Tests {
			want := map[string]string{"testPrints()": "hello", "testReverts()": "before"}[ended.Signature]
			if strings.Join(ended.Lines, "\n") != want {
				t.Errorf("%s prints %q, want %q", ended.Signature, ended.Lines, want)
			}
			noted := want != "" && (asked || ended.Status == "failed")
			if (len(ended.Prints) == 1 && ended.Prints[0].Text == want) != noted {
				t.Errorf("asked %t: %s has prints %+v", asked, ended.Signature, ended.Prints)
			}
		}
		if len(result.Tests) != 3 {
			t.Errorf("%d tests", len(result.Tests))
		}
	}
}

// An invariant that fails is reported while the campaign goes on for the others, and what
// that does is. Its inputs are counted once, however many tests share it.
func TestWorkersReportInvariantsEarly(t *testing.T) {
	const inputs = 20000
	b := compile(t, "testdata/tests/Early.t.sol")
	for workers := 1; workers <= 2; workers++ {
		var found []Event
		progress := 0
		r := run(t, b, "EarlyTest", Options{MaxInputs: inputs, Seed: 1, Workers: workers, Observe: func(e Event) {
			switch {
			case e.Kind == EventFound:
				found = append(found, e)
			case e.Kind == EventProgress && e.Test == nil:
				progress++
				if e.Stats.Inputs == 0 || e.Stats.Inputs > inputs {
					t.Errorf("%d inputs so far", e.Stats.Inputs)
				}
			}
		}})
		if progress == 0 {
			t.Error("no progress is reported")
		}
		if len(found) != 2 || len(r.Findings) != 2 || len(r.Tests) != 3 {
			t.Fatalf("%d events of %d findings of %d tests", len(found), len(r.Findings), len(r.Tests))
		}
		for _, e := range found {
			if n := e.Finding.Inputs; n == 0 || n > inputs/4 || e.Stats.Inputs != n {
				t.Errorf("%s after %d inputs, at %d of them", e.Finding.Function, n, e.Stats.Inputs)
			}
		}
		if r.Stats.Inputs != inputs {
			t.Errorf("%d inputs, not %d", r.Stats.Inputs, inputs)
		}
	}
}
