package engine

import (
	"testing"

	"leveret/engine/bytecode"
	"leveret/solc"
)

// The configurations of the lookahead paper: without the analysis, with one that
// proves nothing, and with another schedule. Only the full analysis guides the
// search.
func TestLookaheadModes(t *testing.T) {
	b := compile(t, "testdata/Ways.sol")
	for _, row := range []struct {
		mode                     LookaheadMode
		analyses, proves, guides bool
	}{
		{LookaheadOn, true, true, true},
		{LookaheadOff, false, false, false},
		{LookaheadBlind, true, false, false},
		{LookaheadPlain, true, true, false},
	} {
		options := Options{MaxInputs: 500, Seed: 1, Lookahead: row.mode, Lines: linesWith(t, b, "marked = x;")}
		c := begin(t, b, "Ways", options)
		c.loop(t.Context())
		s := c.finish().Stats.Lookahead
		if got := s.Calls > 0; got != row.analyses {
			t.Errorf("%v: %d analyses", row.mode, s.Calls)
		}
		if got := s.Proper > 0; got != row.proves {
			t.Errorf("%v: %d proper prefixes", row.mode, s.Proper)
		}
		if s.IDs > s.Calls || row.proves && s.IDs >= s.Calls {
			t.Errorf("%v: %d identifiers of %d entries", row.mode, s.IDs, s.Calls)
		}
		if got := c.workers[0].sources.guide.Guides(); got != row.guides {
			t.Errorf("%v: guides the search: %v", row.mode, got)
		}
	}
}

// begin sets a campaign up.
func begin(t *testing.T, b *solc.Build, name string, options Options) *campaign {
	t.Helper()
	c, err := newCampaign(t.Context(), contract(t, b, name), b.Contracts, options)
	if err != nil {
		t.Fatal(err)
	}
	if c.result.Note != "" {
		t.Fatal(c.result.Note)
	}
	return c
}

// What one function stores under a hash of all its arguments, another function
// finds only with the same arguments.
func TestTargetBehindHashOfArguments(t *testing.T) {
	b := compile(t, "testdata/Aimed.sol")
	for seed := range uint64(6) {
		c := begin(t, b, "Aimed", Options{MaxInputs: 8000, Seed: seed, Lines: linesWith(t, b, "done += much;")})
		w := c.workers[0]
		reached := func() bool {
			code := w.search.Subject.Code
			for _, lines := range c.options.Lines {
				for _, pc := range w.search.Subject.Program.InfoOf(code).PCs.SpanPCs(lines.Spans[0]) {
					if w.hits(code, uint64(pc)) > 0 {
						return true
					}
				}
			}
			return false
		}
		c.loadCorpus() // queues the seeds
		for !reached() && !w.spent(t.Context()) && w.budget.take() {
			w.learn(w.execute())
		}
		t.Logf("seed %d: %d inputs", seed, w.search.Progress.Inputs)
		if !reached() {
			t.Errorf("seed %d: not reached in %d inputs", seed, w.search.Progress.Inputs)
		}
	}
}

// A target that no encoded call reaches is reached by the raw data of a
// fallback.
func TestTargetOfRawCalls(t *testing.T) {
	b := compile(t, "testdata/Aimed.sol")
	target := refusal(t, begin(t, b, "Aimed", Options{MaxInputs: 1}))
	for seed := range uint64(6) {
		c := begin(t, b, "Aimed", Options{MaxInputs: 1000, Seed: seed, Targets: []uint64{target}})
		c.loop(t.Context())
		if len(c.first.goals) > 0 {
			t.Errorf("seed %d: not reached in %d inputs", seed, c.budget.executed())
		}
	}
}

// refusal returns where the first function that refuses wei reverts.
func refusal(t *testing.T, c *campaign) uint64 {
	t.Helper()
	all := c.deployed.subject.Cover.Bytecode(c.deployed.subject.Code).Instructions
	for i := range all[:len(all)-5] {
		if all[i].Op == bytecode.CALLVALUE && all[i+1].Op == bytecode.DUP1 && all[i+2].Op == bytecode.ISZERO && all[i+4].Op == bytecode.JUMPI {
			return uint64(all[i+5].PC)
		}
	}
	t.Fatal("no function refuses wei")
	return 0
}

// Functions that cannot reach a target are still called for what they do to the
// state, which may need conditions of their own.
func TestTargetThatNeedsOtherFunctions(t *testing.T) {
	b := compile(t, "testdata/Aimed.sol")
	for seed := range uint64(6) {
		r := run(t, b, "Prepared", Options{
			MaxInputs: 1500, Seed: seed, StopOnFirst: true, Oracles: []string{"assertion"}, Lines: linesWith(t, b, "assert(owed == 0);"),
		})
		if len(failing(r)) == 0 {
			t.Errorf("seed %d: not found in %d inputs", seed, r.Stats.Inputs)
		} else {
			t.Logf("seed %d: %d inputs", seed, r.Stats.Inputs)
		}
	}
}
