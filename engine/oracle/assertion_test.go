package oracle

import (
	"testing"

	"leveret/solc/ast"
)

// Before 0.8 only the source tells an assert from other checks, and what is
// merely named like one is none.
func TestClassifyInvalid(t *testing.T) {
	for _, row := range []struct {
		text, kind string
		want       uint64
	}{
		{"assert(x > 0)", ast.FunctionCall, panicAssert},
		{"assertOwner()", ast.FunctionDefinition, panicUnknown},
		{"assertOwner()", "ModifierDefinition", panicUnknown},
		{"a[i]", ast.IndexAccess, panicBounds},
	} {
		b := Blame{Node: &ast.Node{Type: row.kind}, Text: row.text, Whole: true}
		if got := classify(panicUnknown, &b); got != row.want {
			t.Errorf("%s (%s): %#x", row.text, row.kind, got)
		}
	}
}
