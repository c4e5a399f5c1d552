package predict

import (
	"github.com/holiman/uint256"

	"leveret/engine/cover"
)

// A guard is a condition that the executions came by before a goal. If its
// cost is zero nearer than the goal's, the way to the goal leads through it,
// and the execution leaves the path first: a line through two points says
// nothing about what lies beyond.
type guard struct{ root float64 }

// guards collects, in the order of execution, where along the axis the costs
// that came so far are zero. Positions are relative to the parent's; near
// values need not be exact.
type guards struct {
	run   float64 // from parent to child
	roots []guard
}

func newGuards(x0, x1 *uint256.Int) *guards {
	var run uint256.Int
	absDiff(&run, x0, x1)
	g := &guards{run: run.Float64()}
	if x1.Lt(x0) {
		g.run = -g.run
	}
	return g
}

// root returns where the line through two costs is zero.
func (g *guards) root(c0, c1 *uint256.Int) float64 {
	var rise uint256.Int
	absDiff(&rise, c0, c1)
	slope := rise.Float64() / g.run
	if c1.Lt(c0) {
		slope = -slope
	}
	return -c0.Float64() / slope
}

// add notes a condition that was passed.
func (g *guards) add(c0, c1 *uint256.Int) { g.roots = append(g.roots, guard{g.root(c0, c1)}) }

// nearly allows for roundings.
const nearly = 1 - 1e-9

// blocked reports whether a guard stands between the nearer of the two points
// and the root of a goal's costs.
func (g *guards) blocked(c0, c1 *uint256.Int) bool {
	root, from := g.root(c0, c1), 0.0
	if c1.Lt(c0) {
		from = g.run
	}
	for _, other := range g.roots {
		if way := (other.root - from) / (root - from); way > 0 && way < nearly {
			return true
		}
	}
	return false
}

// passed tells whether a metric can guard others: an outcome of a jump.
func passed(m cover.Metric) bool {
	_, ok := m.Branch()
	return ok
}
