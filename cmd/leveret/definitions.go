package main

import (
	"leveret/engine/finding"
	"leveret/engine/report"
	"leveret/solc"
	"leveret/solc/ast"
	"leveret/solc/srcmap"
)

// definitions returns where the contracts in the deployments of findings are defined: at
// their constructors, else at their names.
func definitions(b *solc.Build, findings []finding.Finding) map[report.Definition]finding.Place {
	places := map[report.Definition]finding.Place{}
	for i := range findings {
		d := findings[i].Witness.Deployment
		if d == nil {
			continue
		}
		for j := range d.Creations {
			c := &d.Creations[j]
			name := report.Definition{File: c.File, Name: c.Class()}
			if _, known := places[name]; known {
				continue
			}
			if place, ok := definition(b, name); ok {
				places[name] = place
			}
		}
	}
	return places
}

// definition returns where a contract is defined; false if it is not in the build.
func definition(b *solc.Build, name report.Definition) (place finding.Place, ok bool) {
	for _, c := range b.Contracts {
		if c.File != name.File || c.Name != name.Name || c.Node == nil {
			continue
		}
		source := b.Source(c.File)
		if source == nil {
			return place, false
		}
		at := c.Node
		for _, n := range c.Node.List("nodes") {
			if n.Type == ast.FunctionDefinition && n.Kind() == "constructor" {
				at = n
			}
		}
		place = finding.Place{File: source.Name, Path: source.Path, Span: at.NameSpan(source.Text)}
		place.Start, place.End = srcmap.NewLines(source.Text).SpanPositions(place.Span)
		return place, true
	}
	return place, false
}
