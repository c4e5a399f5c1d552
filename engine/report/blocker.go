package report

import (
	"cmp"
	"fmt"
	"slices"

	"leveret/engine/finding"
	"leveret/solc"
	"leveret/solc/srcmap"

	"github.com/dustin/go-humanize/english"
)

// A contract was hardly covered if inputs of that many reached fewer than half of its
// branches, of which there are that many or more.
const (
	blockedInputs   = 1000
	blockedBranches = 10
)

// A Blocker is a condition of the project that had one outcome only, with code behind it
// that did not run.
type Blocker struct {
	Source *solc.Source
	Branch finding.BranchCoverage
	Inputs int // that ran its line
}

// BlockerOf returns the one that most inputs met, if a contract was hardly covered; nil if
// not, or if there is none.
func BlockerOf(result *finding.Result, build *solc.Build) (most *Blocker) {
	s := result.Stats
	if result.Coverage == nil || s.Inputs < blockedInputs || s.Branches.Total < blockedBranches || 2*s.Branches.Covered >= s.Branches.Total {
		return nil
	}
	for _, f := range result.Coverage.Files {
		source := build.Source(f.File)
		if source == nil || source.Library {
			continue
		}
		for _, b := range f.Branches {
			if n := stopped(f.Lines, b.Line); b.Taken() == 1 && spanned(source.Text, b.Span) != nil && n > 0 && (most == nil || n > most.Inputs) {
				most = &Blocker{source, b, n}
			}
		}
	}
	return most
}

// stopped returns how many inputs ran a line of which none got to the second one after it,
// as the next one may be a revert; 0 if one did.
func stopped(lines []finding.LineCoverage, line int) int {
	at, found := slices.BinarySearchFunc(lines, line, func(l finding.LineCoverage, line int) int { return cmp.Compare(l.Line, line) })
	if !found {
		return 0
	}
	for _, next := range lines[at+1 : min(at+3, len(lines))] {
		if next.Hits == 0 {
			return lines[at].Hits
		}
	}
	return 0
}

// blocker prints why a contract may have been hardly covered.
func (t *text) blocker(c *Contract) {
	b := c.Blocker
	if b == nil {
		return
	}
	condition := srcmap.Excerpt(spanned(b.Source.Text, b.Branch.Span))
	place := fmt.Sprintf("%s:%d", t.options.File(finding.Place{File: b.Source.Name, Path: b.Source.Path}), b.Branch.Line)
	t.printf("%s: few branches were reached: `%s` (%s) had one outcome only, in %s.\n", c.Name, condition, place, english.Plural(b.Inputs, "input", ""))
}
