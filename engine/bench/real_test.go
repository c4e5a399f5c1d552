package main

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

const (
	testTools = "../../solc/testdata/npm"
	testList  = testTools + "/real.txt"
)

// genuine lists the true findings of severity error in the real contracts, with
// the reason.
var genuine = map[string]string{
	// Old versions of SafeMath use assert instead of require: an overflow that a
	// caller causes by large arguments is reported as a failed assertion.
	"assertion SafeMath.sol": "OpenZeppelin 1 asserts what its callers pass",
	"ether-leak Batches.sol": "the holder of one token of a batch collects the payments of all",
}

// TestRealContracts fuzzes contracts of published projects for a short time: all
// can be deployed, nothing crashes, and every error is genuine.
func TestRealContracts(t *testing.T) {
	if testing.Short() {
		t.Skip("fuzzes many contracts")
	}
	needTools(t)
	o := &options{flags: flags{leveret: filepath.Join(t.TempDir(), "leveret"), tools: testTools, list: testList, inputs: 1500}}
	if out, err := exec.Command("go", "build", "-o", o.leveret, "leveret/cmd/leveret").CombinedOutput(); err != nil {
		t.Fatalf("build the command: %v\n%s", err, out)
	}
	subjects, err := realSubjects(o)
	if err != nil {
		t.Fatal(err)
	}
	if len(subjects) < 20 {
		t.Fatalf("the list has only %d contracts", len(subjects))
	}
	for _, s := range subjects {
		t.Run(s.name(), func(t *testing.T) {
			t.Parallel()
			rec := run{key{s.name(), "B", 1}, s, configs["B"]}.execute(context.Background(), o)
			judge(t, rec)
		})
	}
}

// judge checks that a run succeeded and logs its findings.
func judge(t *testing.T, rec record) {
	t.Helper()
	s := rec.Stats
	switch {
	case rec.Failed != "":
		t.Fatal(rec.Failed)
	case s.Inputs == 0:
		t.Fatalf("nothing was fuzzed: %s", rec.Note)
	case s.Unconfirmed > 0:
		t.Logf("%d findings were not confirmed", s.Unconfirmed)
	}
	t.Logf("%.0f transactions a second, %d paths, %d of %d instructions", float64(s.Transactions)/max(s.Seconds, 1e-3), s.Paths, s.Instructions.Covered, s.Instructions.Total)
	slices.SortFunc(rec.Findings, func(a, b finding) int { return a.Line - b.Line })
	for _, f := range rec.Findings {
		what := fmt.Sprintf("%s at %s:%d: %s", f.Severity, f.File, f.Line, f.Message)
		if f.Severity == "error" && genuine[f.Oracle+" "+f.File] == "" {
			t.Error(what)
		} else if f.strong() {
			t.Log(what)
		}
	}
}
