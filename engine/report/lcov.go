package report

import (
	"bufio"
	"io"

	"leveret/engine/finding"
)

// LCOV writes the coverage as a tracefile of LCOV, see geninfo(1). The count of a
// line are the inputs whose last transaction ran it; an outcome of a branch counts 1
// if there was one that took it.
func LCOV(w io.Writer, r *Report, o Options) error {
	t := lcov{bufio.NewWriter(w)}
	for _, f := range r.fileCoverage(r.base(o)) {
		t.file(&f)
	}
	return t.Flush()
}

// An lcov writes records. Its Writer keeps the first error for Flush.
type lcov struct{ *bufio.Writer }

func (t lcov) file(f *finding.FileCoverage) {
	printfTo(t, "TN:\nSF:%s\n", f.Path)
	lines, outcomes := count([]finding.FileCoverage{*f})
	ran, number := hits(f), map[int]int{}
	for _, b := range f.Branches {
		for i, outcome := range b.Outcomes {
			printfTo(t, "BRDA:%d,%d,%d,%s\n", b.Line, number[b.Line], i, taken(outcome, ran[b.Line]))
		}
		number[b.Line]++
	}
	printfTo(t, "BRF:%d\nBRH:%d\n", outcomes.total, outcomes.covered)
	for _, l := range f.Lines {
		printfTo(t, "DA:%d,%d\n", l.Line, l.Hits)
	}
	printfTo(t, "LF:%d\nLH:%d\nend_of_record\n", lines.total, lines.covered)
}

// taken is the count of an outcome; "-" if no input reached the branch.
func taken(o finding.BranchOutcome, hits int) string {
	switch {
	case o.Taken:
		return "1"
	case hits > 0:
		return "0"
	}
	return "-"
}
