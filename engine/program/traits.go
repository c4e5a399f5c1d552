package program

import (
	"strings"

	"leveret/engine/oracle"
	"leveret/solc"
	"leveret/solc/ast"
)

// TraitsOf returns the traits of the sources of a build; none for nil.
func TraitsOf(b *solc.Build) (t oracle.Traits) {
	if b == nil {
		return t
	}
	for _, s := range b.Sources {
		if s == nil || s.Unit == nil {
			continue
		}
		t.FreeJumps = t.FreeJumps || hasFreeJumps(s.Unit.Root)
		t.ReadsOrigin = t.ReadsOrigin || readsOrigin(s.Unit.Root)
		t.Loops = t.Loops || loops(s.Unit.Root)
		if b.Settings.ViaIR && !t.FreeTypes {
			oracle.Operations(s.Unit.Root, func(oracle.Operation) { t.FreeTypes = true })
		}
	}
	return t
}

// hasFreeJumps reports whether a source has a jump that an input may redirect:
// a call through a function variable, or a jump in assembly. Parameters are not
// counted: their values come from variables or are constant.
func hasFreeJumps(root *ast.Node) (found bool) {
	root.Walk(func(n *ast.Node) bool {
		switch n.Type {
		case ast.VariableDeclaration:
			t := n.TypeString()
			found = found || n.Parent.Type != ast.ParameterList && strings.Contains(t, "function (") && !strings.Contains(t, ") external")
		case ast.InlineAssembly:
			found = found || strings.Contains(n.Attr("operations"), "jump")
		}
		return !found
	})
	return found
}

// readsOrigin reports whether a source reads tx.origin.
func readsOrigin(root *ast.Node) (found bool) {
	root.Walk(func(n *ast.Node) bool {
		switch n.Type {
		case ast.MemberAccess:
			of := n.Child("expression")
			found = found || n.Name() == "origin" && of != nil && of.Name() == "tx"
		case ast.YulFunctionCall:
			name := n.Child("functionName")
			found = found || name != nil && name.Name() == "origin"
		}
		return !found
	})
	return found
}

// loops reports whether a function of a source that may write has a loop.
func loops(root *ast.Node) (found bool) {
	root.Walk(func(n *ast.Node) bool {
		if n.Type == ast.FunctionDefinition && (n.StateMutability() == "view" || n.StateMutability() == "pure") {
			return false
		}
		found = found || n.Function() != nil && oracle.Loops(n)
		return !found
	})
	return found
}
