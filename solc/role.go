package solc

import (
	"bytes"

	"leveret/solc/ast"
)

// Inherited reports whether c can only be inherited from because its constructor
// is internal, as before Solidity 0.7.
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

// Unfuzzable returns why c is not fuzzed by itself and what to do instead, as a
// sentence without full stop. It is empty if c can be fuzzed.
func (c *Contract) Unfuzzable() string {
	code := c.TestCode()
	switch {
	case c.Kind == KindInterface:
		return c.Name + " is an interface and has no code; fuzz a contract that implements it"
	case c.Kind == KindLibrary:
		return c.Name + " is a library; fuzz a contract that uses it"
	case c.Abstract:
		return c.Name + " is abstract; fuzz a contract that inherits from it"
	case code != "":
		return c.Name + " " + code
	case c.Inherited():
		return c.Name + " has an internal constructor; fuzz a contract that inherits from it"
	case !c.Deployable():
		return c.Name + " has no code; implement what it inherits, or mark it abstract"
	}
	return ""
}

// Callable reports whether a transaction can call a contract: it has a function, or takes
// ether or any call.
func (c *Contract) Callable() bool {
	return len(c.Methods) > 0 || bytes.Contains(c.ABI, []byte(`"fallback"`)) || bytes.Contains(c.ABI, []byte(`"receive"`))
}
