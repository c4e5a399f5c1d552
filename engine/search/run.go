package search

import (
	"slices"

	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/engine/program"
)

// A Run says when the properties of a Suite are checked. The tools that they are
// written for make calls in runs of a fixed number: only what shows in such a run
// breaks a property.
type Run struct {
	Depth    int               // calls of a run; 0: any number
	Interval int               // calls between two checks of a property; 0: only after the last one
	AtEnd    []*input.Function // properties that are checked after the last call alone
}

// A Reached says how far a run has come.
type Reached struct {
	Calls int
	over  bool // a call failed that ends the run: no whole run has it
}

// Next returns how far the run is after a transaction that led to a world. Calls
// that are rejected do not count, and neither do properties.
func (s *Suite) Next(at Reached, tx *input.Tx, o *evm.Outcome, w *evm.World) Reached {
	if program.IsProperty(tx.Function) || s.Rejects(o) {
		return at
	}
	at.Calls++
	at.over = at.over || s.Breaks(tx, o, w) != nil
	return at
}

// Allows reports whether a run comes that far.
func (r *Run) Allows(at Reached) bool { return r.Depth == 0 || at.Calls <= r.Depth }

// Checks reports whether a property is checked there.
func (r *Run) Checks(f *input.Function, at Reached) bool {
	last := r.Depth > 0 && at.Calls == r.Depth && !at.over
	switch {
	case slices.Contains(r.AtEnd, f):
		return last
	case at.Calls == 0, last:
		return true
	case r.Interval == 0:
		return false
	}
	return r.Allows(at) && at.Calls%r.Interval == 0
}
