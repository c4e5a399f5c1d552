package engine

import (
	"slices"

	"leveret/engine/finding"
	"leveret/engine/suppress"
	"leveret/solc"
	"leveret/solc/ast"
)

// A suppression is a suppression comment of a source and what it suppressed.
type suppression struct {
	suppress.Comment
	finding.Suppression
}

// suppressions returns the suppression comments of a source.
func (c *campaign) suppressions(s *solc.Source) []*suppression {
	list, known := c.silencers[s]
	if !known {
		for _, comment := range suppress.Parse(s.Text) {
			span := comment.Span
			span.Source = s.ID
			list = append(list, &suppression{comment, finding.Suppression{Place: c.program.PlaceOf(s, span), Oracles: comment.Oracles}})
		}
		c.silencers[s] = list
	}
	return list
}

// suppressed reports whether a comment suppresses f, and counts it.
func (c *campaign) suppressed(f *finding.Finding) bool {
	source := c.program.UnderTest.Build.Source(f.Place.File)
	if source == nil {
		return false
	}
	hit := false
	for _, s := range c.suppressions(source) {
		if s.Covers(f.Oracle, f.Place.Start.Line) {
			s.Suppressed++
			hit = true
		}
	}
	return hit
}

// listSuppressions lists the comments in the contract under test and in those
// it inherits from.
func (c *campaign) listSuppressions() (list []finding.Suppression) {
	if c.program == nil || c.program.UnderTest.Node == nil {
		return nil
	}
	bases := c.program.UnderTest.Node.Bases()
	for _, source := range c.program.UnderTest.Build.Sources {
		if source == nil || source.Unit == nil {
			continue
		}
		for _, s := range c.suppressions(source) {
			in := slices.ContainsFunc(source.Unit.Root.Find(ast.ContractDefinition), func(n *ast.Node) bool {
				return slices.Contains(bases, n.ID) && n.Span.Contains(s.Place.Span)
			})
			if in {
				list = append(list, s.Suppression)
			}
		}
	}
	return list
}
