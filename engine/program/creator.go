package program

import (
	"slices"

	"leveret/solc"
	"leveret/solc/ast"
)

// CallsCreator reports whether a contract keeps who creates it and calls that as a
// contract, as a pair asks its factory: no account can have created it.
func CallsCreator(c *solc.Contract) bool {
	functions := FunctionsOf(c)
	for _, f := range functions {
		if f.Kind() != "constructor" {
			continue
		}
		for _, k := range kept(f) {
			variable := whole(k.variable)
			if variable == nil || f.Declares(variable.Refers()) || !k.value.Unconverted().IsSender() {
				continue
			}
			if slices.ContainsFunc(functions, func(f *ast.Node) bool { return callsAsContract(variable.Refers(), f) }) {
				return true
			}
		}
	}
	return false
}

// callsAsContract reports whether a function calls a variable, which may be an address
// that it converts, as a contract.
func callsAsContract(variable int, function *ast.Node) bool {
	return slices.ContainsFunc(function.Find(ast.FunctionCall), func(call *ast.Node) bool {
		callee := call.Callee()
		if callee == nil || callee.Type != ast.MemberAccess {
			return false
		}
		on := callee.Child("expression").Bare()
		of := on.Unconverted()
		return on.ValueType().Kind == ast.TypeContract && of.Type == ast.Identifier && of.Refers() == variable
	})
}
