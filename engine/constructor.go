package engine

import (
	"slices"

	"leveret/engine/input"
	"leveret/solc"
	"leveret/solc/ast"
)

// constructorOf returns the inputs of a constructor with the contract types
// that the source gives its addresses: those that it declares, which compilers
// before 0.5.11 keep out of the ABI, and those that the constructor converts an
// address to.
func (p *program) constructorOf(c *solc.Contract) *input.Function {
	f := p.abi(c).Constructor
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
			if in := &typed.Inputs[i]; in.Type.Kind == input.KindAddress && !isContractType(in.InternalType) {
				if name := contractMeant(parameter, definition); name != "" {
					in.InternalType = "contract " + name
				}
			}
		}
	}
	return &typed
}

// contractMeant is the contract that a parameter stands for; empty if it is
// none.
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
