package main

import (
	"cmp"
	"fmt"
	"slices"
)

// A bug is the common part of findings of several runs: two findings of one
// oracle at one place are the same bug [HARVEY 6.2].
type bug struct {
	oracle, file string
	line         int
}

func (f finding) bug() bug { return bug{f.Oracle, f.File, f.Line} }

func (b bug) String() string { return fmt.Sprintf("%s %s:%d", b.oracle, b.file, b.line) }

// strong reports whether a finding is a warning or an error.
func (f finding) strong() bool { return f.Severity == "error" || f.Severity == "warning" }

// bugs lists the bugs of all records, ordered by place.
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

// A search is the effort of a run until a wanted finding.
type search struct {
	seconds, inputs float64
	found           bool
}

// search finds the first wanted finding. A run without one counts with its
// whole budget, a lower bound [HARVEY 6.3].
func (r record) search(limit float64, wanted func(finding) bool) search {
	s := search{max(limit, r.Stats.Seconds), float64(r.Stats.Inputs), false}
	for _, f := range r.Findings {
		if wanted(f) && (!s.found || f.Inputs < int(s.inputs)) {
			s = search{f.Seconds, float64(f.Inputs), true}
		}
	}
	return s
}

// searches are the searches of many runs, as samples.
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
