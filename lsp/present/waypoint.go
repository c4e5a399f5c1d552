package present

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"leveret/engine"
	"leveret/engine/finding"
	"leveret/lsp/session"
	"leveret/solc/srcmap"
)

// A waypoint is another place of findings: on the way to the failure of a test, where the
// code under test fails or the outermost call that led there; or the name of a contract that
// has a finding in a library, whose files are rarely open.
type waypoint struct {
	span  srcmap.Span            // of the current text
	marks []session.ContractMark // of the findings
	texts []string               // of each: what happens here, or where it is
}

// waypoints returns the waypoints in a file by position. Of the places of a test these
// are the innermost and the outermost.
func (c Client) waypoints(s *session.Snapshot, d *session.Document) (list []*waypoint) {
	bySpan := map[srcmap.Span]*waypoint{}
	add := func(span srcmap.Span, m session.ContractMark, text string) {
		span.Source = 0
		w := bySpan[span]
		if w == nil {
			w = &waypoint{span: span}
			bySpan[span], list = w, append(list, w)
		}
		w.marks, w.texts = append(w.marks, m), append(w.texts, text)
	}
	for _, g := range s.AllGroups() {
		switch m := g[0]; {
		case m.Stale || m.Accepted:
		case m.Finding.Oracle == engine.TestOracle:
			for _, r := range ends(m.Finding.Related) {
				if r.Place.Path != d.Path {
					continue
				}
				if span, ok := s.MoveOf(m.Mark, d.Path, r.Place.Span); ok {
					add(span, m, r.Message)
				}
			}
		case m.Severity >= finding.Warning && inLibrary(m):
			in := fmt.Sprintf("in %s:%d", m.Finding.Place.File, m.Finding.Place.Start.Line)
			for _, m := range byContract(g) {
				if source, span, ok := nameOf(s, m); ok && !m.Stale && !m.Accepted && source.Path == d.Path && source.Path != m.Path {
					add(span, m, in)
				}
			}
		}
	}
	slices.SortFunc(list, func(a, b *waypoint) int {
		return cmp.Or(cmp.Compare(a.span.Start, b.span.Start), cmp.Compare(a.span.End(), b.span.End()))
	})
	return list
}

// ends returns the innermost and the outermost of the places of a test.
func ends(related []finding.Related) []finding.Related {
	if n := len(related); n > 2 {
		return []finding.Related{related[0], related[n-1]}
	}
	return related
}

// inLibrary reports whether a finding is in a source that does not belong to the project.
func inLibrary(m session.ContractMark) bool {
	if m.Analysis.Build == nil { // not compiled yet in this session
		return false
	}
	source := m.Analysis.Build.PathSource(m.Path)
	return source != nil && source.Library
}

// isTest reports whether the findings of a waypoint are failed tests.
func (w *waypoint) isTest() bool { return w.marks[0].Finding.Oracle == engine.TestOracle }

// waypoint shows the findings of a waypoint. Its data is that of the first one.
func (c Client) waypoint(s *session.Snapshot, d *session.Document, w *waypoint) protocol.Diagnostic {
	var lines []string
	var related []protocol.DiagnosticRelatedInformation
	for i, m := range w.marks {
		if i == shownCalls && len(w.marks) > shownCalls+1 {
			lines = append(lines, fmt.Sprintf("… and %d more", len(w.marks)-i))
			break
		}
		lines = append(lines, m.Finding.Message+" ("+w.texts[i]+")")
		related = append(related, protocol.DiagnosticRelatedInformation{
			Location: c.location(s, m.Path, m.Source(m.Path), m.Span), Message: m.Finding.Message,
		})
	}
	n := note(c.rangeOf(d.Lines, w.span.Start, w.span.End()), strings.Join(lines, "\n"))
	n.Code, n.Data = protocol.String(w.marks[0].Finding.Oracle), dataOf(w.marks[0], true)
	if !w.isTest() {
		gravest := slices.MaxFunc(w.marks, func(a, b session.ContractMark) int { return cmp.Compare(a.Severity, b.Severity) })
		n.Severity = severities[gravest.Severity]
	}
	if c.Related {
		n.RelatedInformation = related
	}
	return n
}
