package main

import (
	"slices"
	"testing"
)

// Results are stored by label, so labels are unique. A row rejects another bug
// of its oracle.
func TestCaseRowsDiffer(t *testing.T) {
	labels := map[string]bool{}
	for _, c := range caseRows {
		if labels[c.label()] {
			t.Errorf("two rows have the label %s", c.label())
		}
		labels[c.label()] = true
		own := finding{Oracle: c.oracle, Function: c.function + "uint256)", Line: c.line}
		other, elsewhere, next := own, own, own
		other.Oracle, elsewhere.Function, next.Line = "another", "another()", own.Line+1
		if !c.wants(own) || c.wants(other) || c.wants(elsewhere) != (c.function == "") || c.wants(next) != (c.line == 0) {
			t.Errorf("%s accepts another finding or rejects its own", c.label())
		}
	}
}

// An interrupted matrix has equally many runs of all contracts.
func TestSeedsVarySlowest(t *testing.T) {
	m := matrix{subjects: []subject{{file: "X.sol", contract: "X"}, {file: "Y.sol", contract: "Y"}, {file: "Z.sol", contract: "Z"}}, configs: []string{"A", "B", "C"}}
	o := &options{flags: flags{seeds: 2, only: []string{"X", "Z"}, configs: []string{"A", "B"}}}
	var got []key
	for _, r := range m.runs(o) {
		got = append(got, r.key)
	}
	want := []key{{"X", "A", 1}, {"X", "B", 1}, {"Z", "A", 1}, {"Z", "B", 1}, {"X", "A", 2}, {"X", "B", 2}, {"Z", "A", 2}, {"Z", "B", 2}}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
