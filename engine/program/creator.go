package program

import (
	"slices"

	"leveret/engine/input"
	"leveret/solc"
	"leveret/solc/ast"
)

// CallsCreator reports whether a contract calls who creates it as a contract, in its
// constructor, or later as it keeps who that is, as a pair asks its factory: no account can
// have created it.
func CallsCreator(c *solc.Contract) bool {
	functions := FunctionsOf(c)
	for _, f := range functions {
		if f.Kind() != "constructor" {
			continue
		}
		if callsAsContract(f, (*ast.Node).IsSender) {
			return true
		}
		for _, k := range kept(f) {
			variable := whole(k.variable)
			if variable == nil || f.Declares(variable.Refers()) || !k.value.Unconverted().IsSender() {
				continue
			}
			is := func(n *ast.Node) bool { return n.Type == ast.Identifier && n.Refers() == variable.Refers() }
			if slices.ContainsFunc(functions, func(f *ast.Node) bool { return callsAsContract(f, is) }) {
				return true
			}
		}
	}
	return false
}

// callsAsContract reports whether a function calls something, which may be an address that it
// converts, as a contract.
func callsAsContract(function *ast.Node, something func(*ast.Node) bool) bool {
	return slices.ContainsFunc(function.Find(ast.FunctionCall), func(call *ast.Node) bool {
		callee := call.Callee()
		if callee == nil || callee.Type != ast.MemberAccess {
			return false
		}
		on := callee.Child("expression").Bare()
		return on.ValueType().Kind == ast.TypeContract && something(on.Unconverted())
	})
}

// CalledByOthers reports whether contracts in the sources of c that c does not inherit from
// call f, as a function of c or of a contract or interface of the project that c inherits
// from. Those of libraries, such as a token's, say nothing: users call them, too.
func CalledByOthers(c *solc.Contract, f *input.Function) bool {
	trees := c.Build.Trees()
	return slices.ContainsFunc(callsOf(c.Build)[f.Name], func(call *ast.Node) bool {
		by, called := call.Contract(), trees.Declaration(call.Callee().Refers())
		if by == nil || called == nil || Inherits(c, by) || len(call.Arguments()) != len(f.Inputs) {
			return false
		}
		of := called.Contract()
		return of != nil && Inherits(c, of) && !c.Build.SpanSource(of.Span).Library
	})
}

// callsOf returns the calls of contracts' functions in a build, by the function's name.
func callsOf(b *solc.Build) map[string][]*ast.Node {
	type key struct{}
	return b.Derived(key{}, func() any {
		calls := map[string][]*ast.Node{}
		for _, s := range b.Sources {
			if s == nil || s.Unit == nil {
				continue
			}
			for _, call := range s.Unit.Root.Find(ast.FunctionCall) {
				callee := call.Callee()
				if callee != nil && callee.Type == ast.MemberAccess && callee.Child("expression").ValueType().Kind == ast.TypeContract {
					calls[callee.Name()] = append(calls[callee.Name()], call)
				}
			}
		}
		return calls
	}).(map[string][]*ast.Node)
}
