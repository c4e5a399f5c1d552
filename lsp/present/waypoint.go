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

// A waypoint is a place on the way to the failures of tests, which are findings at other
// places: where the code under test fails, or the outermost call that led there.
type waypoint struct {
	span  srcmap.Span            // of the current text
	marks []session.ContractMark // of the tests
	texts []string               // of each: what happens here
}

// waypoints returns the waypoints in a file by position. Of the places of a test these
// are the innermost and the outermost.
func (c Client) waypoints(s *session.Snapshot, d *session.Document) (list []*waypoint) {
	bySpan := map[srcmap.Span]*waypoint{}
	for _, g := range s.AllGroups() {
		m := g[0]
		related := m.Finding.Related
		if m.Finding.Oracle != engine.TestOracle || m.Stale || m.Accepted || len(related) == 0 {
			continue
		}
		if n := len(related); n > 2 {
			related = []finding.Related{related[0], related[n-1]}
		}
		for _, r := range related {
			if r.Place.Path != d.Path {
				continue
			}
			span, ok := s.MoveOf(m.Mark, d.Path, r.Place.Span)
			if !ok {
				continue
			}
			span.Source = 0
			w := bySpan[span]
			if w == nil {
				w = &waypoint{span: span}
				bySpan[span], list = w, append(list, w)
			}
			w.marks, w.texts = append(w.marks, m), append(w.texts, r.Message)
		}
	}
	slices.SortFunc(list, func(a, b *waypoint) int {
		return cmp.Or(cmp.Compare(a.span.Start, b.span.Start), cmp.Compare(a.span.End(), b.span.End()))
	})
	return list
}

// waypoint shows the tests of a waypoint. Its data is that of the first one's finding.
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
	n.Code, n.Data = protocol.String(engine.TestOracle), dataOf(w.marks[0], true)
	if c.Related {
		n.RelatedInformation = related
	}
	return n
}
