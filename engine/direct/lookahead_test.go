package direct

import (
	"testing"

	"leveret/engine/lookahead"
	"leveret/engine/search/searchtest"
)

// Without a request all blocks of the contract are targets until they are
// covered.
func TestCoveredTargetsAreRemoved(t *testing.T) {
	d := begin(t, searchtest.Compile(t, "../testdata/Ways.sol"), "Ways", Request{})
	if len(d.lookahead.targets) == 0 || d.lookahead.Asked() || d.lookahead.arrived {
		t.Fatalf("%d targets; requested: %v; covered: %v", len(d.lookahead.targets), d.lookahead.Asked(), d.lookahead.arrived)
	}
	first := len(d.lookahead.targets)
	d.run(2000)
	if len(d.lookahead.targets) == first || !d.lookahead.arrived {
		t.Errorf("%d of %d targets are left; covered: %v", len(d.lookahead.targets), first, d.lookahead.arrived)
	}
	code := d.Subject.Code
	compiled := d.Subject.Cover.Bytecode(code)
	for _, block := range compiled.Blocks {
		if int(block.First) >= compiled.Count {
			continue // data
		}
		id, known := d.Subject.Cover.BlockAt(code, uint64(block.Start))
		covered := known && d.Coverage.Hits(id) > 0
		target := d.lookahead.targets[lookahead.Target{Code: code.ID, PC: block.Start}]
		if covered == target {
			t.Errorf("block %#x is covered: %v; is a target: %v", block.Start, covered, target)
		}
	}
}

// Requested targets stay targets when they are covered.
func TestRequestedTargetsStay(t *testing.T) {
	b := searchtest.Compile(t, "../testdata/Ways.sol")
	d := beginGuided(t, b, "Ways", lines(t, b, "marked = x;"))
	first := len(d.lookahead.targets)
	if first == 0 || !d.lookahead.Asked() {
		t.Fatalf("%d targets; requested: %v", first, d.lookahead.Asked())
	}
	d.run(2000)
	if !d.lookahead.arrived {
		t.Fatal("no target was covered")
	}
	if len(d.lookahead.targets) != first {
		t.Errorf("%d of %d targets are left", len(d.lookahead.targets), first)
	}
}
