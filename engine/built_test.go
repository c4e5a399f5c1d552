package engine

import (
	"context"
	"slices"
	"testing"

	"leveret/engine/finding"
	"leveret/engine/input"
)

// A contract that cannot be deployed is fuzzed as setUp of a test builds it,
// without cheatcodes, and its findings are replayed there.
func TestBuiltBySetUp(t *testing.T) {
	b := compile(t, "testdata/tests/Built.t.sol")
	r := run(t, b, "Guarded", Options{MaxInputs: 4000, Seed: 1})
	if r.Note != "" {
		t.Fatal(r.Note)
	}
	i := slices.IndexFunc(r.Findings, func(f finding.Finding) bool { return f.Oracle == "assertion" })
	if i < 0 {
		t.Fatalf("%d findings", len(r.Findings))
	}
	f := &r.Findings[i]
	words := f.Witness.Deployment.Describe()
	want := []string{"deployer creates GuardedTest()", "deployer calls GuardedTest.setUp()", "GuardedTest creates Guarded"}
	if !slices.Equal(words, want) {
		t.Errorf("%q", words)
	}
	for _, tx := range f.Witness.Txs {
		if _, actor := input.ActorOf(tx.From.Address()); !actor {
			t.Errorf("%v sends", tx.From)
		}
	}
	known, err := input.ReadText(input.AppendText(nil, f.Witness), nil)
	if err != nil {
		t.Fatal(err)
	}
	c := contract(t, b, "Guarded")
	again, err := Replay(context.Background(), c, b.Contracts, known, Outside{}, false)
	if err != nil || again.Note != "" || !slices.ContainsFunc(again.Findings, func(g finding.Finding) bool { return g.ID == f.ID }) {
		t.Errorf("again %+v, %v", again, err)
	}
	if slices.ContainsFunc(r.Findings, func(f finding.Finding) bool { return f.Function == "worth()" && f.Severity == finding.Error }) {
		t.Error("mocked calls are answered")
	}
}
