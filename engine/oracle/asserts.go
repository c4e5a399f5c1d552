package oracle

import (
	"slices"
	"strings"

	"leveret/engine/bytecode"
	"leveret/engine/evm"
	"leveret/solc/ast"
)

// asserting returns the call that a failed check speaks of, if that is in a function that
// only asserts something of its arguments: the call says of what. It returns nil if the
// trail, which ends with the callers of the function as far as they are known, does not
// tell. Optimizers let assertions share their ends, so that the check may be in another
// such function, and what failed an assert.
func (s *Env) asserting(trail []Site) *ast.Node {
	for _, site := range trail {
		at := s.Sources.At(site)
		if !at.Mapped || at.Imprecise() || s.Sources.InAssertion(at.Node) {
			continue
		}
		for n := at.Node; n != nil && !IsDefinition(n); n = n.Parent {
			if n.IsBuiltin("assert") || s.Sources.helper(n) != nil {
				return n
			}
		}
	}
	return nil
}

// helper returns the function that a node calls, if that only asserts something of its
// arguments; else nil.
func (s *Sources) helper(call *ast.Node) *ast.Node {
	if call.Type == ast.FunctionCall {
		if d := s.trees().Called(call); d != nil && d.Type == ast.FunctionDefinition && s.Asserts(d) {
			return d
		}
	}
	return nil
}

// InAssertion reports whether a node, which may be nil, is in a function that only asserts
// something of its arguments.
func (s *Sources) InAssertion(n *ast.Node) bool {
	function := n.Enclosing(ast.FunctionDefinition)
	return function != nil && s.Asserts(function)
}

// name returns the quoted text of a node.
func (s *Env) name(n *ast.Node) string { return Blame{Text: s.Text(n)}.name() }

// speakOf makes a report about an assertion one about the call that it speaks of.
func (s *Env) speakOf(r *Report, call, assertion *ast.Node) {
	r.Node = call
	called, in := s.Sources.helper(call), assertion.Enclosing(ast.FunctionDefinition)
	if called != nil && (called == in || called.Child("body") == nil || slices.Contains(s.Sources.callees(called), in)) {
		r.Related = append(r.Related, Related{Trail: r.Trail, Node: assertion, Message: assertedHere, Asserts: true})
	}
}

// callers returns the jumps that called the running internal functions, innermost first:
// their return addresses are on the stack, right behind the jumps, and pushed nowhere else.
// Optimizers let calls that end alike share one.
func callers(s *evm.Step) (list []Site) {
	code := s.Frame.Code.Analysis()
	for to := range code.JumpdestsOn(s.Stack) {
		if to > 0 && s.Frame.Code.Bytes[to-1] == bytecode.JUMP && code.Pushes(to) == 1 {
			list = append(list, Site{s.Frame.Code, to - 1})
		}
	}
	return list
}

// Asserts reports whether a function only asserts something of its arguments, as those do
// that test harnesses share: it is internal, has no result and no modifier, and its body,
// if it has one, depends on nothing else.
func (s *Sources) Asserts(function *ast.Node) bool {
	return s.assertions.get(function, func() bool {
		return function.Kind() != "constructor" && len(function.Parameters()) > 0 && len(function.Returns()) == 0 && len(function.List("modifiers")) == 0 &&
			(function.Visibility() == "internal" || function.Visibility() == "private") &&
			!slices.ContainsFunc(append(s.callees(function), function), s.dependsOnState)
	})
}

// surroundings are the names of what code knows of a transaction and its block.
var surroundings = map[string]bool{"msg": true, "tx": true, "block": true, "this": true, "now": true, "super": true}

// dependsOnState reports whether the body of a function uses, by itself, anything but its
// parameters and constants: variables of contracts, the transaction, or other contracts.
func (s *Sources) dependsOnState(function *ast.Node) bool {
	if function.StateMutability() == "pure" {
		return false
	}
	return contains(function.Child("body"), func(n *ast.Node) bool {
		switch n.Type {
		case ast.Identifier, ast.MemberAccess:
			d := s.trees().Referenced(n)
			if d != nil && d.Type == ast.VariableDeclaration {
				return d.IsStateVariable() && !d.IsConstant()
			}
			return d == nil && n.Type == ast.Identifier && surroundings[n.Name()]
		case ast.FunctionCall:
			return n.LowLevel() != "" || n.Callee() != nil && strings.Contains(n.Callee().TypeIdentifier(), "_external_")
		case ast.InlineAssembly, ast.NewExpression:
			return true
		}
		return false
	})
}
