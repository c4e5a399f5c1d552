package program

import (
	"strings"

	"leveret/engine/finding"
	"leveret/engine/oracle"
	"leveret/solc"
	"leveret/solc/ast"
	"leveret/solc/srcmap"
)

// A Location is the source of a trail of instructions.
type Location struct {
	Place  finding.Place
	Source *solc.Source
	Node   *ast.Node // smallest node that covers the span; nil without a tree
	Text   string
}

// Locate returns the source of the newest instruction of a trail that stands for
// an expression or a statement. It skips the compiler's own sources, values of
// constants and whole contracts; if only whole functions are left, it returns the
// function's name.
func (p *Program) Locate(trail []oracle.Site) (Location, bool) {
	var fallback *Location
	for _, site := range trail {
		b, ok := p.LocateSite(site)
		if !ok || oracle.Inlined(b.Node) {
			continue
		}
		if b.Node == nil || !oracle.IsDefinition(b.Node) || b.Node.Span != b.Place.Span {
			return b, true
		}
		if fallback == nil && b.Node.Type != "ContractDefinition" {
			fallback = &b
		}
	}
	if fallback == nil {
		return Location{}, false
	}
	span := fallback.Node.NameSpan(fallback.Source.Text)
	fallback.Place = p.PlaceOf(fallback.Source, span)
	fallback.Text = string(fallback.Source.Text[span.Start:span.End()]) + "()"
	return *fallback, true
}

// LocateSite returns the source of one instruction; false if it has none.
func (p *Program) LocateSite(site oracle.Site) (Location, bool) {
	if site.Code == nil {
		return Location{}, false
	}
	o := p.InfoOf(site.Code)
	if o.Contract == nil {
		return Location{}, false
	}
	entry, ok := o.PCs.PCEntry(int(site.PC))
	if !ok || entry.Source < 0 || entry.Source >= len(o.Contract.Build.Sources) {
		return Location{}, false
	}
	source := o.Contract.Build.Sources[entry.Source]
	if source == nil || entry.Start < 0 || entry.End() > len(source.Text) {
		return Location{}, false
	}
	at := sourceSpan{source, entry.Span}
	known, ok := p.places.Load(at)
	if !ok {
		known, _ = p.places.LoadOrStore(at, p.locate(at))
	}
	return *known.(*Location), true
}

// A sourceSpan is a span of a source.
type sourceSpan struct {
	source *solc.Source
	span   srcmap.Span
}

// locate walks the tree of a source for LocateSite.
func (p *Program) locate(at sourceSpan) *Location {
	b := &Location{Source: at.source, Place: p.PlaceOf(at.source, at.span)}
	b.Text = srcmap.Excerpt(at.source.Text[at.span.Start:at.span.End()])
	if at.source.Unit != nil {
		b.Node = covering(at.source.Unit.Root, at.span)
	}
	return b
}

// PlaceOf returns a span of a source with its lines and columns.
func (p *Program) PlaceOf(source *solc.Source, span srcmap.Span) finding.Place {
	place := finding.Place{File: source.Name, Path: source.Path, Span: span}
	place.Start, place.End = p.LinesOf(source).SpanPositions(span)
	return place
}

// NamePlace returns the place of a definition's name; false if n is nil or its
// source is not known.
func (p *Program) NamePlace(n *ast.Node) (finding.Place, bool) {
	if n == nil {
		return finding.Place{}, false
	}
	source := p.UnderTest.Build.SpanSource(n.Span)
	if source == nil {
		return finding.Place{}, false
	}
	return p.PlaceOf(source, n.NameSpan(source.Text)), true
}

// Blame is Locate for oracles, which need no place.
func (p *Program) Blame(trail []oracle.Site) oracle.Blame {
	b, ok := p.Locate(trail)
	if !ok {
		return oracle.Blame{}
	}
	return oracle.Blame{Node: b.Node, Text: b.Text, Whole: b.Node != nil && b.Node.Span == b.Place.Span}
}

// LocateReport is Locate for a report, which may name the node itself.
func (p *Program) LocateReport(r *oracle.Report) (Location, bool) {
	return p.locateNode(r.Trail, r.Node)
}

// OnlyOfHelper reports whether a report at a location is about the code of a contract that
// only helps to test others, as a mock of the project, while another one is under test.
// What such code asserts, or refuses, may say something about the others.
func (p *Program) OnlyOfHelper(r *oracle.Report, at *Location) bool {
	if r.Oracle.Name == oracle.Assertion.Name || r.Oracle.Name == oracle.Requirement.Name || len(r.Trail) == 0 || at.Node == nil {
		return false
	}
	if of := at.Node.Contract(); of == nil || !solc.NamedLikeHelper(of.Name(), at.Source.Name) {
		return false
	}
	runs := p.InfoOf(r.Trail[0].Code).Contract
	return runs != nil && runs != p.UnderTest && runs.HelpsTests() && !p.UnderTest.HelpsTests()
}

// LocateRelated is LocateReport for a second place of a report.
func (p *Program) LocateRelated(r *oracle.Related) (Location, bool) {
	return p.locateNode(r.Trail, r.Node)
}

// locateNode is Locate with a node in place of the trail's, unless it is nil.
func (p *Program) locateNode(trail []oracle.Site, node *ast.Node) (Location, bool) {
	b, ok := p.Locate(trail)
	if node == nil || len(trail) == 0 {
		return b, ok
	}
	sources := p.InfoOf(trail[0].Code).Contract.Build.Sources
	if of := node.Span.Source; of < 0 || of >= len(sources) || sources[of] == nil {
		return b, ok
	}
	b.Source = sources[node.Span.Source]
	span := node.Span
	if oracle.IsDefinition(node) {
		span = node.NameSpan(b.Source.Text)
	}
	b.Node, b.Place = node, p.PlaceOf(b.Source, span)
	b.Text = srcmap.Excerpt(b.Source.Text[span.Start:span.End()])
	return b, true
}

// NodeText returns an excerpt of a node's source; empty if there is none.
func (p *Program) NodeText(n *ast.Node) string {
	if n == nil || n.Span.Source < 0 || n.Span.Source >= len(p.UnderTest.Build.Sources) {
		return ""
	}
	s := p.UnderTest.Build.Sources[n.Span.Source]
	if s == nil || n.Span.Start < 0 || n.Span.End() > len(s.Text) {
		return ""
	}
	return srcmap.Excerpt(s.Text[n.Span.Start:n.Span.End()])
}

// wraps reports whether arithmetic is unchecked by default in a compiler version.
func wraps(version string) bool {
	for _, old := range []string{"0.4.", "0.5.", "0.6.", "0.7."} {
		if strings.HasPrefix(version, old) {
			return true
		}
	}
	return false
}

// blameSite is LocateSite for oracles; see Sources.
func (p *Program) blameSite(site oracle.Site) (oracle.Blame, bool) {
	b, ok := p.LocateSite(site)
	if !ok || b.Node == nil {
		return oracle.Blame{}, false
	}
	return oracle.Blame{
		Node: b.Node, Text: b.Text, Whole: b.Node.Span == b.Place.Span,
		Wraps: wraps(p.InfoOf(site.Code).Contract.Build.Version),
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
