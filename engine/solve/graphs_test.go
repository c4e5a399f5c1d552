package solve

import (
	"testing"

	"github.com/holiman/uint256"

	"leveret/engine/shadow"
)

// A run takes a graph that no problem waits for, and few are kept.
func TestGraphs(t *testing.T) {
	var all graphs
	first := all.next()
	if all.next() != first {
		t.Error("a graph that nothing waits for is not used again")
	}
	first.waiting += 2
	var waiting []*graph
	for range 3 * maxFreeGraphs {
		g := all.next()
		if g.waiting > 0 || len(g.Nodes) != 1 {
			t.Fatalf("a run gets a graph that %d problems wait for, with %d nodes", g.waiting, len(g.Nodes))
		}
		g.Nodes = append(g.Nodes, shadow.Expression{Op: shadow.OpConst, Value: *uint256.NewInt(7)})
		g.waiting++
		waiting = append(waiting, g)
	}
	all.release(first)
	if len(all.free) > 0 {
		t.Error("a graph is free that a problem waits for")
	}
	for _, g := range append(waiting, first) {
		all.release(g)
	}
	if len(all.free) != maxFreeGraphs {
		t.Errorf("%d graphs are kept, not %d", len(all.free), maxFreeGraphs)
	}
	if latest := waiting[len(waiting)-1]; all.next() != latest || len(latest.Nodes) != 1 {
		t.Error("the latest graph is not used again")
	}
}
