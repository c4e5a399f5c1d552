package engine

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/search"
	"leveret/solc"
)

// A panic ends one campaign with an error that asks for a report; earlier
// findings are kept.
func TestRunSurvivesPanics(t *testing.T) {
	b := compile(t, "testdata/Planted.sol")
	clumsy := func(e Event) {
		if e.Kind == EventFound {
			panic("clumsy observer")
		}
	}
	for _, workers := range []int{1, 2} {
		result, err := Run(context.Background(), contract(t, b, "Constant"), b.Contracts, Options{MaxInputs: 2000, Workers: workers, Observe: clumsy})
		wantPanic(t, err, "Constant", "clumsy observer", "TestRunSurvivesPanics")
		if result == nil || len(result.Findings) != 1 || result.Stats.Inputs == 0 {
			t.Fatalf("result %+v", result)
		}
		if result.Note != err.Error() || !strings.Contains(result.Note, "please report this") {
			t.Errorf("note %q", result.Note)
		}
	}
}

// wantPanic checks that err is a Panic on a contract, with a value and a function
// in its stack.
func wantPanic(t *testing.T, err error, contract, value, function string) {
	t.Helper()
	var p *Panic
	if !errors.As(err, &p) {
		t.Fatalf("no panic: %v", err)
	}
	if p.Contract != contract || !strings.Contains(p.Error(), value) || !strings.Contains(string(p.Stack), function) {
		t.Errorf("panic %v at\n%s", p, p.Stack)
	}
}

// A panic of a worker reaches the goroutine that waits for it, with the worker's
// stack.
func TestWorkersPanicWhereTheyAreWaitedFor(t *testing.T) {
	b := compile(t, "testdata/Planted.sol")
	under := contract(t, b, "Constant")
	for _, broken := range []int{0, 1} {
		c := begin(t, b, "Constant", Options{Time: time.Hour, Workers: 2})
		c.workers[broken].strategy.prepare = func(*search.Candidate) { panic("broken source") }
		err := guard(under, func() error {
			c.loop(t.Context())
			return nil
		})
		wantPanic(t, err, "Constant", "broken source", "(*strategy).next(")
	}
}

// All other entry points are guarded too.
func TestOthersSurvivePanics(t *testing.T) {
	under := &solc.Contract{Name: "Broken", Kind: solc.KindContract, Creation: solc.Code{Object: []byte{0}}, ABI: []byte("[]")}
	project := []*solc.Contract{nil} // what no compiler makes
	for name, run := range map[string]func() error{
		"Run": func() error { _, err := Run(t.Context(), under, project, Options{}); return err },
		"Replay": func() error {
			_, err := Replay(t.Context(), under, project, input.Sequence{}, Outside{}, false)
			return err
		},
		"Trace": func() error {
			_, err := Trace(t.Context(), under, project, input.Sequence{}, Outside{}, finding.Finding{})
			return err
		},
		"Explain": func() error { _, err := Explain(t.Context(), under, project, Options{}); return err },
	} {
		t.Run(name, func(t *testing.T) { wantPanic(t, run(), "Broken", "nil pointer", "newDeployed") })
	}
}

// A contract whose deployment leaves no code gives a note.
func TestEmptyCode(t *testing.T) {
	b := compile(t, "testdata/Empty.sol")
	for _, name := range []string{"Destroyed", "Nothing", "DestroyedLater"} {
		r, err := Run(t.Context(), contract(t, b, name), b.Contracts, Options{MaxInputs: 100})
		if err != nil || !strings.Contains(r.Note, name+" was not fuzzed: its deployment leaves no code") {
			t.Errorf("%s: note %q, error %v", name, r.Note, err)
		}
	}
	r := run(t, b, "Maker", Options{MaxInputs: 500, Oracles: []string{"assertion"}})
	if r.Note != "" || len(failing(r)) == 0 {
		t.Errorf("note %q, findings %v", r.Note, r.Findings)
	}
}
