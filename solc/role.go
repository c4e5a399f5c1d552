package solc

import "leveret/solc/ast"

// Inherited reports whether c is there to be inherited from alone, without the
// word abstract: its constructor is internal, as compilers before 0.7 have it.
func (c *Contract) Inherited() bool {
	if c.Kind != KindContract || c.Abstract || c.Deployable() || c.Node == nil {
		return false
	}
	for _, f := range c.Node.Children {
		if f.Type == ast.FunctionDefinition && f.Kind() == "constructor" && f.Visibility() == "internal" {
			return true
		}
	}
	return false
}
