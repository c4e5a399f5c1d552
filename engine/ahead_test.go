package engine

import (
	"testing"

	"leveret/engine/lookahead"
)

// Without lines everything that has not run yet is a target; lines stay targets
// however often they run.
func TestTargetsOfACampaign(t *testing.T) {
	b := compile(t, "testdata/Ways.sol")
	for _, lines := range [][]Lines{nil, linesWith(t, b, "marked = x;")} {
		c, err := newCampaign(t.Context(), contract(t, b, "Ways"), b.Contracts, Options{MaxInputs: 2000, Seed: 1, Lines: lines})
		if err != nil {
			t.Fatal(err)
		}
		first := len(c.ahead.targets)
		if first == 0 || c.ahead.asked != (lines != nil) {
			t.Fatalf("%d targets, asked for: %v", first, c.ahead.asked)
		}
		c.loop(t.Context())
		if lines != nil {
			if len(c.ahead.targets) != first {
				t.Errorf("%d targets of %d are left", len(c.ahead.targets), first)
			}
			continue
		}
		if len(c.ahead.targets) == first {
			t.Error("no target was reached")
		}
		for _, block := range c.cover.Bytecode(c.underCode).Blocks {
			ran := c.hitsOf(c.underCode, uint64(block.Start)) > 0
			target := c.ahead.targets[lookahead.Target{Code: c.underCode.ID, PC: block.Start}]
			if code := int(block.First) < c.cover.Bytecode(c.underCode).Count; code && ran == target {
				t.Errorf("block %#x ran: %v; is a target: %v", block.Start, ran, target)
			}
		}
	}
}

// The configurations of the lookahead paper: without the analysis, with one
// that proves nothing, with another schedule; only the whole of it tells the
// search where to go.
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
		c, err := newCampaign(t.Context(), contract(t, b, "Ways"), b.Contracts, options)
		if err != nil {
			t.Fatal(err)
		}
		c.loop(t.Context())
		c.measure()
		s := c.result.Stats.Lookahead
		if got := s.Calls > 0; got != row.analyses {
			t.Errorf("%v: %d analyses", row.mode, s.Calls)
		}
		if got := s.Proper > 0; got != row.proves {
			t.Errorf("%v: %d proper prefixes", row.mode, s.Proper)
		}
		if s.IDs > s.Calls || row.proves && s.IDs >= s.Calls {
			t.Errorf("%v: %d identifiers of %d entries", row.mode, s.IDs, s.Calls)
		}
		if got := c.direction != nil; got != row.guides {
			t.Errorf("%v: a direction: %v", row.mode, got)
		}
	}
}
