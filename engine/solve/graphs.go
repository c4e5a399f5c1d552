package solve

import "leveret/engine/shadow"

// graphs are the memory of what taint runs find: a run takes a graph that no problem
// needs any more.
type graphs struct {
	latest *graph
	free   []*graph
}

// A graph has the Expressions of a run, which problems may wait for.
type graph struct {
	*shadow.Expressions
	waiting int // problems
}

// The bounds of what is kept besides the latest graph: graphs, and nodes that each of them
// has room for.
const (
	maxFreeGraphs = 2
	maxFreeNodes  = 2 * maxPostponedNodes
)

// next returns an empty graph for the next run.
func (g *graphs) next() *graph {
	switch n := len(g.free) - 1; {
	case g.latest != nil && g.latest.waiting == 0:
		g.latest.Clear()
	case n >= 0:
		g.latest, g.free = g.free[n], g.free[:n]
		g.latest.Clear()
	default:
		g.latest = &graph{Expressions: shadow.NewExpressions()}
	}
	return g.latest
}

// release says that a problem does not need a graph any more.
func (g *graphs) release(from *graph) {
	from.waiting--
	if from.waiting == 0 && from != g.latest && len(g.free) < maxFreeGraphs && cap(from.Nodes) <= maxFreeNodes {
		g.free = append(g.free, from)
	}
}
