package program

import (
	"slices"
	"strings"

	"leveret/engine/input"
	"leveret/solc"
	"leveret/solc/ast"
)

var propertyPrefixes = []string{"invariant_", "echidna_", "property_"}

// IsProperty reports whether f is a property function, by its name, without
// arguments.
func IsProperty(f *input.Function) bool {
	if f == nil || len(f.Inputs) > 0 || f.Raw || f.Constructor {
		return false
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
func (p *Program) Definition(f *input.Function) *ast.Node {
	for _, n := range FunctionsOf(p.UnderTest) {
		if n.Name() == f.Name && n.Child("body") != nil {
			return n
		}
	}
	return nil
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
