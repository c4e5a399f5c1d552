package oracle

import (
	"fmt"
	"slices"
	"strings"

	"leveret/engine/cover"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/solc/ast"
)

// Assertion reports assertions that can fail: assert in all compiler
// versions, and the event AssertionFailed.
var Assertion = Oracle{
	Name: "assertion", SWC: "SWC-110", Severity: finding.Error,
	Title: "An assertion can fail",
	Hint: showsFailure(func(kind uint64) bool {
		return kind == panicAssert || kind == cover.FailedInvalid || kind == cover.FailedEvent
	}),
	Unexportable: caughtInside,
	FailedCheck:  true,
	Watch: func(env *Env) Watcher {
		return watchFailures(env, func(f failure) (Report, bool) {
			if f.code != panicAssert {
				return Report{}, false
			}
			r := Report{Message: fmt.Sprintf("this assertion can fail: %s", f.text)}
			switch {
			case f.refusesZero():
				r.Severity, r.Provisional = finding.Information, true
				r.Message += ", which checks an argument of the caller as require does"
			case f.checksSender():
				r.Severity, r.Provisional = finding.Information, true
				r.Message += ", which checks who calls as require does"
			case f.checksOnce(env.Sources):
				r.Severity, r.Provisional = finding.Information, true
				r.Message += ", which checks that it is called once as require does"
			case f.checksGas():
				r.Severity, r.Provisional = finding.Information, true
				r.Message += ", which depends on the gas that the caller gives"
			case f.checksArithmetic():
				r.Severity, r.Provisional = finding.Information, true
				r.Message += ", which says that a result does not fit its type, as later compilers do"
			}
			return r, true
		}, true)
	},
}

// Panic reports compiler-inserted checks that can fail: checked arithmetic,
// division by zero, array bounds and the like.
var Panic = Oracle{
	Name: "panic", SWC: "SWC-110", Severity: finding.Warning,
	Title:        "A compiler check can fail",
	Hint:         showsFailure(func(kind uint64) bool { return kind != panicAssert && kind != cover.FailedEvent }),
	Unexportable: caughtInside,
	FailedCheck:  true, ByPath: true,
	Watch: func(env *Env) Watcher {
		return watchFailures(env, func(f failure) (Report, bool) {
			if f.code == panicAssert {
				return Report{}, false
			}
			r := Report{Message: fmt.Sprintf("%s: %s", f.text, panicMeaning(f.code))}
			if f.code == panicDeliberate {
				r.Severity = finding.Information
			}
			if f.halts {
				r.Message += ", and all gas is lost"
			} else {
				r.Evidence = []finding.Evidence{{Name: "panic code", Value: fmt.Sprintf("%#x", f.code)}}
			}
			return r, true
		}, false)
	},
}

// asserted returns the call of assert that failed; nil if there is none.
func (f *failure) asserted() *ast.Node {
	n := f.node
	if n == nil {
		n = f.blamed
	}
	for n != nil && !n.IsBuiltin("assert") && !n.IsStatement() {
		n = n.Parent
	}
	if n == nil || !n.IsBuiltin("assert") || len(n.Arguments()) != 1 {
		return nil
	}
	return n
}

// refusesZero reports whether an assertion only refuses a zero address that the caller
// passes: it compares a parameter with zero, and an actor passed such an argument.
func (f *failure) refusesZero() bool {
	n := f.asserted()
	if n == nil {
		return false
	}
	condition, function := n.Arguments()[0].Bare(), n.Enclosing(ast.FunctionDefinition)
	if condition.Operator() != "!=" || function == nil {
		return false
	}
	return slices.ContainsFunc(condition.Operands(), func(o *ast.Node) bool { return isParameter(o.Bare(), function) }) &&
		slices.ContainsFunc(condition.Operands(), isZeroAddress) &&
		slices.ContainsFunc(f.args, func(v input.Value) bool { return v.Type.Kind == input.KindAddress && v.Word.IsZero() })
}

