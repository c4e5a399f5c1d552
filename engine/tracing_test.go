package engine

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/replay"
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
			trace, err := Trace(context.Background(), under, b.Contracts, s, Outside{}, finding.Finding{Oracle: blamed.Oracle().Name, Place: blamed.Place})
			if err != nil {
				t.Fatal(err)
			}
			short := func(p finding.Place) string { return filepath.Base(p.File) }
			got := replay.Join(trace.Lines(replay.Full(short))) + "\nStatements\n\n" + replay.Join(trace.StepLines(short))
			golden(t, "testdata/traces/"+name+".golden", []byte(got))
			checkMarks(t, trace)
		})
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
