package direct

import (
	"testing"

	"github.com/holiman/uint256"

	"leveret/engine/demand"
	"leveret/engine/search/searchtest"
)

// For a branch in shared code, the nearest entry is one of a function that can
// reach the target, even if another function came nearer.
func TestNearestCanReachTarget(t *testing.T) {
	b := searchtest.Compile(t, "../testdata/Aimed.sol")
	d := beginGuided(t, b, "Aimed", lines(t, b, "done = 1;"))
	if got := names(d.guide.callees); got != "lone" {
		t.Fatalf("%s can reach the target", got)
	}
	d.run(1500)
	busy := d.Corpus.ByCallee(d.Callee(t, "busy").Callee)
	if len(busy) == 0 {
		t.Fatal("busy has no entry")
	}
	drawn := 0
	for _, branch := range d.Corpus.Missed() {
		if !d.guide.Relevant(branch) {
			continue
		}
		d.Corpus.Approach(branch, busy[0], new(uint256.Int))
		for range 50 {
			e := d.guide.nearest(branch)
			if e == nil {
				continue
			}
			if drawn++; !d.guide.reaches[demand.CalleeOf(e.Sequence.Last())] {
				t.Fatalf("%v is the nearest entry", e.Sequence)
			}
		}
	}
	if drawn == 0 {
		t.Error("no entry comes near a branch on the way to the target")
	}
}
