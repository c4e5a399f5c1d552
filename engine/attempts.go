package engine

import (
	"cmp"
	"slices"

	"leveret/engine/cover"
	"leveret/engine/finding"
	"leveret/engine/search"
)

// attempts counts what sources try, to explain why something is not reached. A nil
// *attempts counts nothing.
type attempts struct {
	stuck    int                             // inputs since something was covered for the first time
	unguided int                             // of these, inputs of sources that draw words at random
	draws    map[*search.Origin]bool         // these sources
	reached  map[cover.Branch]map[string]int // inputs that came to the condition of a branch, by source
}

func newAttempts(rows []*row) *attempts {
	a := &attempts{draws: map[*search.Origin]bool{}, reached: map[cover.Branch]map[string]int{}}
	for _, r := range rows {
		a.draws[r.Origin] = r.draws
	}
	return a
}

// count counts a result that was recorded.
func (a *attempts) count(r *search.Result, p *search.Progress) {
	if a == nil {
		return
	}
	if a.stuck++; a.draws[r.Origin] {
		a.unguided++
	}
	if p.LastNew == p.Inputs {
		a.stuck, a.unguided = 0, 0
	}
	for _, cost := range r.Run.Costs {
		b, ok := cost.Metric.Branch()
		if !ok {
			continue
		}
		if a.reached[b] == nil {
			a.reached[b] = map[string]int{}
		}
		a.reached[b][r.Origin.Name]++
	}
}

// of returns the inputs that came to the condition of a branch and did not take it, by
// source, the most first.
func (a *attempts) of(b cover.Branch) (list []finding.SourceInputs) {
	for name, n := range a.reached[b] {
		list = append(list, finding.SourceInputs{Source: name, Inputs: n})
	}
	slices.SortFunc(list, func(a, b finding.SourceInputs) int {
		return cmp.Or(cmp.Compare(b.Inputs, a.Inputs), cmp.Compare(a.Source, b.Source))
	})
	return list
}
