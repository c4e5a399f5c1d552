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
	if definition := constructorOf(c.Node); definition != nil {
		f = p.typed(c, f, definition)
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

// typed returns f with the contract types that its definition in c gives addresses among
// its parameters, or the variables that keep them, and with the number of elements that
// lists need.
func (p *Program) typed(c *solc.Contract, f *input.Function, definition *ast.Node) *input.Function {
	parameters := definition.Parameters()
	if len(parameters) != len(f.Inputs) {
		return f
	}
	with := *f
	with.Inputs = slices.Clone(f.Inputs)
	setElements(c, with.Inputs, parameters)
	m := meanings{c, dataFlowOf(c.Build)}
	for i, parameter := range parameters {
		with.Inputs[i] = m.typed(with.Inputs[i], parameter)
	}
	return &with
}

// meanings tell what a contract takes addresses for.
type meanings struct {
	of   *solc.Contract
	flow *dataFlow
}

// typed returns a field with the contract types of the addresses in it: in lists and
// structs, too. variable is the parameter or the member of a struct that declares it.
func (m meanings) typed(in input.Field, variable *ast.Node) input.Field {
	t, brackets := in.Type, ""
	for t.Kind == input.KindSlice || t.Kind == input.KindArray {
		t, brackets = t.Elem, brackets+"[]"
	}
	switch {
	case t.Kind == input.KindAddress && !IsContractType(in.InternalType):
		if name := m.contract(variable.ID); name != "" {
			in.InternalType = "contract " + name + brackets
		}
	case t.Kind == input.KindTuple:
		structure := structIn(m.flow.tree, variable)
		if structure == nil || len(structure.List("members")) != len(t.Fields) {
			break
		}
		fields := slices.Clone(t.Fields)
		for i, member := range structure.List("members") {
			fields[i] = m.typed(fields[i], member)
		}
		in.Type = withFields(in.Type, fields)
	}
	return in
}

// withFields returns a struct, or a list of structs, with other fields.
func withFields(t *input.Type, fields []input.Field) *input.Type {
	with := *t
	if t.Kind == input.KindTuple {
		with.Fields = fields
	} else {
		with.Elem = withFields(t.Elem, fields)
	}
	return &with
}

// contract returns the contract type as which the contract, or a library that it calls,
// uses or keeps the address in a variable; empty if there is none.
func (m meanings) contract(variable int) string {
	for _, id := range m.flow.reaches(variable, m.keeps) {
		for _, use := range m.flow.contracts[id] {
			if m.runs(use.by) {
				return use.name
			}
		}
	}
	return ""
}

// keeps reports whether a variable is one of a struct, or of code that the contract runs.
// Results do not count: owner() is a contract to some who call it.
func (m meanings) keeps(variable int) bool {
	d := m.flow.tree.Declaration(variable)
	switch {
	case d == nil || d.Enclosing(ast.StructDefinition) != nil:
		return true
	case d.Parent != nil && d.Parent.Role == "returnParameters":
		return false
	}
	return m.runs(d.Contract())
}

// runs reports whether the contract runs the code of another one, or code outside of
// contracts.
func (m meanings) runs(by *ast.Node) bool {
	return by == nil || by.Kind() == "library" || Inherits(m.of, by)
}

// Setters lists the functions of c that keep an address in a variable and take it for a
// contract, as setLog(address) does. The types of these parameters are contracts, whatever
// the ABI says.
func (p *Program) Setters(c *solc.Contract) (list []*input.Function) {
	if c.Node == nil {
		return nil
	}
	m := meanings{c, dataFlowOf(c.Build)}
	for _, f := range p.ABI(c).Functions {
		definition := p.DefinitionIn(c, f)
		if f.Constant() || definition == nil || len(definition.Parameters()) != len(f.Inputs) {
			continue
		}
		typed, keeps := *f, false
		typed.Inputs = slices.Clone(f.Inputs)
		for i, parameter := range definition.Parameters() {
			if f.Inputs[i].Type.Kind != input.KindAddress || !isKept(parameter, definition) {
				continue
			}
			if name := m.contract(parameter.ID); name != "" {
				typed.Inputs[i].InternalType, keeps = "contract "+name, true
			}
		}
		if keeps {
			list = append(list, &typed)
		}
	}
	return list
}

// isKept reports whether a function keeps a parameter, or an element of it, in a variable
// that it does not declare.
func isKept(parameter, definition *ast.Node) bool {
	return slices.ContainsFunc(kept(definition), func(k keeping) bool {
		variable, value := whole(k.variable), whole(k.value)
		return variable != nil && value != nil && value.Refers() == parameter.ID && !definition.Declares(variable.Refers())
	})
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

// IsContractType reports whether an internal type of an ABI is a contract's.
func IsContractType(internal string) bool { return strings.HasPrefix(internal, "contract ") }
