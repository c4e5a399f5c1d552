package engine

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/search"
)

// Several workers find what one finds, each finding once, and use the budget of
// inputs up together, but no more.
func TestWorkersFindTheSame(t *testing.T) {
	b := compile(t, "testdata/Planted.sol")
	for _, name := range []string{"Linear", "Stateful", "Property", "Voucher"} {
		one := run(t, b, name, Options{MaxInputs: 8000, Seed: 1})
		var busy atomic.Int32
		executed := 0
		several := run(t, b, name, Options{
			MaxInputs: 8000, Seed: 1, Workers: 3,
			Executed: func(input.Sequence) { executed++ },
			Observe: func(Event) {
				if busy.Add(1) > 1 {
					t.Error("events are concurrent")
				}
				time.Sleep(time.Millisecond)
				busy.Add(-1)
			},
		})
		if several.Stats.Inputs != 8000 || executed != 8000 {
			t.Errorf("%s: %d inputs, %d executed, of a budget of 8000", name, several.Stats.Inputs, executed)
		}
		tried := 0
		for _, s := range several.Stats.Sources {
			tried += s.Tried
		}
		if tried != several.Stats.Inputs {
			t.Errorf("%s: the sources have %d inputs, the campaign %d", name, tried, several.Stats.Inputs)
		}
		have, want := places(several), places(one)
		for _, place := range want {
			if !slices.Contains(have, place) {
				t.Errorf("%s: one worker finds %s, several do not", name, place)
			}
		}
		if slices.Sort(have); len(slices.Compact(slices.Clone(have))) != len(have) {
			t.Errorf("%s: a finding is reported twice: %v", name, have)
		}
		if several.Stats.Instructions.Covered < one.Stats.Instructions.Covered || several.Stats.Branches.Covered < one.Stats.Branches.Covered {
			t.Errorf("%s: several workers cover %+v, %+v, one %+v, %+v", name,
				several.Stats.Instructions, several.Stats.Branches, one.Stats.Instructions, one.Stats.Branches)
		}
		if one.Stats.Sources["exchanged"] != (finding.SourceStat{}) || several.Stats.Sources["exchanged"] == (finding.SourceStat{}) {
			t.Errorf("%s: exchanged inputs: %+v with one worker, %+v with several", name,
				one.Stats.Sources["exchanged"], several.Stats.Sources["exchanged"])
		}
	}
}

// places lists oracle and place of all findings but notes, which depend on how
// far the search came.
func places(r *finding.Result) (list []string) {
	for _, f := range r.Findings {
		if f.Severity >= finding.Warning {
			list = append(list, fmt.Sprint(f.Oracle, f.Place.File, f.Place.Start))
		}
	}
	return list
}

// Cancelled workers end at once, and leave no goroutine.
func TestWorkersAreCancelled(t *testing.T) {
	b := compile(t, "testdata/Planted.sol")
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, err := Run(ctx, contract(t, b, "Stateful"), b.Contracts, Options{
		Time: time.Hour, Workers: 4,
		Observe: func(e Event) {
			if e.Stats.Inputs > 100 {
				cancel()
			}
		},
	})
	if err != nil || r.Stats.Inputs <= 100 {
		t.Errorf("%d inputs, %v", r.Stats.Inputs, err)
	}
}

// Several workers save one corpus, each path once, and each replays a part of it.
func TestWorkersShareTheCorpusFile(t *testing.T) {
	b := compile(t, "testdata/Planted.sol")
	options := Options{MaxInputs: 6000, Seed: 5, Corpus: t.TempDir(), Workers: 2}
	first := run(t, b, "Stateful", options)
	options.Seed, options.MaxInputs = 6, 2000 // so many that no worker uses all of them up before the other begins
	again := run(t, b, "Stateful", options)
	recalled := again.Stats.Sources["recalled"]
	if again.Stats.Paths < first.Stats.Paths || recalled.Tried < first.Stats.Paths || recalled.Tried > 2*first.Stats.Paths {
		t.Errorf("%d paths after %d recalled inputs, %d before", again.Stats.Paths, recalled.Tried, first.Stats.Paths)
	}
}

// No input is executed twice, unless its storage is made up.
func TestRepeatsAreDropped(t *testing.T) {
	b := compile(t, "testdata/Planted.sol")
	for _, name := range []string{"Stateful", "Linear", "Sound"} {
		c := begin(t, b, name, Options{MaxInputs: 4000, Seed: 2})
		c.loadCorpus()
		w := c.workers[0]
		seen := map[uint64]bool{}
		for !w.spent(t.Context()) && w.budget.take() {
			r := w.execute()
			if seen[r.Digest] {
				t.Fatalf("%s: input %d is a repeat: %s", name, len(seen), r.Sequence)
			}
			seen[r.Digest] = true
			w.learn(r)
		}
		stats := c.finish().Stats
		if stats.Reuse.Repeats == 0 || stats.Inputs != len(seen) {
			t.Errorf("%s: %d repeats, %d inputs, %d digests", name, stats.Reuse.Repeats, stats.Inputs, len(seen))
		}
		if 10*stats.Reuse.Again > stats.Transactions || stats.Transactions > stats.Inputs && stats.Reuse.Found == 0 {
			t.Errorf("%s: of %d transactions %d were known, %d were found", name, stats.Transactions, stats.Reuse.Again, stats.Reuse.Found)
		}
	}
}

// A repeat is changed further until it is new: one candidate gives many inputs.
func TestRepeatsAreChanged(t *testing.T) {
	b := compile(t, "testdata/Planted.sol")
	c := begin(t, b, "Stateful", Options{MaxInputs: 500, Seed: 1})
	c.loadCorpus()
	w := c.workers[0]
	for w.budget.take() && len(w.search.Corpus.Entries) < 5 {
		w.learn(w.execute())
	}
	asked := 0
	only := w.search.Generator.Vary(w.search.Corpus.Entries[4])
	only.Origin = w.strategy.rows[0].Origin
	source := func() *search.Candidate { asked++; again := *only; return &again }
	seen := map[uint64]bool{}
	for range 400 {
		next, ready := w.repeats.next(source)
		seen[ready.Digest] = true
		w.repeats.remember(&search.Result{Candidate: next, Result: w.executor.Run(&ready)})
	}
	if len(seen) < 380 || asked > 2000 {
		t.Errorf("%d of 400 inputs are different, of %d candidates", len(seen), asked)
	}
}

// A campaign with fewer inputs than its budget ends all the same.
func TestExhaustedInputs(t *testing.T) {
	b := compile(t, "testdata/Planted.sol")
	c := begin(t, b, "Constant", Options{MaxInputs: 300, Seed: 1})
	w := c.workers[0]
	c.loadCorpus()
	only := w.strategy.next()
	for _, r := range w.strategy.rows {
		r.urgent, r.weight = nil, 0
	}
	w.strategy.rows[0].weight, w.strategy.rows[0].next = 1, func() *search.Candidate { again := *only; return &again }
	c.loop(t.Context())
	if stats := c.finish().Stats; stats.Inputs != 300 || stats.Reuse.Repeats != 299*maxRepeats {
		t.Errorf("%d inputs, %d repeats", stats.Inputs, stats.Reuse.Repeats)
	}
}
