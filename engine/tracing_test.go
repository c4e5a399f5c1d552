package engine

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"leveret/engine/debug"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/replay"
	"leveret/engine/suite"
	"leveret/solc"

	"github.com/ethereum/go-ethereum/common"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// sequenceFrom reads a sequence from lines as in corpus files.
func sequenceFrom(t *testing.T, c *campaign, text string) input.Sequence {
	t.Helper()
	s := input.Sequence{Deployment: c.deployed.subject.Deployment.Record}
	names := input.NewNames(s.Deployment)
	for line := range strings.Lines(text) {
		tx, err := names.ParseTx(strings.TrimSpace(line), func(contract, signature string) *input.Function {
			address, _ := names.Resolve(contract)
			return calleeOf(c, address, signature)
		})
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		s.Txs = append(s.Txs, tx)
	}
	return s
}

// calleeOf returns a function that a campaign calls; nil if there is none.
func calleeOf(c *campaign, address common.Address, signature string) *input.Function {
	for _, callee := range c.deployed.subject.Callees {
		if callee.Address == address && callee.Function.Signature == signature {
			return callee.Function
		}
	}
	return nil
}

// prepared returns a campaign before its loop.
func prepared(t *testing.T, contract *solc.Contract, project []*solc.Contract) *campaign {
	t.Helper()
	c, err := newCampaign(context.Background(), contract, project, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if c.result.Note != "" {
		t.Fatal(c.result.Note)
	}
	return c
}

// TestTraces compares traces with golden files. The blamed step is the last one
// that the oracles report.
func TestTraces(t *testing.T) {
	files, err := filepath.Glob("testdata/traces/*.sol")
	if err != nil || len(files) == 0 {
		t.Fatal("no contracts", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".sol")
		t.Run(name, func(t *testing.T) {
			b := compile(t, file)
			under := contract(t, b, name)
			c := prepared(t, under, b.Contracts)
			text, err := os.ReadFile(strings.TrimSuffix(file, ".sol") + ".seq")
			if err != nil {
				t.Fatal(err)
			}
			s := sequenceFrom(t, c, string(text))
			verdicts := c.workers[0].triage.Check(s)
			if len(verdicts) == 0 {
				t.Fatal("nothing fails")
			}
			blamed := verdicts[len(verdicts)-1]
			about := finding.Finding{Oracle: blamed.Oracle().Name, Place: blamed.Place}
			trace, err := Trace(context.Background(), under, b.Contracts, s, Outside{}, about)
			if err != nil {
				t.Fatal(err)
			}
			debugBlamed(t, under, b.Contracts, s, about)
			short := func(p finding.Place) string { return filepath.Base(p.File) }
			got := replay.Join(trace.Lines(replay.Full(short))) + "\nStatements\n\n" + replay.Join(trace.StepLines(short))
			golden(t, "testdata/traces/"+name+".golden", []byte(got))
			checkMarks(t, trace)
		})
	}
}

// debugBlamed checks that a debugger stops where a finding blames.
func debugBlamed(t *testing.T, under *solc.Contract, project []*solc.Contract, s input.Sequence, about finding.Finding) {
	err := Debug(t.Context(), under, project, s, Outside{}, about, func(r *debug.Recording) error {
		session := r.NewSession(t.Context())
		defer session.Close()
		at, ok := r.Finding()
		if !ok {
			t.Fatal("the finding has no position")
		}
		if err := session.Goto(at); err != nil {
			return err
		}
		stack, err := session.Stack()
		if err != nil {
			return err
		}
		if tx, _, _ := r.Transaction(r.TransactionAt(at)); tx.Check {
			return nil // the property is blamed, and the last statement of its check is shown
		}
		if p := stack[0].Place; p.File != about.Place.File || p.Start.Line > about.Place.Start.Line || p.End.Line < about.Place.End.Line {
			t.Errorf("stopped in line %d of %s; line %d is to blame", p.Start.Line, p.File, about.Place.Start.Line)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A debugger of a test goes through setUp and the test with its cheatcodes, forwards and
// backwards, and stops at its failure.
func TestDebugTest(t *testing.T) {
	b := compile(t, "testdata/traces/tests/Debugged.t.sol")
	under := contract(t, b, "Debugged")
	s, err := suite.New(t.Context(), under, b.Contracts, suite.Options{Config: solc.DefaultTestConfig(), Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range s.Tests.Tests {
		var result *TestResult
		if err := RunTests(t.Context(), s, []solc.Test{test}, Options{MaxInputs: 300}, TestLimits{}, func(r *TestResult) { result = r }); err != nil {
			t.Fatal(err)
		}
		err := DebugTest(t.Context(), s, result, func(r *debug.Recording) error {
			session := r.NewSession(t.Context())
			defer session.Close()
			lines := func(step func(debug.Granularity) (bool, error)) (list []int) {
				for moved := true; moved; {
					stack, err := session.Stack()
					if err != nil {
						t.Fatal(err)
					}
					list = append(list, stack[0].Place.Start.Line)
					if moved, err = step(debug.ByStatement); err != nil {
						t.Fatal(err)
					}
				}
				return list
			}
			forward := lines(session.StepIn)
			back := lines(session.BackIn)[1:] // without the end
			slices.Reverse(back)
			if !slices.Equal(forward[:len(back)], back) {
				t.Errorf("%s: forwards %v, backwards %v", test.Name, forward, back)
			}
			at, found := r.Finding()
			if failed := result.Verdict.Status == suite.Failed; found != failed {
				t.Errorf("%s: failed %v, position of the failure %v", test.Name, failed, found)
			}
			if found {
				if err := session.Goto(at); err != nil {
					return err
				}
				stack, err := session.Stack()
				if err != nil {
					return err
				}
				if got := stack[0].Place.Start.Line; !strings.Contains(stack[0].Text, "fails here") {
					t.Errorf("%s: stopped at line %d, %s", test.Name, got, stack[0].Text)
				}
			}
			if r.Transactions() != 2 {
				t.Errorf("%s: %d transactions; want setUp and the test", test.Name, r.Transactions())
			}
			return nil
		})
		if err != nil {
			t.Errorf("%s: %v", test.Name, err)
		}
	}
}

// checkMarks checks that one step is blamed, and the length of lines.
func checkMarks(t *testing.T, trace *replay.Trace) {
	marks := 0
	for _, l := range trace.Lines(replay.Full(nil)) {
		if l.Here && strings.Contains(l.Text, "← here") {
			marks++
		}
		if n := len([]rune(l.Text)); n > replay.Width+30 {
			t.Errorf("%d columns: %s", n, l.Text)
		}
	}
	if marks != 1 {
		t.Errorf("%d steps are to blame", marks)
	}
}

// golden compares with a golden file.
func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs (go test ./engine -run %s -update rewrites it); got:\n%s", file, t.Name(), got)
	}
}
