package main

import (
	"cmp"
	"fmt"
	"slices"
)

// A bug is what findings of many runs have in common: two findings of one
// oracle at one place are the same bug [HARVEY 6.2].
type bug struct {
	oracle, file string
	line         int
}

func (f finding) bug() bug { return bug{f.Oracle, f.File, f.Line} }

func (b bug) String() string { return fmt.Sprintf("%s %s:%d", b.oracle, b.file, b.line) }

// strong says whether a finding is of a strength that is shown as a problem.
func (f finding) strong() bool { return f.Severity == "error" || f.Severity == "warning" }

// bugs are those that any of the records has, in order of their places.
func bugs(list []record) []bug {
	seen := map[bug]bool{}
	var out []bug
	for _, r := range list {
		for _, f := range r.Findings {
			if b := f.bug(); f.strong() && !seen[b] {
				seen[b] = true
				out = append(out, b)
			}
		}
	}
	slices.SortFunc(out, func(a, b bug) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line), cmp.Compare(a.oracle, b.oracle))
	})
	return out
}

// A search is how long a run took until a finding that is wanted.
type search struct {
	seconds, inputs float64
	found           bool
}

// search looks for the first wanted finding. A run without it counts with
// its whole budget, which is less than the truth [HARVEY 6.3].
func (r record) search(limit float64, wanted func(finding) bool) search {
	s := search{max(limit, r.Stats.Seconds), float64(r.Stats.Inputs), false}
	for _, f := range r.Findings {
		if wanted(f) && (!s.found || f.Inputs < int(s.inputs)) {
			s = search{f.Seconds, float64(f.Inputs), true}
		}
	}
	return s
}

// searches are those of many runs, as samples.
func searches(list []record, limit float64, wanted func(finding) bool) (seconds, inputs []float64, found int) {
	for _, r := range list {
		s := r.search(limit, wanted)
		seconds, inputs = append(seconds, s.seconds), append(inputs, s.inputs)
		if s.found {
			found++
		}
	}
	return seconds, inputs, found
}
