package engine

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"leveret/engine/finding"
	"leveret/engine/hostile"
	"leveret/engine/input"
	"leveret/engine/triage"
	"leveret/solc"
)

// A campaign that is cancelled before it replays a known finding does not report
// the finding as gone.
func TestCancelledCampaignsForgetNothing(t *testing.T) {
	b := compile(t, "testdata/Planted.sol")
	first := run(t, b, "Stateful", Options{MaxInputs: 6000, Seed: 1, Oracles: []string{"assertion"}})
	if len(first.Findings) == 0 {
		t.Fatal("nothing found")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var known []input.Sequence
	for range 3 {
		known = append(known, first.Findings[0].Witness)
	}
	_, err := Run(ctx, contract(t, b, "Stateful"), b.Contracts, Options{MaxInputs: 1, Known: known, Observe: func(e Event) {
		if e.Kind == EventGone {
			t.Errorf("known finding %d is gone", e.Index)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
}

// A finding is reported even if there is no time left to shrink its witness.
func TestFindingsOutliveTheirCampaign(t *testing.T) {
	b := compile(t, "testdata/Planted.sol")
	full := run(t, b, "Stateful", Options{MaxInputs: 6000, Seed: 1, Oracles: []string{"assertion"}})
	if len(full.Findings) == 0 {
		t.Fatal("nothing found")
	}
	c, err := newCampaign(t.Context(), contract(t, b, "Stateful"), b.Contracts, Options{Oracles: []string{"assertion"}})
	if err != nil {
		t.Fatal(err)
	}
	bound, ok := c.workers[0].search.Subject.Bind(full.Findings[0].Witness)
	if !ok {
		t.Fatal("the witness does not fit")
	}
	longer := bound.Insert(0, bound.Txs[0]) // there is something to leave out
	verdicts := c.workers[0].triage.Check(longer)
	if len(verdicts) == 0 {
		t.Fatal("it does not fail")
	}
	ctx, cancel := context.WithCancel(t.Context())
	end := c.shutdown.endWith(ctx)
	defer end()
	cancel()
	for !c.shutdown.isOver() {
		time.Sleep(time.Millisecond)
	}
	c.shutdown.closed.Store(true) // as if its grace were over too
	c.workers[0].triage.Report(longer, verdicts[:1], triage.ShrinkBudget, named("test"))
	if len(c.result.Findings) != 1 {
		t.Fatalf("%d findings", len(c.result.Findings))
	}
	f := c.result.Findings[0]
	if len(f.Witness.Txs) == 0 || f.Message == "" {
		t.Fatalf("finding %+v", f)
	}
	again, err := Replay(t.Context(), contract(t, b, "Stateful"), b.Contracts, f.Witness, Outside{}, false)
	if err != nil || len(again.Findings) == 0 {
		t.Errorf("it does not replay: %v", err)
	}
}

// The time budget ends a campaign however long an input takes.
func TestTimeIsOver(t *testing.T) {
	b := compileHostile(t, "endless loop of hashes of 1 MB")
	for _, workers := range []int{1, 2} {
		r, err := Run(t.Context(), contract(t, b, hostile.Name), b.Contracts, Options{Time: time.Millisecond, Workers: workers})
		if err != nil || r.Stats.Inputs > 0 {
			t.Fatalf("%+v, %v", r, err)
		}
		if want := hostile.Name + " was not fuzzed: its time ran out before"; len(r.Note) < len(want) || r.Note[:len(want)] != want {
			t.Errorf("note %q", r.Note)
		}
	}
}

func compileHostile(t *testing.T, name string) *solc.Build {
	t.Helper()
	for _, c := range hostile.All() {
		if c.Name == name {
			file := filepath.Join(t.TempDir(), "Hostile.sol")
			if err := os.WriteFile(file, []byte(c.Source), 0o600); err != nil {
				t.Fatal(err)
			}
			return compile(t, file)
		}
	}
	t.Fatalf("there is no hostile contract %q", name)
	return nil
}

// Campaigns with a budget of inputs end too, and their arguments are bounded.
func TestHostileTypesAreBounded(t *testing.T) {
	for _, name := range []string{"struct nested 12 deep", "constructor with a struct nested 9 deep"} {
		b := compileHostile(t, name)
		words := 0
		r, err := Run(t.Context(), contract(t, b, hostile.Name), b.Contracts, Options{MaxInputs: 25, Seed: 1, Observe: func(e Event) {
			if e.Kind == EventFound {
				words = max(words, wordsOf(e.Finding))
			}
		}})
		if err != nil || r.Stats.Inputs != 25 {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
		if words > 4*input.MaxWords {
			t.Errorf("%s: a finding of %d words", name, words)
		}
	}
}

func wordsOf(f *finding.Finding) (n int) {
	for i := range f.Witness.Deployment.Creations {
		n += input.Words(f.Witness.Deployment.Creations[i].Args)
	}
	for i := range f.Witness.Txs {
		n += input.Words(f.Witness.Txs[i].Args)
	}
	return n
}
