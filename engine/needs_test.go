package engine

import (
	"context"
	"slices"
	"testing"
)

// A line that is not reached is explained by what its condition depends on.
func TestNeedsOfConditions(t *testing.T) {
	b := compile(t, "testdata/Needed.sol")
	for _, row := range []struct{ mark, depends, needs string }{
		{"reached = 1;", "the state", "calls before it that bring about another state"},
		{"reached = 2;", "what a call returns", "another answer of the called contract"},
		{"reached = 3;", "the sender", "another sender"},
		{"reached = 4;", "the arguments", "arguments that meet it together with the conditions before it"},
	} {
		report, err := Explain(context.Background(), contract(t, b, "Needed"), b.Contracts, Options{MaxInputs: 600, Seed: 1, Lines: linesWith(t, b, row.mark)})
		if err != nil {
			t.Fatal(err)
		}
		if len(report.Nearest) == 0 {
			t.Fatalf("%s: nothing blocks it: %+v", row.mark, report)
		}
		miss := report.Nearest[0]
		if !slices.Contains(miss.Depends, row.depends) || !slices.Contains(miss.Needs, row.needs) || miss.Compared == "" || len(miss.Tried) == 0 {
			t.Errorf("%s: %+v", row.mark, miss)
		}
		if report.Stuck == 0 || report.Unguided > report.Stuck {
			t.Errorf("%s: %d of %d inputs are unguided", row.mark, report.Unguided, report.Stuck)
		}
	}
}
