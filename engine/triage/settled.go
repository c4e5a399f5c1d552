package triage

import (
	"slices"

	"leveret/engine/cover"
	"leveret/engine/oracle"
)

// settled are the places where checks failed or arithmetic wrapped and where
// nothing new can be found. A result that shows nothing else costs nothing.
type settled struct {
	failures map[cover.Failure]bool
	wraps    map[cover.Metric]bool
}

func newSettled() settled {
	return settled{failures: map[cover.Failure]bool{}, wraps: map[cover.Metric]bool{}}
}

// add settles the arithmetic of a verdict that is shown, unless other arithmetic
// of the source shares the instruction.
func (s *settled) add(sources *oracle.Sources, v *Verdict) {
	if v.report.Oracle != &oracle.Overflow {
		return
	}
	site := v.report.Trail[0]
	if at := sources.At(site); at.Mapped && !at.Imprecise() {
		s.wraps[cover.ArithMetric(site.Code, site.PC)] = true
	}
}

// checked settles the failures of a suspect that was checked.
func (s *settled) checked(of *suspect) {
	for _, f := range of.failures {
		s.failures[f] = true
	}
}

// explains reports whether an oracle has nothing new to report about a suspect.
func (s *settled) explains(o *oracle.Oracle, of *suspect) bool {
	switch {
	case o.FailedCheck:
		return of.allFailures && len(of.failures) > 0 && !slices.ContainsFunc(of.failures, func(f cover.Failure) bool { return !s.failures[f] })
	case o == &oracle.Overflow:
		return len(of.wraps) > 0 && !slices.ContainsFunc(of.wraps, func(m cover.Metric) bool { return !s.wraps[m] })
	}
	return false
}
