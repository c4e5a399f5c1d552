package coverage

import (
	"leveret/solc/ast"
	"leveret/solc/srcmap"
)

// branches are the conditions of a source, by the spans that compilers give to the
// jumps on them. Other jumps are the compiler's own checks.
type branches struct {
	statements map[srcmap.Span]*ast.Node // of the statement or expression that branches
	conditions map[srcmap.Span]*ast.Node // of its condition, as in code via IR
}

// branchesOf returns the conditions of a source.
func branchesOf(root *ast.Node) branches {
	b := branches{map[srcmap.Span]*ast.Node{}, map[srcmap.Span]*ast.Node{}}
	root.Walk(func(n *ast.Node) bool {
		switch n.Type {
		case ast.IfStatement, ast.ForStatement, ast.WhileStatement, ast.DoWhileStatement, ast.Conditional:
			b.statements[n.Span] = n
			b.alias(n, n.Child("condition").Bare())
		case ast.TryStatement, ast.YulIf, ast.YulForLoop:
			b.statements[n.Span] = n
		case ast.BinaryOperation:
			if operator := n.Operator(); operator == "&&" || operator == "||" {
				b.statements[n.Span] = n
			}
		case ast.FunctionCall:
			if n.IsBuiltin("require") {
				b.statements[n.Span] = n
			}
		}
		return true
	})
	return b
}

// compares are the operators whose spans only the jump on their result has.
var compares = map[string]bool{"==": true, "!=": true, "<": true, ">": true, "<=": true, ">=": true, "!": true}

// alias adds the spans of a condition: its own and, as the optimiser merges code,
// those of the constants that it compares with.
func (b *branches) alias(n, condition *ast.Node) {
	if condition == nil || !compares[condition.Operator()] {
		return
	}
	b.conditions[condition.Span] = n
	for _, operand := range condition.Operands() {
		if operand.Type == ast.Literal {
			b.conditions[operand.Span] = n
		}
	}
}

// at returns the condition that a jump with a span decides, nil for a check of the
// compiler, and whether the span is that of the condition alone.
func (b *branches) at(span srcmap.Span) (n *ast.Node, exact bool) {
	if n := b.conditions[span]; n != nil {
		return n, true
	}
	return b.statements[span], false
}
