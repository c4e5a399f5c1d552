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
	for _, definition := range c.Node.List("nodes") {
		if definition.Type == ast.FunctionDefinition && definition.Kind() == "constructor" {
			f = typed(f, definition)
		}
	}
	return f
}

// Typed returns a function of c with the contract types that the source gives its
// address parameters, as Constructor does.
func (p *Program) Typed(c *solc.Contract, f *input.Function) *input.Function {
	if definition := p.DefinitionIn(c, f); definition != nil {
		return typed(f, definition)
	}
	return f
}

// typed returns f with the contract types that its definition gives address
// parameters.
func typed(f *input.Function, definition *ast.Node) *input.Function {
	parameters := definition.Parameters()
	if len(parameters) != len(f.Inputs) {
		return f
	}
	with := *f
	with.Inputs = slices.Clone(f.Inputs)
	for i, parameter := range parameters {
		if in := &with.Inputs[i]; in.Type.Kind == input.KindAddress && !IsContractType(in.InternalType) {
			if name := contractMeant(parameter, definition); name != "" {
				in.InternalType = "contract " + name
			}
		}
	}
	return &with
}

// Setters lists the functions of c that keep an address in a variable as a
// contract that is called later, as setLog(address) does. The types of these
// parameters are contracts, whatever the ABI says.
func (p *Program) Setters(c *solc.Contract) (list []*input.Function) {
	if c.Node == nil {
		return nil
	}
	functions := FunctionsOf(c)
	for _, f := range p.ABI(c).Functions {
		definition := p.DefinitionIn(c, f)
		if f.Constant() || definition == nil || len(definition.Parameters()) != len(f.Inputs) {
			continue
		}
		typed, keeps := *f, false
		typed.Inputs = slices.Clone(f.Inputs)
		for i, parameter := range definition.Parameters() {
			if name := keptAs(parameter, definition, functions); name != "" && f.Inputs[i].Type.Kind == input.KindAddress {
				typed.Inputs[i].InternalType, keeps = "contract "+name, true
			}
		}
		if keeps {
			list = append(list, &typed)
		}
	}
	return list
}

// keptAs returns the contract type as which a function keeps a parameter in a
// variable that it does not declare: that of the parameter or the variable, or
// one that either is converted to. Empty if it has none, or is not kept.
func keptAs(parameter, definition *ast.Node, functions []*ast.Node) string {
	for _, a := range definition.Find(ast.Assignment) {
		variable, value := a.Child("leftHandSide").Bare(), a.Child("rightHandSide").Bare()
		if variable == nil || variable.Type != ast.Identifier || value == nil || declares(definition, variable.Refers()) {
			continue
		}
		for value.Type == ast.FunctionCall && value.Kind() == "typeConversion" && len(value.Arguments()) == 1 && value.Arguments()[0].Bare() != nil {
			value = value.Arguments()[0].Bare()
		}
		if value.Type != ast.Identifier || value.Refers() != parameter.ID {
			continue
		}
		if t := variable.ValueType(); t.Kind == ast.TypeContract {
			return t.Name
		}
		if name := contractMeant(parameter, definition); name != "" {
			return name
		}
		for _, f := range functions {
			if name := convertedTo(variable.Refers(), f); name != "" {
				return name
			}
		}
	}
	return ""
}

// declares reports whether a function declares a variable.
func declares(definition *ast.Node, variable int) bool {
	return slices.ContainsFunc(definition.Find(ast.VariableDeclaration), func(d *ast.Node) bool { return d.ID == variable })
}

// contractMeant returns the contract type of a parameter; empty if it has none.
func contractMeant(parameter, function *ast.Node) string {
	if t := parameter.ValueType(); t.Kind == ast.TypeContract {
		return t.Name
	}
	return convertedTo(parameter.ID, function)
}

// convertedTo returns the contract type that a function converts a variable to;
// empty if there is none.
func convertedTo(variable int, function *ast.Node) string {
	for _, call := range function.Find(ast.FunctionCall) {
		if call.Kind() != "typeConversion" || len(call.Arguments()) != 1 {
			continue
		}
		of, to := call.Arguments()[0].Bare(), call.ValueType()
		if to.Kind == ast.TypeContract && of != nil && of.Type == ast.Identifier && of.Refers() == variable {
			return to.Name
		}
	}
	return ""
}

// IsContractType reports whether an internal type of an ABI is a contract's.
func IsContractType(internal string) bool { return strings.HasPrefix(internal, "contract ") }
