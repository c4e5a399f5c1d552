package triage

import (
	"slices"

	"leveret/engine/finding"
	"leveret/engine/suppress"
	"leveret/solc"
	"leveret/solc/ast"
)

// A suppression is a suppression comment and what it suppressed.
type suppression struct {
	suppress.Comment
	finding.Suppression
}

// in returns the suppression comments of a source. The caller holds the lock of
// what is known.
func (t *Triage) in(s *solc.Source) []*suppression {
	list, known := t.known.suppressions[s]
	if !known {
		for _, comment := range suppress.Parse(s.Text) {
			span := comment.Span
			span.Source = s.ID
			place := t.checker.subject.Program.PlaceOf(s, span)
			list = append(list, &suppression{comment, finding.Suppression{Place: place, Oracles: comment.Oracles}})
		}
		t.known.suppressions[s] = list
	}
	return list
}

// suppressed reports whether a comment suppresses f, and counts it.
func (t *Triage) suppressed(f *finding.Finding) bool {
	source := t.checker.subject.Program.UnderTest.Build.Source(f.Place.File)
	if source == nil {
		return false
	}
	t.known.mu.Lock()
	defer t.known.mu.Unlock()
	hit := false
	for _, s := range t.in(source) {
		if s.Covers(f.Oracle, f.Place.Start.Line) {
			s.Suppressed++
			hit = true
		}
	}
	return hit
}

// Suppressions returns the comments in the contract under test and in its base
// contracts, with how many findings each suppressed.
func (t *Triage) Suppressions() (list []finding.Suppression) {
	under := t.checker.subject.Program.UnderTest
	if under.Node == nil {
		return nil
	}
	t.known.mu.Lock()
	defer t.known.mu.Unlock()
	bases := under.Node.Bases()
	for _, source := range under.Build.Sources {
		if source == nil || source.Unit == nil {
			continue
		}
		for _, s := range t.in(source) {
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
