package session

import (
	"context"

	"leveret/engine"
	"leveret/lsp/settings"
	"leveret/solc"
	"leveret/solc/ast"
	"leveret/solc/srcmap"
)

// targets turns what changed since the last completed campaign on a contract
// into places to aim at. Which of them are part of the contract's code, by
// inheritance, by import or not at all, the engine finds out.
func (s *Session) targets(ctx context.Context, p *plan, c *Contract, set settings.Settings) []engine.Lines {
	if len(p.spans) > 0 {
		return aimed(p)
	}
	base := c.base
	if base == nil && p.guest {
		base = p.before
	}
	if rev := set.GitBaseline(); rev != "" {
		base = gitTexts(ctx, p.build, rev)
	}
	if base == nil {
		return nil // never fuzzed before: everything is of the same interest
	}
	var lines []engine.Lines
	for _, source := range p.build.Sources {
		if source == nil || source.Path == "" {
			continue
		}
		before, known := base[source.Path]
		if !known {
			continue // new to the contract; its code is reached from what changed
		}
		if spans := changedSpans(before, source); len(spans) > 0 {
			lines = append(lines, engine.Lines{File: source.Name, Spans: spans})
		}
	}
	return lines
}

// aimed turns a range that the user chose in the present text into targets.
func aimed(p *plan) []engine.Lines {
	for _, source := range p.build.Sources {
		if source != nil && source.Path == p.path {
			var spans []srcmap.Span
			for _, span := range p.spans {
				span.Source = source.ID
				spans = append(spans, span)
			}
			return []engine.Lines{{File: source.Name, Spans: spans}}
		}
	}
	return nil
}

// changedSpans returns the code of a source that differs from its text before:
// the statements on changed lines, whole functions where their heads changed,
// the functions that use a changed state variable. What was deleted leaves
// behind what follows it and the ends of its function.
func changedSpans(before []byte, source *solc.Source) []srcmap.Span {
	var spans spanSet
	for _, h := range lineHunks(before, source.Text) {
		changed := srcmap.Span{Source: source.ID, Start: h.at, Length: h.Size}
		if source.Unit == nil || source.Unit.Root == nil {
			spans.add(changed)
			continue
		}
		if h.Size == 0 {
			spans.addDeleted(source.Unit.Root, h.at)
		} else {
			spans.addChanged(source.Unit.Root, changed)
		}
	}
	return spans.list
}

// A spanSet collects spans, each once.
type spanSet struct{ list []srcmap.Span }

func (s *spanSet) add(span srcmap.Span) {
	for _, have := range s.list {
		if have == span {
			return
		}
	}
	s.list = append(s.list, span)
}

// addChanged adds the code below n that overlaps a changed range.
func (s *spanSet) addChanged(n *ast.Node, changed srcmap.Span) {
	if !overlap(n.Span, changed) {
		return
	}
	switch {
	case n.Type == ast.FunctionDefinition || n.Type == ast.ModifierDefinition:
		if body := n.Child("body"); body == nil || changed.Start < body.Span.Start {
			s.add(n.Span)
			return
		}
	case n.Type == ast.VariableDeclaration && n.Parent != nil && n.Parent.Type == ast.ContractDefinition:
		s.add(n.Span)
		s.addUsers(n)
		return
	case n.IsStatement() && !compound(n):
		s.add(n.Span)
		return
	}
	before := len(s.list)
	for _, child := range n.Children {
		s.addChanged(child, changed)
	}
	if len(s.list) == before && n.IsStatement() && n.Type != ast.Block && n.Type != ast.UncheckedBlock {
		s.add(n.Span) // the condition of an if, the head of a loop
	}
}

// compound reports whether a statement has statements inside it that can
// change on their own.
func compound(n *ast.Node) bool {
	switch n.Type {
	case ast.Block, ast.UncheckedBlock, ast.IfStatement, ast.ForStatement, ast.WhileStatement, ast.DoWhileStatement, ast.TryStatement:
		return true
	}
	return false
}

// addUsers adds the statements of the unit that refer to a state variable.
func (s *spanSet) addUsers(variable *ast.Node) {
	root := variable
	for root.Parent != nil {
		root = root.Parent
	}
	name := variable.Attr("name")
	root.Walk(func(n *ast.Node) bool {
		if n.Type == ast.Identifier && n.Attr("name") == name {
			if statement := enclosingStatement(n); statement != nil {
				s.add(statement.Span)
			}
		}
		return true
	})
}

func enclosingStatement(n *ast.Node) *ast.Node {
	for ; n != nil; n = n.Parent {
		if n.IsStatement() {
			return n
		}
	}
	return nil
}

// addDeleted adds what a deletion at an offset leaves: the next statement of
// its block, and the ways out of its function.
func (s *spanSet) addDeleted(root *ast.Node, at int) {
	function := innermost(root, at, ast.FunctionDefinition, ast.ModifierDefinition)
	if function == nil {
		return // a declaration went; what used it had to change too
	}
	if block := innermost(function, at, ast.Block, ast.UncheckedBlock); block != nil {
		for _, statement := range block.Children {
			if statement.Span.Start >= at {
				s.add(statement.Span)
				break
			}
		}
		if n := len(block.Children); block.Parent == function && n > 0 {
			s.add(block.Children[n-1].Span) // falling off the end
		}
	}
	function.Walk(func(n *ast.Node) bool {
		if n.Type == ast.Return {
			s.add(n.Span)
		}
		return true
	})
}

// innermost returns the smallest node of some type around an offset.
func innermost(n *ast.Node, at int, types ...string) *ast.Node {
	var best *ast.Node
	n.Walk(func(m *ast.Node) bool {
		if at < m.Span.Start || at > m.Span.End() {
			return false
		}
		for _, t := range types {
			if m.Type == t {
				best = m
			}
		}
		return true
	})
	return best
}

func overlap(a, b srcmap.Span) bool { return a.Start < b.End() && b.Start < a.End() }
