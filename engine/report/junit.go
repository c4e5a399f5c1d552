package report

import (
	"io"
	"path/filepath"
	"strings"

	"leveret/engine/finding"
	"leveret/engine/report/printable"
	"leveret/engine/report/testreport"
	"leveret/engine/report/words"
)

// JUnit writes the report as JUnit's XML: a suite for each contract that was fuzzed,
// with a failed test for each finding that is shown, and a passed one if there is
// none. Notes, and findings in the baseline, are skipped tests. A finding of several
// contracts is in the suite of the one that it is shown for.
func JUnit(w io.Writer, r *Report, o Options) error {
	var t testreport.Report
	groups := r.Groups()
	for i := range r.Contracts {
		if c := &r.Contracts[i]; c.Kind == "" {
			t.Suites = append(t.Suites, c.suite(groups, o))
		}
	}
	return testreport.JUnit(w, &t)
}

func (c *Contract) suite(groups []Group, o Options) testreport.Suite {
	s := testreport.Suite{File: printable.String(c.File), Contract: printable.String(c.Name)}
	for i := range groups {
		if groups[i].Shown().Of == c {
			s.Tests = append(s.Tests, junitCase(&groups[i], o))
		}
	}
	switch {
	case c.Stats.Inputs == 0 && c.Note != "":
		s.Tests = append(s.Tests, testreport.Case{Name: "fuzz", Status: "skipped", Reason: printable.String(c.Note)})
	case len(s.Tests) == 0:
		s.Tests = append(s.Tests, testreport.Case{Name: "fuzz", Status: "passed", Seconds: c.Stats.Seconds})
	}
	return s
}

func junitCase(g *Group, o Options) testreport.Case {
	f := g.Shown()
	one := testreport.Case{
		Name: printable.String(strings.TrimSuffix(f.Oracle+" in "+f.Function, " in ")), Status: "failed", Reason: printable.String(f.Message),
		File: printable.String(filepath.ToSlash(o.File(f.Place))), Line: f.Place.Start.Line, Seconds: f.Seconds,
	}
	if g.Accepted || f.Severity < finding.Warning {
		one.Status = "skipped"
	}
	for _, s := range words.Sentences(f.Witness) {
		one.Example = append(one.Example, printable.String(s))
	}
	return one
}
