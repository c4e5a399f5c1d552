package present

import (
	"go.lsp.dev/protocol"

	"leveret/engine/input"
	"leveret/lsp/session"
	"leveret/solc/ast"
	"leveret/solc/srcmap"
)

// maxHint bounds the characters of a value in a hint.
const maxHint = 32

// Hints returns the values of the findings' last transactions inside a range:
// at the parameters of the called functions, and at the state variables that
// the failing lines read. It is never nil, and empty unless enabled in the
// settings.
func (c Client) Hints(s *session.Snapshot, path string, in protocol.Range) []protocol.InlayHint {
	list := []protocol.InlayHint{}
	d := s.Document(path)
	if d == nil || !s.SettingsFor(path).InlayHints {
		return list
	}
	from, to := c.Offset(d, in.Start), c.Offset(d, in.End)
	seen := map[int]bool{} // one hint for each position: the most severe finding's
	for _, m := range s.Marks(path) {
		tx := m.Finding.Witness.Last()
		if tx == nil || m.Stale || tx.Function == nil {
			continue
		}
		for _, r := range m.Finding.Reads {
			if r.Place.Path != path {
				continue
			}
			if span, ok := s.MoveOf(m.Mark, path, r.Place.Span); ok && inside(span, from, to) && !seen[span.End()] {
				seen[span.End()] = true
				list = append(list, c.hint(d, span.End(), " = "+clip(r.Value, maxHint), m))
			}
		}
		node := calledNode(target(m, tx), tx.Function)
		if node == nil || node.Type != ast.FunctionDefinition {
			continue
		}
		names := input.NewNames(m.Finding.Witness.Deployment)
		for i, parameter := range node.Child("parameters").List("parameters") {
			source := m.Analysis.Build.SpanSource(parameter.Span)
			if i >= len(tx.Args) || source == nil || source.Path != path {
				continue
			}
			span, ok := s.Move(m.Analysis, path, parameter.Span)
			if !ok || !inside(span, from, to) || seen[span.End()] {
				continue
			}
			seen[span.End()] = true
			list = append(list, c.hint(d, span.End(), " = "+clip(names.Format(tx.Args[i]), maxHint), m))
		}
	}
	return append(list, c.printHints(s, d, path, from, to)...)
}

// inside reports whether a span ends in a range.
func inside(span srcmap.Span, from, to int) bool { return span.End() >= from && span.End() <= to }

func (c Client) hint(d *session.Document, at int, label string, m session.ContractMark) protocol.InlayHint {
	return protocol.InlayHint{
		Position: c.position(d.Lines, at),
		Label:    protocol.String(label),
		Kind:     protocol.InlayHintKindParameter,
		Tooltip:  protocol.String(m.Finding.Oracle + ": " + m.Finding.Message),
	}
}
