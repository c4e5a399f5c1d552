package present

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"go.lsp.dev/protocol"

	"leveret/engine"
	"leveret/engine/finding"
	"leveret/lsp/session"
	"leveret/solc/ast"
)

// functionsOf returns the functions that a contract declares in one source and
// that have a state: the tests of a test contract, else all that can be called.
func functionsOf(c *session.Contract, source int) []*ast.Node {
	if c.RunsTests() {
		return c.TestNodes(source)
	}
	return reachable(c.Contract, source)
}

// testStates are the states of tests that ended.
var testStates = map[string]session.State{"passed": session.StateClean, "failed": session.StateFindings, "skipped": session.StateSkipped}

// Bounds of the lines of console.log in a status, and of the characters of each.
const (
	maxLines = 20
	maxLine  = 200
)

func testStatus(t *finding.Test) *TestStatus {
	lines := slices.Clone(t.Lines[:min(len(t.Lines), maxLines)])
	for i := range lines {
		lines[i] = clip(lines[i], maxLine)
	}
	if more := len(t.Lines) - len(lines); more > 0 {
		lines = append(lines, fmt.Sprintf("… and %d more", more))
	}
	if t.Best != "" {
		lines = append([]string{"best: " + t.Best}, lines...)
	}
	return &TestStatus{Status: t.Status, Reason: clip(t.Reason, maxLine), Seconds: t.Seconds, Runs: t.Runs, Lines: lines}
}

// testText describes the last result of a test.
func testText(t *finding.Test) string {
	took := time.Duration(t.Seconds * float64(time.Second)).Round(time.Millisecond)
	text := t.Status
	if t.Runs > 1 {
		text += " · " + count(t.Runs, "run")
	}
	if t.Best != "" {
		text += " · best: " + t.Best
	}
	if took > 0 {
		text += " · " + took.String()
	}
	if t.Reason != "" && t.Status != "passed" {
		text += " · " + clip(t.Reason, 60)
	}
	return text
}

// testsText counts the results of a test contract.
func testsText(c *session.Contract) string {
	n := map[string]int{}
	for i := range c.Tests {
		n[c.Tests[i].Status]++
	}
	for _, m := range c.Marks {
		if m.Finding.Oracle == engine.TestOracle && !slices.ContainsFunc(c.Tests, func(t finding.Test) bool { return t.Signature == m.Finding.Function }) {
			n["failed"]++ // an assertion of a function that is no test
		}
	}
	parts := []string{count(len(c.Tests), "test")}
	for _, status := range []string{"failed", "skipped"} {
		if n[status] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n[status], status))
		}
	}
	if len(parts) == 1 {
		parts = append(parts, "all passed")
	}
	return strings.Join(append(parts, seconds(c.Spent)), " · ")
}

// shownPrints bounds the values that one line shows.
const shownPrints = 3

// printHints returns what console.log printed in tests, at the ends of the calls.
func (c Client) printHints(s *session.Snapshot, d *session.Document, path string, from, to int) (list []protocol.InlayHint) {
	texts := map[int][]string{} // by offset
	for _, name := range slices.Sorted(maps.Keys(s.Analyses)) {
		a := s.Analyses[name]
		for _, contract := range a.Contracts {
			for i := range contract.Tests {
				for _, p := range contract.Tests[i].Prints {
					if p.Place.Path != path {
						continue
					}
					if span, ok := s.Move(a, path, p.Place.Span); ok && inside(span, from, to) {
						texts[span.End()] = append(texts[span.End()], p.Text)
					}
				}
			}
		}
	}
	for _, at := range slices.Sorted(maps.Keys(texts)) {
		shown := texts[at]
		label := " → " + strings.Join(shown[:min(len(shown), shownPrints)], ", ")
		if more := len(shown) - shownPrints; more > 0 {
			label += fmt.Sprintf(" and %d more", more)
		}
		list = append(list, protocol.InlayHint{
			Position: c.position(d.Lines, at), Label: protocol.String(clip(label, 3*maxHint)),
			Tooltip: protocol.String(clip(strings.Join(shown, "\n"), 2000)),
		})
	}
	return list
}