// checksSender reports whether an assertion only says who may call: it compares the sender
// with a variable of the contract that its function does not assign, wants an argument to be another
// account, or starts its function with a question about the sender.
func (f *failure) checksSender() bool {
	n := f.asserted()
	if n == nil || n.Function() == nil {
		return false
	}
	condition, function := n.Arguments()[0].Bare(), n.Function()
	switch sides := condition.Operands(); condition.Operator() {
	case "==":
		return sides[0].IsSender() && remains(sides[1], function) || sides[1].IsSender() && remains(sides[0], function)
	case "!=":
		return sides[0].IsSender() && isParameter(sides[1].Bare(), function) || sides[1].IsSender() && isParameter(sides[0].Bare(), function)
	}
	return asks(condition) && slices.ContainsFunc(condition.Arguments(), (*ast.Node).IsSender) && starts(n, function)
}

// asks reports whether an expression is a call that changes no state.
func asks(n *ast.Node) bool {
	if n.Type != ast.FunctionCall || n.Callee() == nil {
		return false
	}
	kind := n.Callee().TypeString()
	return strings.Contains(kind, " view ") || strings.Contains(kind, " pure ")
}

// starts reports whether nothing but declarations and checks, without other calls, is in a
// function before the statement of n, and something after it.
func starts(n, function *ast.Node) bool {
	statements := function.Child("body").List("statements")
	for i, s := range statements {
		checks := s.Type == ast.ExpressionStatement && s.Child("expression").IsBuiltin("assert", "require")
		switch {
		case n.Statement() == s:
			return i < len(statements)-1
		case !checks && s.Type != ast.VariableDeclarationStatement, contains(s, func(c *ast.Node) bool {
			return c.Type == ast.FunctionCall && c.Kind() != "typeConversion" && !c.IsBuiltin("assert", "require") && !asks(c)
		}):
			return false
		}
	}
	return false
}

// remains reports whether an expression is a variable of a contract, maybe converted,
// that a function does not assign.
func remains(n, function *ast.Node) bool {
	if n = n.Unconverted(); n.Type != ast.Identifier || function.Declares(n.Refers()) {
		return false
	}
	return !slices.ContainsFunc(function.Find(ast.Assignment, ast.UnaryOperation), func(a *ast.Node) bool {
		return a.Type == ast.Assignment && changes(a.Child("leftHandSide"), n.Refers()) ||
			a.Operator() == "delete" && changes(a.Child("subExpression"), n.Refers())
	})
}

// changes reports whether what is assigned or deleted is a variable, alone or in a tuple.
func changes(target *ast.Node, variable int) bool {
	if target = target.Bare(); target.Type == ast.TupleExpression {
		return slices.ContainsFunc(target.Children, func(part *ast.Node) bool { return changes(part, variable) })
	}
	return target.Refers() == variable
}

