package solve

import (
	"leveret/engine/cover"
	"leveret/engine/search"
)

// Wraps counts where arithmetic wrapped and what was done about it.
type Wraps struct {
	triaged  map[cover.Metric]int // runs that wrapped there and were triaged
	imagined map[cover.Metric]int // with overridden storage
	failed   map[cover.Metric]int // runs that reverted for another reason and were followed up
}

// NewWraps returns empty counts.
func NewWraps() *Wraps {
	return &Wraps{map[cover.Metric]int{}, map[cover.Metric]int{}, map[cover.Metric]int{}}
}

// wrapsPerSite bounds how often new combinations of wraps at one place are
// triaged: the first few show what becomes of the result.
const wrapsPerSite = 24

// Set returns a hash of which arithmetic wrapped in a run, in any order, without
// places that were triaged often enough.
func (w *Wraps) Set(run *cover.Run) (set uint64) {
	for _, site := range run.Wraps {
		if w.triaged[site] < wrapsPerSite {
			x := uint64(site) * 0x9e3779b97f4a7c15
			set += x ^ x>>29
		}
	}
	return set
}

// Triaged counts the places of a run that is triaged.
func (w *Wraps) Triaged(run *cover.Run) {
	for _, site := range run.Wraps {
		w.triaged[site]++
	}
}

// Count returns how many runs that wrapped at a place were triaged.
func (w *Wraps) Count(site cover.Metric) int { return w.triaged[site] }

// maxImaginedWraps bounds how often a wrap at a place that only overridden
// storage makes possible counts as new.
const maxImaginedWraps = 8

// isNewWithStorage reports whether a run with overridden storage wrapped where
// no run without did: the function needs other state though its paths are
// known.
func (w *Wraps) isNewWithStorage(r *search.Result) bool {
	if !r.Succeeded() {
		return false
	}
	for _, site := range r.Run.Wraps {
		if w.triaged[site] == 0 && w.imagined[site] < maxImaginedWraps {
			w.imagined[site]++
			return true
		}
	}
	return false
}

// maxFailedWraps bounds how often a wrap in a run that reverted is followed up.
const maxFailedWraps = 12

// followsUp reports whether to solve for the branch that made a run revert
// although arithmetic wrapped in it: both of its sides may be covered, but no
// run had both the wrap and the other side.
func (w *Wraps) followsUp(r *search.Result) bool {
	if len(r.Run.Wraps) == 0 || r.Succeeded() {
		return false
	}
	for _, site := range r.Run.Wraps {
		if w.failed[site] < maxFailedWraps {
			w.failed[site]++
			return true
		}
	}
	return false
}
