package engine

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"leveret/engine/finding"
	"leveret/engine/oracle"
	"leveret/solc"
	"leveret/solc/ast"
	"leveret/solc/srcmap"
)

// blamed is the user's source behind a trail of instructions.
type blamed struct {
	place  finding.Place
	source *solc.Source
	node   *ast.Node // smallest node that covers the span; nil without a tree
	text   string
}

// blame walks back along a trail to the newest instruction that stands for an
// expression or statement of the user's (ORACLES.md, place rule): spans of the
// compiler's own sources, of whole contracts and of whole functions are passed
// over, the last only if something better follows: else the function's name is
// to blame.
func (p *program) blame(trail []oracle.Site) (blamed, bool) {
	var fallback *blamed
	for _, site := range trail {
		b, ok := p.spanOf(site)
		if !ok {
			continue
		}
		if b.node == nil || !isDefinition(b.node) || b.node.Span != b.place.Span {
			return b, true
		}
		if fallback == nil && b.node.Type != "ContractDefinition" {
			fallback = &b
		}
	}
	if fallback == nil {
		return blamed{}, false
	}
	span := nameSpan(fallback.node, fallback.source.Text)
	fallback.place = p.placeOf(fallback.source, span)
	fallback.text = string(fallback.source.Text[span.Start:span.End()]) + "()"
	return *fallback, true
}

func isDefinition(n *ast.Node) bool {
	switch n.Type {
	case "SourceUnit", "ContractDefinition", "FunctionDefinition", "ModifierDefinition":
		return true
	}
	return false
}

// spanOf returns the user's source of one instruction; false if it has none.
func (p *program) spanOf(site oracle.Site) (blamed, bool) {
	if site.Code == nil {
		return blamed{}, false
	}
	o := p.owner(site.Code)
	if o.contract == nil {
		return blamed{}, false
	}
	entry, ok := o.pcs.PCEntry(int(site.PC))
	if !ok || entry.Source < 0 || entry.Source >= len(o.contract.Build.Sources) {
		return blamed{}, false
	}
	source := o.contract.Build.Sources[entry.Source]
	if source == nil || entry.Start < 0 || entry.End() > len(source.Text) {
		return blamed{}, false
	}
	b := blamed{source: source, place: p.placeOf(source, entry.Span)}
	b.text = oneLine(source.Text[entry.Start:entry.End()])
	if source.Unit != nil {
		b.node = covering(source.Unit.Root, entry.Span)
	}
	return b, true
}

func (p *program) placeOf(source *solc.Source, span srcmap.Span) finding.Place {
	place := finding.Place{File: source.Name, Path: source.Path, Span: span}
	place.Start, place.End = p.linesOf(source).SpanPositions(span)
	return place
}

// oneLine makes a source excerpt fit for a message.
func oneLine(text []byte) string {
	const most = 72
	var line strings.Builder
	for word := range bytes.FieldsSeq(text) {
		if line.Len() > most*utf8.UTFMax {
			break // the rest is cut off anyway
		}
		if line.Len() > 0 {
			line.WriteByte(' ')
		}
		line.Write(word)
	}
	s := line.String()
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}

// blameText is blame for those who need no place.
func (p *program) blameText(trail []oracle.Site) oracle.Blame {
	b, ok := p.blame(trail)
	if !ok {
		return oracle.Blame{}
	}
	return oracle.Blame{Node: b.node, Text: b.text, Whole: b.node != nil && b.node.Span == b.place.Span}
}

// blameReport is blame for a report, which may name the node.
func (p *program) blameReport(r *oracle.Report) (blamed, bool) {
	b, ok := p.blame(r.Trail)
	if r.Node == nil || len(r.Trail) == 0 {
		return b, ok
	}
	sources := p.owner(r.Trail[0].Code).contract.Build.Sources
	if of := r.Node.Span.Source; of < 0 || of >= len(sources) || sources[of] == nil {
		return b, ok
	}
	b.source = sources[r.Node.Span.Source]
	span := r.Node.Span
	if isDefinition(r.Node) {
		span = nameSpan(r.Node, b.source.Text)
	}
	b.node, b.place = r.Node, p.placeOf(b.source, span)
	b.text = oneLine(b.source.Text[span.Start:span.End()])
	return b, true
}

// nodeText is the source of a node of the contract under test's compilation,
// fit for a message.
func (p *program) nodeText(n *ast.Node) string {
	if n == nil || n.Span.Source < 0 || n.Span.Source >= len(p.under.Build.Sources) {
		return ""
	}
	s := p.under.Build.Sources[n.Span.Source]
	if s == nil || n.Span.Start < 0 || n.Span.End() > len(s.Text) {
		return ""
	}
	return oneLine(s.Text[n.Span.Start:n.Span.End()])
}

// wraps reports whether a compiler lets arithmetic wrap unless told otherwise.
func wraps(version string) bool {
	for _, old := range []string{"0.4.", "0.5.", "0.6.", "0.7."} {
		if strings.HasPrefix(version, old) {
			return true
		}
	}
	return false
}

// sourceOf is the user's source of exactly one instruction.
func (p *program) sourceOf(site oracle.Site) (oracle.Blame, bool) {
	b, ok := p.spanOf(site)
	if !ok || b.node == nil {
		return oracle.Blame{}, false
	}
	return oracle.Blame{
		Node: b.node, Text: b.text, Whole: b.node.Span == b.place.Span,
		Wraps: wraps(p.owner(site.Code).contract.Build.Version),
	}, true
}

// covering returns the smallest node below n that contains span.
func covering(n *ast.Node, span srcmap.Span) *ast.Node {
	var smallest *ast.Node
	n.Walk(func(m *ast.Node) bool {
		if !m.Span.Contains(span) {
			return false
		}
		smallest = m
		return true
	})
	return smallest
}
