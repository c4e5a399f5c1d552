package triage

import (
	"slices"

	"leveret/engine/finding"
	"leveret/engine/program"
	"leveret/engine/suppress"
	"leveret/solc"
	"leveret/solc/ast"
)

// A suppression is a suppression comment and what it suppressed.
type suppression struct {
	suppress.Comment
	finding.Suppression
}

// suppressionsIn returns the suppression comments of a source. The caller holds the lock.
func (n *Known) suppressionsIn(p *program.Program, s *solc.Source) []*suppression {
	list, known := n.suppressions[s]
	if !known {
		for _, comment := range suppress.Parse(s.Text) {
			span := comment.Span
			span.Source = s.ID
			place := p.PlaceOf(s, span)
			list = append(list, &suppression{comment, finding.Suppression{Place: place, Oracles: comment.Oracles}})
		}
		n.suppressions[s] = list
	}
	return list
}

// suppressed reports whether a comment suppresses f, and counts it.
func (n *Known) suppressed(p *program.Program, f *finding.Finding) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	hit := false
	for _, place := range f.Suppressible() {
		source := p.UnderTest.Build.Source(place.File)
		if source == nil {
			continue
		}
		for _, s := range n.suppressionsIn(p, source) {
			if s.Covers(f.Oracle, place.Start.Line) {
				s.Suppressed++
				hit = true
			}
		}
	}
	return hit
}

// suppressionsOf returns the comments in the contract under test and in its base
// contracts, with how many findings each suppressed.
func (n *Known) suppressionsOf(p *program.Program) (list []finding.Suppression) {
	under := p.UnderTest
	if under.Node == nil {
		return nil
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	bases := under.Node.Bases()
	for _, source := range under.Build.Sources {
		if source == nil || source.Unit == nil {
			continue
		}
		for _, s := range n.suppressionsIn(p, source) {
			in := slices.ContainsFunc(source.Unit.Root.Find(ast.ContractDefinition), func(c *ast.Node) bool {
				return slices.Contains(bases, c.ID) && c.Span.Contains(s.Place.Span)
			})
			if in {
				list = append(list, s.Suppression)
			}
		}
	}
	return list
}
