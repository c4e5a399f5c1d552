package program

import (
	"encoding/hex"
	"slices"
	"strings"

	"leveret/engine/input"
	"leveret/solc"
	"leveret/solc/ast"
)

var propertyPrefixes = []string{"invariant_", "echidna_", "property_"}

// IsProperty reports whether f is a property function, without arguments: by its
// name, or because the campaign says so.
func IsProperty(f *input.Function) bool {
	if f == nil || len(f.Inputs) > 0 || f.Raw || f.Constructor {
		return false
	}
	if f.Property || f.Handler {
		return f.Property
	}
	for _, prefix := range propertyPrefixes {
		if strings.HasPrefix(f.Name, prefix) {
			return true
		}
	}
	return false
}

// Definition returns the definition of f with a body, in the contract under test
// or a base contract; nil if there is none.
func (p *Program) Definition(f *input.Function) *ast.Node { return p.DefinitionIn(p.UnderTest, f) }

// DefinitionIn is Definition for another contract. Of overloaded functions it
// returns the one with the selector, if the compiler tells them.
func (p *Program) DefinitionIn(c *solc.Contract, f *input.Function) *ast.Node {
	selector := hex.EncodeToString(f.Selector[:])
	var named *ast.Node
	for _, n := range FunctionsOf(c) {
		if n.Name() != f.Name || n.Child("body") == nil {
			continue
		}
		if n.Attr("functionSelector") == selector {
			return n
		}
		if named == nil {
			named = n
		}
	}
	return named
}

// Inherits reports whether c is, or inherits from, the contract that n defines.
func Inherits(c *solc.Contract, n *ast.Node) bool {
	return c.Node != nil && (n == c.Node || slices.Contains(c.Node.Bases(), n.ID))
}

// FunctionsOf lists the functions and constructors that c defines or inherits,
// in no order.
func FunctionsOf(c *solc.Contract) []*ast.Node {
	var list []*ast.Node
	for _, source := range c.Build.Sources {
		if source == nil || source.Unit == nil {
			continue
		}
		for _, n := range source.Unit.Root.Children {
			if n.Type != ast.ContractDefinition || !Inherits(c, n) {
				continue
			}
			for _, f := range n.Children {
				if f.Type == ast.FunctionDefinition {
					list = append(list, f)
				}
			}
		}
	}
	return list
}
