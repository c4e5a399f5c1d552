package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"

	"leveret/engine"
	"leveret/engine/finding"
	"leveret/solc"
	"leveret/solc/project"
	"leveret/solc/selection"
)

// A panic in the campaign of one contract becomes its note, with the file of the
// stack. The findings of all contracts are reported, and the run fails.
func TestPanicFailsOneContract(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	build := &solc.Build{}
	u := selection.Unit{Build: build, Project: &project.Project{Location: project.Location{Root: t.TempDir()}}}
	list := []selection.Candidate{
		{Unit: u, Contract: &solc.Contract{Name: "Broken", File: "A.sol", Build: build}},
		{Unit: u, Contract: &solc.Contract{Name: "Sound", File: "A.sol", Build: build}},
	}
	var printed bytes.Buffer
	r := &fuzzRun{fuzzFlags: &fuzzFlags{}, console: console{err: &printed}, failOn: finding.Error}
	found := finding.Finding{ID: "X", Severity: finding.Warning}
	r.campaign = func(_ context.Context, c *solc.Contract, _ []*solc.Contract, _ engine.Options) (*finding.Result, error) {
		result := &finding.Result{Name: c.Name, File: c.File, Findings: []finding.Finding{found}}
		result.Findings[0].Place.File = c.Name + ".sol"
		result.Stats.Inputs = 1
		if c.Name == "Broken" {
			return result, &engine.Panic{Contract: c.Name, Value: "boom", Stack: []byte("goroutine 1\nwhere")}
		}
		return result, nil
	}
	out, err := r.campaigns(t.Context(), list, make([][]engine.Lines, 2))
	if err != nil {
		t.Fatal(err)
	}
	if n := out.Count(finding.Warning); n != 2 || len(out.Contracts) != 2 {
		t.Errorf("%d findings in %d contracts", n, len(out.Contracts))
	}
	note := out.Contracts[0].Note
	at := regexp.MustCompile(`^Leveret failed on Broken \(boom\); please report this, with the stack in (\S+)$`).FindStringSubmatch(note)
	if at == nil || !strings.Contains(printed.String(), note) {
		t.Fatalf("note %q, printed %q", note, printed.String())
	}
	if text, err := os.ReadFile(at[1]); err != nil || !strings.Contains(string(text), "where") {
		t.Errorf("stack %q, %v", text, err)
	}
	if err := r.verdict(out, nil, nil); err == nil || errors.Is(err, errFound) {
		t.Errorf("the run ends with %v", err)
	}
	r.failOn = finding.Warning
	if err := r.verdict(out, nil, nil); !errors.Is(err, errFound) {
		t.Errorf("with findings the run ends with %v", err)
	}
}
