package predict

import (
	"slices"

	"github.com/holiman/uint256"

	"leveret/engine/cover"
)

// A guard is a condition before the goal that both executions took alike. An
// input that flips it leaves the path, and the line through two points does not
// hold beyond.
type guard struct {
	at    uint256.Int // position that flips it
	point bool        // only that position flips it
	up    bool        // all positions above at flip it, else all below
}

func (g *guard) turns(x *uint256.Int) bool {
	switch {
	case *x == g.at:
		return true
	case g.point:
		return false
	case g.up:
		return x.Gt(&g.at)
	}
	return x.Lt(&g.at)
}

// newGuard finds the position at which the line through two costs of one
// outcome is zero; false if there is none.
func newGuard(a, b sample) (g guard, ok bool) {
	near, far := &a, &b
	if far.c.Lt(&near.c) {
		near, far = far, near
	}
	root := near.rootWith(far)
	if !root.exists || root.rounded && near.side.Point() {
		return g, false
	}
	return guard{at: root.at, point: near.side.Point(), up: root.up}, true
}

// turned reports whether x flips one of the guards.
func turned(guards []guard, x *uint256.Int) bool {
	for i := range guards {
		if guards[i].turns(x) {
			return true
		}
	}
	return false
}

// A way is the common part of two executions: the guards so far, and whether
// costs beyond them are comparable.
type way struct {
	x0, x1 uint256.Int
	guards []guard
	apart  bool // parent and child took different outcomes
	wild   bool // a condition changed nonlinearly
}

// pass adds a condition that both executions passed before the goal.
func (w *way) pass(c0, c1 *cover.Cost) {
	if c0.Value == c1.Value {
		return
	}
	a, b := newSample(&w.x0, c0), newSample(&w.x1, c1)
	if !isLine(&a, &b) {
		w.wild = true
		return
	}
	if g, ok := newGuard(a, b); ok {
		w.guards = append(w.guards, g)
	}
}

// shared are the outcomes before two paths diverge.
type shared struct {
	same []cover.Branch
	all  bool // the paths do not diverge
}

func newShared(a, b []cover.Branch) shared {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return shared{a[:n], n == len(a) && n == len(b)}
}

func (s shared) has(b cover.Branch) bool { return s.all || slices.Contains(s.same, b) }
