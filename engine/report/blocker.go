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
// branches, of which there are that many or more. A condition stopped it if one input of
// that many met it.
const (
	blockedInputs   = 1000
	blockedBranches = 10
	blockedShare    = 100
)

// A Blocker is a condition of the project that had one outcome only, with code behind it
// that did not run. Its JSON format leaves the Source out.
type Blocker struct {
	Source    *solc.Source `json:"-"`
	Span      srcmap.Span  `json:"-"`         // of the condition
	File      string       `json:"file"`      // source unit
	Line      int          `json:"line"`      // 1-based, of the statement
	Condition string       `json:"condition"` // on one line, shortened
	Inputs    int          `json:"inputs"`    // that ran its line
}

// Sentence says why a contract was hardly covered; place names the file and line.
func (b *Blocker) Sentence(place string) string {
	return fmt.Sprintf("few branches were reached: `%s` (%s) had one outcome only, in %s", b.Condition, place, english.Plural(b.Inputs, "input", ""))
}

// BlockerOf returns the one in the code of a contract that most inputs met, if the contract
// was hardly covered; nil if not, or if there is none.
func BlockerOf(c *solc.Contract, s finding.Stats, coverage *finding.CoverageReport) *Blocker {
	if coverage == nil || s.Inputs < blockedInputs || s.Branches.Total < blockedBranches || 2*s.Branches.Covered >= s.Branches.Total {
		return nil
	}
	own := map[*solc.Source]bool{}
	for _, e := range c.Runtime.Map {
		if e.Source >= 0 && e.Source < len(c.Build.Sources) {
			own[c.Build.Sources[e.Source]] = true
		}
	}
	most := &Blocker{Inputs: s.Inputs/blockedShare - 1}
	for _, f := range coverage.Files {
		source := c.Build.Source(f.File)
		if source == nil || source.Library || !own[source] {
			continue
		}
		lines := srcmap.NewLines(source.Text)
		for _, b := range f.Branches {
			if b.Taken() != 1 || spanned(source.Text, b.Span) == nil {
				continue
			}
			condition := conditionOf(source, b.Span)
			if n := stopped(f.Lines, b.Line, lines.Line(condition.End())); n > most.Inputs {
				most = &Blocker{Source: source, Span: condition, File: f.File, Line: b.Line, Inputs: n}
			}
		}
	}
	if most.Source == nil {
		return nil
	}
	most.Condition = srcmap.Excerpt(spanned(most.Source.Text, most.Span))
	return most
}

// conditionOf returns the condition of the statement with a span, or the span of what
// has none, such as a call of require.
func conditionOf(source *solc.Source, span srcmap.Span) srcmap.Span {
	if source.Unit != nil {
		for _, n := range source.Unit.Exact(span) {
			if condition := n.Child("condition"); condition != nil {
				return condition.Span
			}
		}
	}
	return span
}

// stopped returns how many inputs ran the first line of a condition of which none got to
// the second one after its last line, as the next one may be a revert; 0 if one did.
func stopped(lines []finding.LineCoverage, first, last int) int {
	at := func(line int) int {
		i, _ := slices.BinarySearchFunc(lines, line, func(l finding.LineCoverage, line int) int { return cmp.Compare(l.Line, line) })
		return i
	}
	begin, behind := at(first), at(last+1)
	if begin == len(lines) || lines[begin].Line != first {
		return 0
	}
	for _, next := range lines[behind:min(behind+2, len(lines))] {
		if next.Hits == 0 {
			return lines[begin].Hits
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
	t.printf("%s: %s.\n", c.Name, b.Sentence(fmt.Sprintf("%s:%d", t.options.File(finding.Place{File: b.File, Path: b.Source.Path}), b.Line)))
}
