package engine

import (
	"slices"
	"testing"

	"leveret/engine/cover"
	"leveret/engine/exec"
	"leveret/engine/finding"
	"leveret/engine/search"
)

// Inputs are counted since the last one that covered something new, and by source
// where they came to a condition.
func TestAttempts(t *testing.T) {
	drawn, solved := named("drawn"), named("solved")
	a := newAttempts([]*row{{Origin: drawn, draws: true}, {Origin: solved}})
	var p search.Progress
	at := cover.Branch(7)
	for _, step := range []struct {
		from  *search.Origin
		fresh bool
	}{{drawn, false}, {drawn, true}, {solved, false}, {solved, false}, {drawn, false}} {
		if p.Inputs++; step.fresh {
			p.LastNew = p.Inputs
		}
		r := &search.Result{Candidate: &search.Candidate{Origin: step.from}, Result: exec.Result{}}
		r.Run.Costs = []cover.Cost{{Metric: cover.BranchMetric(at, 0)}}
		a.count(r, &p)
	}
	if a.stuck != 3 || a.unguided != 1 {
		t.Errorf("%d inputs, %d of them unguided", a.stuck, a.unguided)
	}
	if got := a.of(at); !slices.Equal(got, []finding.SourceInputs{{Source: "drawn", Inputs: 3}, {Source: "solved", Inputs: 2}}) {
		t.Errorf("%v", got)
	}
	if got := a.of(at + 1); len(got) > 0 {
		t.Errorf("%v", got)
	}
	(*attempts)(nil).count(nil, nil)
}
