package oracle

import (
	"slices"
	"strings"

	"leveret/engine/bytecode"
	"leveret/engine/evm"
	"leveret/solc/ast"
)

// check returns the expression that a failed check with a code belongs to, or the
// function around it if there are several; nil if the trail blames the right one.
// Code via IR shares the ends of checks, and helper functions do its arithmetic:
// neither has a source of its own, so the newest source in the trail may be that
// of what ran before, as an operand.
func (s *Env) check(trail []Site, f *evm.Frame, code uint64) *ast.Node {
	helped := false // the compiler's own code ran since
	jumps := 0      // in that code
	var blamed *ast.Node
	for _, site := range trail {
		at := s.Sources.At(site)
		helped = helped || at.Mapped && at.Imprecise()
		if !at.Mapped || at.Whole && IsDefinition(at.Node) || Inlined(at.Node) {
			if blamed == nil && site.Code.Bytes[site.PC] == bytecode.JUMPI {
				jumps++
			}
			continue
		}
		if blamed == nil {
			blamed = at.Node
			if code == panicMemory {
				return creation(blamed)
			}
			if around := s.Sources.around(blamed, code, jumps > 1); around != nil {
				if n := s.Sources.checked(around, code); n != blamed && !n.IsStatement() {
					return n
				}
				return nil
			}
		}
		if n := s.checkIn(at.Node.Enclosing(ast.FunctionDefinition), code, helped); n != nil || !helped {
			return n
		}
	}
	if blamed != nil {
		return nil
	}
	return s.Sources.checked(s.called(f), code)
}

// checkIn is check for a function that ran. If the compiler's own code ran since,
// the check may be in a function that it calls.
func (s *Env) checkIn(function *ast.Node, code uint64, helped bool) *ast.Node {
	if s.Sources.hasCheck(function, code) {
		if n := s.Sources.checked(function, code); n != function || helped {
			return n
		}
		return nil
	}
	if !helped {
		return nil
	}
	return s.Sources.checkedBelow(function, code)
}

// creation returns the smallest creation of an array at or around an expression; nil if there is
// none. Decoding asks for memory, too, where the source may say nothing of it, so no
// other expression around tells what did.
func creation(n *ast.Node) *ast.Node {
	for ; n != nil && !n.IsStatement(); n = n.Parent {
		if isCreation(n) {
			return n
		}
	}
	return nil
}

// isCreation reports whether a node creates an array whose length the compiler does not know.
func isCreation(n *ast.Node) bool {
	if n.Type != ast.FunctionCall || n.Callee() == nil || n.Callee().Type != ast.NewExpression {
		return false
	}
	length := n.List("arguments")
	return n.ValueType().Kind != ast.TypeContract && len(length) == 1 && length[0].ValueType().Number == nil
}

// creates reports whether the end of a trail is at a creation of an array, or may be, where code
// via IR says less. If it is not, what asks for too much memory is the compiler's decoder, which
// refuses some malformed data with Panic(0x41) and other with no data.
func (s *Env) creates(trail []Site, f *evm.Frame) bool {
	has := func(function *ast.Node) bool { return s.Sources.hasCheck(function, panicMemory) }
	var ran []*ast.Node
	helped := false
	for _, site := range trail {
		at := s.Sources.At(site)
		helped = helped || at.Mapped && at.Imprecise()
		if !at.Mapped || at.Imprecise() {
			continue
		}
		if creation(at.Node) != nil {
			return true
		}
		if ran = append(ran, at.Node.Enclosing(ast.FunctionDefinition, ast.ModifierDefinition)); len(ran) == creationSites {
			break
		}
	}
	if !helped && len(ran) > 0 {
		return false
	}
	return slices.ContainsFunc(append(ran, s.called(f)), func(function *ast.Node) bool {
		return has(function) || function != nil && slices.ContainsFunc(s.Sources.callees(function), has)
	})
}

