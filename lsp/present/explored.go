package present

import (
	"fmt"
	"strings"
	"time"

	"leveret/engine/finding"
	"leveret/lsp/session"
	"leveret/solc/ast"
)

// A functionView has the statistics and branches of one function.
type functionView struct {
	inputs, paths int
	spent         time.Duration // of the contract's time, by inputs
	branches      []finding.BranchCoverage
}

// viewOf returns the view of a function declared in path; false if it was not
// fuzzed.
func viewOf(c *session.Contract, path string, f *ast.Node) (functionView, bool) {
	var v functionView
	if c.Explored == nil || c.Stats.Inputs == 0 {
		return v, false
	}
	all := 0
	for _, called := range c.Explored.Functions {
		all += called.Inputs
		if declares(f, called.Function) {
			v.inputs += called.Inputs
			v.paths += called.Paths
		}
	}
	v.spent = time.Duration(float64(c.Spent) * float64(v.inputs) / float64(max(1, all)))
	if file := c.Coverage(path); file != nil {
		for _, b := range file.Branches {
			if f.Span.Start <= b.Span.Start && b.Span.End() <= f.Span.End() {
				v.branches = append(v.branches, b)
			}
		}
	}
	return v, true
}

// text returns the statistics in a line.
func (v functionView) text() string {
	parts := []string{"fuzzed " + seconds(v.spent), count(v.paths, "path")}
	if covered, all := v.arms(); all > 0 {
		parts = append(parts, fmt.Sprintf("%d/%d branches", covered, all))
	}
	return strings.Join(parts, " · ")
}

// arms counts the branches: those taken, and all.
func (v functionView) arms() (covered, all int) {
	for i := range v.branches {
		covered += v.branches[i].Taken()
		all += len(v.branches[i].Outcomes)
	}
	return covered, all
}

// maxMissed bounds the branches that a hover lists.
const maxMissed = 10

// missed lists the branches with an arm that was not taken, each with the
// closest branch distance.
func (v functionView) missed(c Client, s *session.Snapshot, a *session.Analysis, path string) string {
	source, d := a.Build.PathSource(path), s.Document(path)
	if source == nil || d == nil {
		return ""
	}
	var b strings.Builder
	left := 0
	for i := range v.branches {
		missed := &v.branches[i]
		now, ok := s.Move(a, path, missed.Span)
		if missed.Taken() == len(missed.Outcomes) || !ok {
			continue
		}
		if left++; left > maxMissed {
			continue
		}
		text, _, _ := strings.Cut(string(source.Text[missed.Span.Start:missed.Span.End()]), "\n")
		fmt.Fprintf(&b, "\n- line %d, `%s`: %s", d.Lines.OffsetPosition(now.Start).Line, clip(strings.TrimRight(text, " \r{"), 60), missing(missed))
	}
	if left > maxMissed {
		fmt.Fprintf(&b, "\n- and %d more", left-maxMissed)
	}
	if left == 0 {
		return ""
	}
	return "\n\nBranches not covered:\n" + b.String()
}

// missing describes which arms of a branch were not taken.
func missing(b *finding.BranchCoverage) string {
	if b.Taken() == 0 {
		return "never reached"
	}
	for i := range b.Outcomes {
		if arm := &b.Outcomes[i]; arm.Near {
			return "one arm not taken; closest distance " + clip(arm.Distance.Dec(), 24)
		}
	}
	return "one arm not taken"
}

func clip(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}
