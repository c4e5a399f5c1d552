package baseline

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"leveret/engine/finding"
	"leveret/engine/report"
)

const source = "contract A {\n  // assert(x)\n  function f() {\n    assert(x\n      != 7);\n  }\n}\n"

// fuzzed is a report of contract A, whose inputs ran a line.
func fuzzed(line int) *report.Report {
	c := report.Contract{Texts: map[string][]byte{"A.sol": []byte(source)}}
	c.Name, c.Stats = "A", finding.Stats{Inputs: 1}
	c.Coverage = &finding.CoverageReport{Files: []finding.FileCoverage{{File: "A.sol", Lines: []finding.LineCoverage{{Line: 4}, {Line: line, Hits: 1}}}}}
	return &report.Report{Contracts: []report.Contract{c}}
}

func TestState(t *testing.T) {
	entry := Entry{ID: "assertion@A.sol:1", Cause: "assertion", Severity: finding.Warning, File: "A.sol", Text: "assert(x != 7)", Contracts: []string{"A"}}
	gone, other, file, shared := entry, entry, entry, entry
	gone.Text = "assert(x != 8)"
	other.Contracts = []string{"B"}
	shared.Contracts = []string{"A", "B"}
	file.File = "B.sol"
	found := []report.Group{{ID: entry.ID}}
	noted := fuzzed(4)
	noted.Severity = finding.Error
	for name, row := range map[string]struct {
		entry   Entry
		report  *report.Report
		groups  []report.Group
		oracles []string
		want    State
	}{
		"found":                       {entry, fuzzed(4), found, nil, Found},
		"its code ran":                {entry, fuzzed(4), nil, nil, NotShown},
		"its code did not run":        {entry, fuzzed(3), nil, nil, Missed},
		"its code is gone":            {gone, fuzzed(4), nil, nil, CodeIsGone},
		"of another contract":         {other, fuzzed(4), nil, nil, Unchecked},
		"not all contracts ran":       {shared, fuzzed(4), nil, nil, Unchecked},
		"of another file":             {file, fuzzed(4), nil, nil, Unchecked},
		"its oracle was off":          {entry, fuzzed(4), nil, []string{"overflow"}, Unchecked},
		"its oracle was on":           {entry, fuzzed(4), nil, []string{"assertion"}, NotShown},
		"below the reported severity": {entry, noted, nil, nil, Unchecked},
	} {
		if got := row.entry.State(row.report, row.groups, row.oracles); got != row.want {
			t.Errorf("%s: state %d, want %d", name, got, row.want)
		}
	}
}

func TestFind(t *testing.T) {
	for excerpt, want := range map[string][]int{
		"assert(x":        {2, 4},
		"assert(x != 7)":  {4},
		"assert(x !…":     {4},
		"f()":             {3},
		"assert(x != 77)": nil,
		"":                nil,
	} {
		if got := find([]byte(source), excerpt); !slices.Equal(got, want) {
			t.Errorf("%q is on lines %v, want %v", excerpt, got, want)
		}
	}
}

// What is written is read again, sorted, and other JSON is refused.
func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "b.json")
	b := File{Findings: []Entry{{ID: "b", File: "B.sol"}, {ID: "z", File: "A.sol"}}}
	if err := b.Write(path); err != nil {
		t.Fatal(err)
	}
	again, err := Read(path)
	if err != nil || again.Findings[0].ID != "z" || !again.IDs()["b"] || len(again.IDs()) != 2 {
		t.Errorf("read %+v, %v", again, err)
	}
	if err := (&File{}).Write(path); err != nil {
		t.Fatal(err)
	}
	if again, err := Read(path); err != nil || again.IDs() == nil {
		t.Errorf("an empty baseline: %+v, %v", again, err)
	}
	for text, want := range map[string]string{
		`{"version": 2, "contracts": []}`: "not a baseline", `[]`: "not a baseline", `{"findings": []}`: "not a baseline",
		`{"version": 2, "findings": []}`: "version 2",
	} {
		if _, err := Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
