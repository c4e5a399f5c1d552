package program

import (
	"slices"
	"strings"

	"leveret/engine/input"
	"leveret/solc"
	"leveret/solc/ast"
)

// Constructor returns a constructor whose address parameters have the contract
// types that the source gives them: declared types, which compilers before 0.5.11
// leave out of the ABI, and types that the constructor converts an address to.
func (p *Program) Constructor(c *solc.Contract) *input.Function {
	f := p.ABI(c).Constructor
	if c.Node == nil {
		return f
	}
	typed := *f
	typed.Inputs = slices.Clone(f.Inputs)
	for _, definition := range c.Node.List("nodes") {
		parameters := definition.Parameters()
		if definition.Type != ast.FunctionDefinition || definition.Kind() != "constructor" || len(parameters) != len(typed.Inputs) {
			continue
		}
		for i, parameter := range parameters {
			if in := &typed.Inputs[i]; in.Type.Kind == input.KindAddress && !IsContractType(in.InternalType) {
				if name := contractMeant(parameter, definition); name != "" {
					in.InternalType = "contract " + name
				}
			}
		}
	}
	return &typed
}

// contractMeant returns the contract type of a parameter; empty if it has none.
func contractMeant(parameter, function *ast.Node) string {
	if t := parameter.ValueType(); t.Kind == ast.TypeContract {
		return t.Name
	}
	for _, call := range function.Find(ast.FunctionCall) {
		if call.Kind() != "typeConversion" || len(call.Arguments()) != 1 {
			continue
		}
		of, to := call.Arguments()[0].Bare(), call.ValueType()
		if to.Kind == ast.TypeContract && of != nil && of.Type == ast.Identifier && of.Refers() == parameter.ID {
			return to.Name
		}
	}
	return ""
}

// IsContractType reports whether an internal type of an ABI is a contract's.
func IsContractType(internal string) bool { return strings.HasPrefix(internal, "contract ") }