// checksOnce reports whether an assertion only says that its function is called once: it starts
// the function, and wants addresses that the function sets to be zero.
func (f *failure) checksOnce(s *Sources) bool {
	n := f.asserted()
	if n == nil || n.Function() == nil || !starts(n, n.Function()) {
		return false
	}
	for parts := []*ast.Node{n.Arguments()[0].Bare()}; len(parts) > 0; parts = parts[1:] {
		switch sides := parts[0].Operands(); parts[0].Operator() {
		case "&&":
			parts = append(parts, sides[0].Bare(), sides[1].Bare())
		case "==":
			if !(isZeroAddress(sides[1]) && s.sets(n.Function(), s.variable(sides[0])) || isZeroAddress(sides[0]) && s.sets(n.Function(), s.variable(sides[1]))) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// variable returns the variable that an expression reads, maybe converted or by a function that
// returns it; 0 if it is none.
func (s *Sources) variable(n *ast.Node) int {
	n = n.Unconverted()
	if n.Type == ast.FunctionCall && len(n.Arguments()) == 0 {
		if list := s.trees().Called(n).Child("body").List("statements"); len(list) == 1 && list[0].Type == ast.Return {
			n = list[0].Child("expression").Unconverted()
		}
	}
	if n == nil || n.Type != ast.Identifier {
		return 0
	}
	return n.Refers()
}

// sets reports whether a function, or one that it calls, assigns a variable.
func (s *Sources) sets(function *ast.Node, variable int) bool {
	assigns := func(in *ast.Node) bool {
		return contains(in, func(a *ast.Node) bool {
			return a.Type == ast.Assignment && changes(a.Child("leftHandSide"), variable)
		})
	}
	return variable != 0 && (assigns(function) || slices.ContainsFunc(s.callees(function), assigns))
}

// checksGas reports whether an assertion asks how much gas is left: a relay refuses those
// who give too little.
func (f *failure) checksGas() bool {
	n := f.asserted()
	return n != nil && slices.ContainsFunc(n.Find(ast.FunctionCall), func(call *ast.Node) bool { return call.IsBuiltin("gasleft") })
}

// isParameter reports whether an expression is a parameter of a function.
func isParameter(n, function *ast.Node) bool {
	return n.Type == ast.Identifier && slices.ContainsFunc(function.Parameters(), func(p *ast.Node) bool { return p.ID == n.Refers() })
}

// isZeroAddress reports whether an expression is address(0).
func isZeroAddress(n *ast.Node) bool {
	n = n.Bare()
	if n.Kind() != "typeConversion" || len(n.Arguments()) != 1 || n.ValueType().Kind != ast.TypeAddress {
		return false
	}
	number := n.Arguments()[0].ValueType().Number
	return number != nil && number.Sign() == 0
}

// caughtInside is Oracle.Unexportable of both.
const caughtInside = "the failure is caught inside the transaction, so a caller cannot see it"

// The codes of Panic(uint256); see "Panic via assert and Error via require"
// in the Solidity documentation.
const (
	panicAssert     = 0x01
	panicArithmetic = 0x11
	panicDivision   = 0x12
	panicEnum       = 0x21
	panicPop        = 0x31
	panicBounds     = 0x32
	panicMemory     = 0x41
	panicDeliberate = 0xfd // INVALID, written in assembly
	panicArgument   = 0xfe // INVALID before 0.8, from an argument that is no member of its enum
	panicUnknown    = 0xff // INVALID before 0.8, not from assert
)

// panicMeanings describes the failures for users.
var panicMeanings = map[uint64]string{
	panicArithmetic: "the result does not fit its type and the call reverts",
	panicDivision:   "division or modulo by zero",
	panicEnum:       "the value is not a member of the enum",
	0x22:            "a byte array in storage is badly encoded",
	panicPop:        "pop() on an empty array",
	panicBounds:     "the index is out of bounds",
	panicMemory:     "too much memory is asked for",
	0x51:            "a function variable that was never set is called",
	panicDeliberate: "the code ends here on purpose",
	panicArgument:   "an argument is not a member of its enum",
	panicUnknown:    "a check of the compiler fails (division by zero, array bounds or enum conversion)",
}

func panicMeaning(code uint64) string {
	if m, ok := panicMeanings[code]; ok {
		return m
	}
	return fmt.Sprintf("panic %#x", code)
}

// classify returns the panic code of a failure. Before 0.8, assert and all
// checks run INVALID, so the source decides.
func classify(code uint64, b *Blame) uint64 {
	if code != panicUnknown {
		return code
	}
	if b.Text == "invalid()" {
		return panicDeliberate
	}
	defined := b.Node != nil && strings.HasSuffix(b.Node.Type, "Definition") // then its name is the text
	if b.Text == "" || strings.HasPrefix(b.Text, "assert") && !defined {
		return panicAssert
	}
	if b.Node == nil || !b.Whole {
		return panicUnknown
	}
	switch operator := strings.TrimSuffix(b.Node.Operator(), "="); {
	case operator == "/" || operator == "%":
		return panicDivision
	case b.Node.Type == ast.IndexAccess:
		return panicBounds
	case b.Node.Kind() == "typeConversion" && b.Node.ValueType().Kind == ast.TypeEnum:
		return panicEnum
	case slices.ContainsFunc(b.Node.Operands(), func(n *ast.Node) bool { return n.ValueType().Kind == ast.TypeEnum }):
		return panicArgument // enum comparisons have no other check
	}
	return panicUnknown
}
