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
			f = p.typed(c, f, definition)
		}
	}
	return f
}

// Typed returns a function of c with the contract types that the source gives its
// address parameters, as Constructor does.
func (p *Program) Typed(c *solc.Contract, f *input.Function) *input.Function {
	if definition := p.DefinitionIn(c, f); definition != nil {
		return p.typed(c, f, definition)
	}
	return f
}

// typed returns f with the contract types that its definition in c gives address
// parameters and lists of addresses, or the variables that keep them, and with the number
// of elements that lists need.
func (p *Program) typed(c *solc.Contract, f *input.Function, definition *ast.Node) *input.Function {
	parameters := definition.Parameters()
	if len(parameters) != len(f.Inputs) {
		return f
	}
	functions := FunctionsOf(c)
	with := *f
	with.Inputs = slices.Clone(f.Inputs)
	setElements(c, with.Inputs, parameters)
	for i, parameter := range parameters {
		in := &with.Inputs[i]
		lists, ok := addressLists(in.Type)
		if !ok || IsContractType(in.InternalType) {
			continue
		}
		if name := meaning(parameter, definition, functions, maxPassed); name != "" {
			in.InternalType = "contract " + name + lists
		}
	}
	return &with
}

// maxPassed is how often a parameter is followed to another function.
const maxPassed = 3

// meaning returns the contract type as which a function, or one that it passes a
// parameter on to, uses or keeps the parameter; empty if there is none.
func meaning(parameter, definition *ast.Node, functions []*ast.Node, depth int) string {
	if name := contractMeant(parameter, definition); name != "" {
		return name
	}
	if name := keptAs(parameter, definition, functions); name != "" || depth == 0 {
		return name
	}
	for _, call := range passes(definition) {
		target := calledBy(call, functions)
		if target == nil || target == definition || len(target.Parameters()) != len(call.Arguments()) {
			continue
		}
		for i, argument := range call.Arguments() {
			if of := whole(argument); of == nil || of.Refers() != parameter.ID {
				continue
			}
			if name := meaning(target.Parameters()[i], target, functions, depth-1); name != "" {
				return name
			}
		}
	}
	return ""
}

// passes lists the calls of a function, and the base constructors that a constructor
// calls.
func passes(definition *ast.Node) []*ast.Node {
	return slices.Concat(definition.List("modifiers"), definition.Find(ast.FunctionCall))
}

// calledBy returns the one of some functions that a call or the invocation of a base
// constructor calls; nil if none.
func calledBy(call *ast.Node, functions []*ast.Node) *ast.Node {
	callee := call.Child("modifierName")
	if callee == nil {
		callee = call.Callee()
	}
	if callee == nil {
		return nil
	}
	to := callee.Refers()
	i := slices.IndexFunc(functions, func(f *ast.Node) bool {
		base := f.Contract()
		return f.ID == to || f.Kind() == "constructor" && base != nil && base.ID == to
	})
	if i < 0 {
		return nil
	}
	return functions[i]
}

// addressLists returns the brackets of a type that is an address, or a list of
// addresses; false for others.
func addressLists(t *input.Type) (brackets string, ok bool) {
	for t.Kind == input.KindSlice || t.Kind == input.KindArray {
		brackets, t = brackets+"[]", t.Elem
	}
	return brackets, t.Kind == input.KindAddress
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

// keptAs returns the contract type as which a function keeps a parameter, or an
// element of it, in a variable that it does not declare: that of the parameter or the
// variable, or one that either is converted to. Empty if it has none, or is not kept.
func keptAs(parameter, definition *ast.Node, functions []*ast.Node) string {
	for _, k := range kept(definition) {
		variable, value := whole(k.variable), whole(k.value)
		if variable == nil || definition.Declares(variable.Refers()) || value == nil || value.Refers() != parameter.ID {
			continue
		}
		if t := k.variable.Bare().ValueType(); t.Kind == ast.TypeContract {
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

// A keeping is a value that is assigned to a variable or pushed to a list.
type keeping struct{ variable, value *ast.Node }

// kept lists what a function keeps.
func kept(definition *ast.Node) (list []keeping) {
	for _, a := range definition.Find(ast.Assignment) {
		list = append(list, keeping{a.Child("leftHandSide"), a.Child("rightHandSide")})
	}
	for _, call := range definition.Find(ast.FunctionCall) {
		if callee := call.Callee(); callee != nil && callee.Type == ast.MemberAccess && callee.Name() == "push" && len(call.Arguments()) == 1 {
			list = append(list, keeping{callee.Child("expression"), call.Arguments()[0]})
		}
	}
	return list
}

// whole returns the name of the variable or of the member of a struct that an
// expression is, or is an element of, without conversions; nil if it is neither.
func whole(n *ast.Node) *ast.Node {
	for n = n.Bare(); n != nil; n = n.Bare() {
		switch {
		case n.Type == ast.Identifier || n.Type == ast.MemberAccess && n.Refers() > 0:
			return n
		case n.Type == ast.IndexAccess:
			n = n.Child("baseExpression")
		case n.Type == ast.FunctionCall && n.Kind() == "typeConversion" && len(n.Arguments()) == 1:
			n = n.Arguments()[0]
		default:
			return nil
		}
	}
	return nil
}

// contractMeant returns the contract type of a parameter; empty if it has none.
func contractMeant(parameter, function *ast.Node) string {
	if t := parameter.ValueType(); t.Kind == ast.TypeContract {
		return t.Name
	}
	return convertedTo(parameter.ID, function)
}

// convertedTo returns the contract type that a function converts a variable or an
// element of it to; empty if there is none.
func convertedTo(variable int, function *ast.Node) string {
	for _, call := range function.Find(ast.FunctionCall) {
		if call.Kind() != "typeConversion" || len(call.Arguments()) != 1 {
			continue
		}
		of, to := whole(call.Arguments()[0]), call.ValueType()
		if to.Kind == ast.TypeContract && of != nil && of.Refers() == variable {
			return to.Name
		}
	}
	return ""
}

// IsContractType reports whether an internal type of an ABI is a contract's.
func IsContractType(internal string) bool { return strings.HasPrefix(internal, "contract ") }
