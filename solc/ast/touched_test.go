package ast

import (
	"slices"
	"strings"
	"testing"

	"leveret/solc/srcmap"
)

func TestTouched(t *testing.T) {
	u, text := unit(t, "new-0.8.30")
	for _, row := range []struct{ part, want string }{
		{"a > LIMIT", IfStatement},
		{"TooMuch({amount", RevertStatement},
		{"small = small - 1", ExpressionStatement},
		{"small - 1; a = a", "ExpressionStatement ExpressionStatement"},
		{"i < 3", ForStatement},
		{"i++", ExpressionStatement},
		{"(a > 10) { a -= 1;", "WhileStatement ExpressionStatement"},
		{"payable only returns", FunctionDefinition},
		{"= 3 ether", VariableDeclaration},
		{"3 { mstore(0", "YulSwitch YulExpressionStatement"},
		{"require(msg.sender == owner", ExpressionStatement},
		{"// SPDX", ""},
	} {
		var got []string
		for _, n := range u.Touched(spanOf(t, u, text, row.part)) {
			got = append(got, n.Type)
		}
		if strings.Join(got, " ") != row.want {
			t.Errorf("%q touches %v, want %s", row.part, got, row.want)
		}
	}
	deletion := spanOf(t, u, text, "delete codes;")
	deletion.Length = 0
	if got := u.Touched(deletion); len(got) != 1 || got[0].Type != ExpressionStatement {
		t.Errorf("a deletion touches %v", got)
	}
}

// Each row has the text that follows a deletion and the starts of the affected
// nodes.
func TestLeft(t *testing.T) {
	u, text := unit(t, "new-0.8.30")
	for _, row := range []struct {
		at   string
		want []string
	}{
		{"price = Price.wrap", []string{"price = Price.wrap", "return ok"}},
		{"b = b + 1; }", []string{"b = b + 1", "return ok"}},
		{" } }\n        pools", []string{"return ok"}},
		{"got = double(got)", []string{"got = double(got)"}},
		{"{ }\n    fallback", []string{"receive() external"}},
		{"return super.inherited(x)", []string{"return super.inherited(x)"}},
		{"function attempt", nil},
		{"    receive() external", nil},
	} {
		span := spanOf(t, u, text, row.at)
		if strings.HasPrefix(row.at, "{") {
			span.Start++ // into the block
		}
		left := u.Left(span.Start)
		if len(left) != len(row.want) {
			t.Errorf("deletion at %q affects %d nodes, want %d", row.at, len(left), len(row.want))
			continue
		}
		for i, n := range left {
			if got := text[n.Span.Start:n.Span.End()]; !strings.HasPrefix(got, row.want[i]) {
				t.Errorf("deletion at %q affects %q, want %q", row.at, got, row.want[i])
			}
		}
	}
}

// A changed variable declaration affects the uses of the variable; a deletion
// affects its neighbours.
func TestChanged(t *testing.T) {
	u, text := unit(t, "new-0.8.30")
	gone := spanOf(t, u, text, "b = b + 1; }")
	gone.Length = 0
	for _, row := range []struct {
		at   srcmap.Span
		want []string
	}{
		{spanOf(t, u, text, "LIMIT = 3 ether"), []string{"uint256 public constant LIMIT", "if (a > LIMIT)", "revert TooMuch"}},
		{spanOf(t, u, text, "uint8 small;"), []string{"uint8 small", "small = 200", "assert(small + 1", "small = small - 1"}},
		{spanOf(t, u, text, "data;\n"), []string{"bytes data"}},
		{spanOf(t, u, text, "a -= 1"), []string{"a -= 1"}},
		{gone, []string{"b = b + 1", "return ok"}},
	} {
		var got []string
		for _, n := range u.Changed(row.at) {
			got = append(got, text[n.Span.Start:n.Span.End()])
		}
		if !slices.EqualFunc(got, row.want, strings.HasPrefix) {
			t.Errorf("%+v affects %q, want %q", row.at, got, row.want)
		}
	}
}
