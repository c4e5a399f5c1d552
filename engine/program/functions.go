package program

import (
	"slices"

	"leveret/solc"
	"leveret/solc/ast"
	"leveret/solc/srcmap"
)

// FunctionOf names the function around a place, "src/Vault.sol:Vault.put". Overloads
// share a name, which edits elsewhere do not change. It is empty outside of functions.
func (l *Location) FunctionOf() string {
	if l.Node == nil || l.Source == nil {
		return ""
	}
	return functionName(l.Source, l.Node.Enclosing(ast.FunctionDefinition))
}

func functionName(s *solc.Source, f *ast.Node) string {
	if f == nil {
		return ""
	}
	name := f.Name()
	if name == "" {
		name = f.Kind()
	}
	if c := f.Contract(); c != nil {
		name = c.Name() + "." + name
	}
	return s.Name + ":" + name
}

// FunctionsIn names the functions that spans of a source touch. outside says that a
// span is in no function, such as a modifier: any function may behave otherwise.
func FunctionsIn(s *solc.Source, spans []srcmap.Span) (names []string, outside bool) {
	if s.Unit == nil {
		return nil, len(spans) > 0
	}
	functions := s.Unit.Root.Find(ast.FunctionDefinition)
	for _, span := range spans {
		within := false
		for _, f := range functions {
			if span.Start < f.Span.End() && f.Span.Start < span.End() || span.Start == f.Span.Start {
				names = append(names, functionName(s, f))
			}
			within = within || f.Span.Start <= span.Start && span.End() <= f.Span.End()
		}
		outside = outside || !within
	}
	slices.Sort(names)
	return slices.Compact(names), outside
}
