package main

import (
	"leveret/engine/finding"
	"leveret/engine/report"
)

// stale lists the suppression comments that no campaign used. A comment in a base
// contract is used if any contract that inherits from it uses it.
func stale(r *report.Report) (list []finding.Suppression) {
	at := map[finding.Place]int{}
	for i := range r.Contracts {
		if len(r.Contracts[i].Findings) == 0 && r.Contracts[i].Stats.Inputs == 0 {
			continue
		}
		for _, s := range r.Contracts[i].Suppressions {
			n, known := at[s.Place]
			if !known {
				n = len(list)
				at[s.Place], list = n, append(list, s)
				continue
			}
			list[n].Suppressed += s.Suppressed
		}
	}
	kept := list[:0]
	for _, s := range list {
		if s.Suppressed == 0 {
			kept = append(kept, s)
		}
	}
	return kept
}
