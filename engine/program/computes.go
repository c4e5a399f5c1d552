package program

import (
	"slices"
	"strings"

	"leveret/solc"
	"leveret/solc/ast"
)

// ComputesAddresses reports whether code of a contract computes the address of what another one
// creates with CREATE2 (EIP-1014): a function hashes, and has the byte 0xff.
func ComputesAddresses(c *solc.Contract) bool {
	for _, source := range c.Build.Sources {
		if source == nil || source.Unit == nil {
			continue
		}
		for _, n := range source.Unit.Root.Children {
			if (Inherits(c, n) || contributes(c, n)) && slices.ContainsFunc(n.Find(ast.FunctionDefinition), computesAddress) {
				return true
			}
		}
	}
	return false
}

func computesAddress(function *ast.Node) bool {
	hashes, marks := false, false
	function.Walk(func(n *ast.Node) bool {
		switch n.Type {
		case ast.Identifier, ast.YulIdentifier:
			hashes = hashes || n.Name() == "keccak256"
		case ast.Literal, ast.YulLiteral:
			marks = marks || n.Attr("hexValue") == "ff" || strings.EqualFold(n.Attr("value"), "0xff")
		}
		return true
	})
	return hashes && marks
}