// creationSites is how many of the newest sites of a trail tell of a creation: where functions
// share their ends, the newest one may be another function's.
const creationSites = 3

// asked returns the call of the function with a check, as far as the trail tells
// it: the check says what fails, the call who asked for it.
func (s *Env) asked(trail []Site, check *ast.Node) []Related {
	function := check.Enclosing(ast.FunctionDefinition)
	if function == nil {
		return nil
	}
	for _, site := range trail {
		at := s.Sources.At(site)
		if !at.Mapped || at.Imprecise() {
			continue
		}
		for n := at.Node; n != nil && !IsDefinition(n); n = n.Parent {
			if n.Type == ast.FunctionCall && n.Callee() != nil && n.Callee().Refers() == function.ID {
				return []Related{{Trail: []Site{site}, Node: n, Message: calledHere}}
			}
		}
	}
	return nil
}

// The messages of the places of a call, and of the assertion in what is called.
const (
	calledHere   = "called here"
	assertedHere = "asserted here"
)

// Inlined reports whether a node is a part of a constant's value that computes
// nothing. Compilers copy the value to where the constant is used, with its
// source, which says nothing about what the code does there.
func Inlined(n *ast.Node) bool {
	if n == nil || n.Operator() != "" {
		return false
	}
	variable := n.Enclosing(ast.VariableDeclaration)
	return variable != nil && variable.IsConstant()
}

// sole returns the only node at or below some nodes that fits; nil if there are
// none or several.
func sole(list []*ast.Node, fits func(*ast.Node) bool) (found *ast.Node) {
	several := false
	for _, n := range list {
		if n == nil {
			continue
		}
		n.Walk(func(m *ast.Node) bool {
			if fits(m) {
				several = found != nil
				found = m
			}
			return !several
		})
		if several {
			return nil
		}
	}
	return found
}

// contains reports whether a node at or below n fits.
func contains(n *ast.Node, fits func(*ast.Node) bool) bool {
	found := false
	n.Walk(func(m *ast.Node) bool {
		found = found || fits(m)
		return !found
	})
	return found
}

// fails returns a function that reports whether a check with a code can belong to
// a node.
func fails(code uint64) func(*ast.Node) bool {
	return func(n *ast.Node) bool {
		operator := strings.TrimSuffix(n.Operator(), "=")
		switch code {
		case panicAssert:
			return n.Type == ast.FunctionCall && n.IsBuiltin("assert")
		case panicArithmetic:
			return canOverflow(n)
		case panicDivision:
			return (operator == "/" || operator == "%") && !hasConstantDivisor(n) || n.IsBuiltin("addmod", "mulmod")
		case panicEnum:
			return n.Kind() == "typeConversion" && n.ValueType().Kind == ast.TypeEnum
		case panicPop:
			return n.Type == ast.FunctionCall && n.Child("expression") != nil && n.Child("expression").Attr("memberName") == "pop"
		case panicMemory:
			return isCreation(n)
		case panicBounds:
			return n.Type == ast.IndexAccess && n.Child("baseExpression").ValueType().Kind != ast.TypeMapping && n.ValueType().Kind != ast.TypeOfTypes
		}
		return false
	}
}

// canOverflow reports whether a node is arithmetic that the compiler checks. It computes
// constants itself, and shifts cut bits off; the smallest number divided by -1 does not
// fit its type.
func canOverflow(n *ast.Node) bool {
	t := n.ValueType()
	if t.Kind == ast.TypeNumber || n.InUnchecked() {
		return false
	}
	switch operator := operatorOf(n); operator {
	case "":
		return strings.TrimSuffix(n.Operator(), "=") == "/" && t.Signed() && !hasConstantDivisor(n)
	default:
		return operator != "<<"
	}
}

// hasConstantDivisor reports whether the right side of a division is a number,
// which the compiler has checked.
func hasConstantDivisor(n *ast.Node) bool {
	operands := n.Operands()
	return len(operands) == 2 && operands[1].ValueType().Number != nil
}
