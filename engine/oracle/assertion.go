package oracle

import (
	"fmt"
	"slices"
	"strings"

	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/shadow"
	"leveret/solc/ast"
)

// Assertion reports assertions that can fail: assert in all compiler
// versions, and the event AssertionFailed.
var Assertion = Oracle{
	Name: "assertion", SWC: "SWC-110", Severity: finding.Error,
	Title: "An assertion can fail",
	Watch: func(scene *Scene) Watcher {
		return watchFailures(scene, func(f failure) (Report, bool) {
			if f.code != panicAssert {
				return Report{}, false
			}
			return Report{Message: fmt.Sprintf("this assertion can fail: %s", f.text)}, true
		}, true)
	},
}

// Panic reports checks that the compiler puts in and that can fail: checked
// arithmetic, division by zero, array bounds and the like.
var Panic = Oracle{
	Name: "panic", SWC: "SWC-110", Severity: finding.Warning,
	Title: "A check of the compiler can fail",
	Watch: func(scene *Scene) Watcher {
		return watchFailures(scene, func(f failure) (Report, bool) {
			if f.code == panicAssert {
				return Report{}, false
			}
			r := Report{Message: fmt.Sprintf("%s: %s", f.text, panicMeaning(f.code))}
			if f.halts {
				r.Message += ", and all gas is lost"
			} else {
				r.Evidence = []finding.Evidence{{Name: "panic code", Value: fmt.Sprintf("%#x", f.code)}}
			}
			return r, true
		}, false)
	},
}

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
	panicArgument   = 0xfe // INVALID before 0.8, from an argument that is no member of its enum
	panicUnknown    = 0xff // INVALID before 0.8, not from assert
)

// panicMeanings says what happens, in the words of a user.
var panicMeanings = map[uint64]string{
	panicArithmetic: "the result does not fit its type and the call reverts",
	panicDivision:   "division or modulo by zero",
	panicEnum:       "the value is not a member of the enum",
	0x22:            "a byte array in storage is badly encoded",
	panicPop:        "pop() on an empty array",
	panicBounds:     "the index is out of bounds",
	panicMemory:     "too much memory is asked for",
	0x51:            "a function variable that was never set is called",
	panicArgument:   "an argument is not a member of its enum",
	panicUnknown:    "a check of the compiler fails (division by zero, array bounds or enum conversion)",
}

func panicMeaning(code uint64) string {
	if m, ok := panicMeanings[code]; ok {
		return m
	}
	return fmt.Sprintf("panic %#x", code)
}

// failure is one failed check in a frame of the project.
type failure struct {
	code  uint64
	text  string // of the blamed expression, quoted
	halts bool   // by an invalid instruction, as all did before 0.8
}

// watchFailures finds failed checks and asks judge which of them to report.
// The place of an event is the emit; events counts them as assertions.
func watchFailures(scene *Scene, judge func(failure) (Report, bool), events bool) Watcher {
	var found []Report
	var called *input.Tx
	var open []int                                      // len(found) when the open frames began
	var asked []bool                                    // of the open frames: whether calldata decided the latest branch
	harmless, refused := map[int]bool{}, map[int]bool{} // by position in found
	add := func(f *evm.Frame, code uint64) {
		trail := scene.trail()
		blame := scene.Blame(trail)
		var node *ast.Node
		if blame.Node == nil && code != panicUnknown {
			node = checked(scene.called(f), code)
			blame.Text = scene.Text(node)
		}
		if node != nil && node.Type == ast.FunctionDefinition {
			blame.Text = node.Name() + "()"
		}
		what := classify(code, &blame)
		r, ok := judge(failure{code: what, text: blame.name(), halts: code == panicUnknown})
		if ok {
			r.Trail, r.Node, r.Contract = trail, node, f.Self
			harmless[len(found)] = refusesOnly(what, called, asked[len(asked)-1])
			found = append(found, r)
		}
	}
	return Watcher{
		Begin: func(tx *input.Tx, _ *evm.World) {
			called, found, open, asked = tx, found[:0], open[:0], asked[:0]
			clear(harmless)
			clear(refused)
		},
		Enter: func(*evm.Frame) { open, asked = append(open, len(found)), append(asked, false) },
		Flows: &shadow.Events{Branch: func(b *shadow.Branch) {
			asked[len(asked)-1] = chosen(scene.observer.Sets(), b.Cond.Sources())
		}},
		Exit: func(f *evm.Frame, status evm.Status, _ []byte, _ error) {
			last := len(open) - 1
			for i := open[last]; i < len(found) && status != evm.Success; i++ {
				refused[i] = refused[i] || byActor(f)
			}
			open, asked = open[:last], asked[:last]
		},
		Fault: func(s *evm.Step, _ error) {
			if s.Op == bytecode.INVALID && project(scene, s.Frame) {
				add(s.Frame, panicUnknown)
			}
		},
		Ops: []byte{bytecode.REVERT},
		Step: func(s *evm.Step) {
			if code, ok := panicCode(s); ok && project(scene, s.Frame) {
				add(s.Frame, code)
			}
		},
		Log: func(f *evm.Frame, l *evm.Log) {
			if !events || len(l.Topics) == 0 || scene.Topics[l.Topics[0]] == "" || !project(scene, f) {
				return
			}
			found = append(found, Report{
				Trail: scene.trail(), Contract: f.Self,
				Message: fmt.Sprintf("%s is reached", scene.Blame(scene.trail()).name()),
			})
		},
		End: func(_ *evm.Outcome, _ *evm.World, report func(Report)) {
			for i, r := range found {
				if harmless[i] && refused[i] {
					r.Severity = finding.Information
				}
				report(r)
			}
		},
	}
}

// checked returns what in a function a check with a code is for, if there is
// only one such thing, else the function: for the compilers that tell nothing.
func checked(function *ast.Node, code uint64) *ast.Node {
	if function == nil {
		return nil
	}
	found := function
	function.Walk(func(n *ast.Node) bool {
		if fails(n, code) {
			if found != function {
				found = nil
				return false
			}
			found = n
		}
		return found != nil
	})
	if found == nil {
		return function
	}
	return found
}

// fails reports whether a check with a code may be for n.
func fails(n *ast.Node, code uint64) bool {
	operator := strings.TrimSuffix(n.Operator(), "=")
	switch code {
	case panicAssert:
		return n.Type == ast.FunctionCall && n.IsBuiltin("assert")
	case panicArithmetic:
		return operatorOf(n) != "" && !n.InUnchecked()
	case panicDivision:
		return operator == "/" || operator == "%"
	case panicEnum:
		return n.Kind() == "typeConversion" && n.ValueType().Kind == ast.TypeEnum
	case panicPop:
		return n.Type == ast.FunctionCall && n.Child("expression") != nil && n.Child("expression").Attr("memberName") == "pop"
	case panicBounds:
		return n.Type == ast.IndexAccess
	}
	return false
}

// byActor reports whether a frame is called by an actor: it is a transaction,
// or a call of the attacker's contract.
func byActor(f *evm.Frame) bool { return f.Parent == nil || f.Parent.Self == input.Attacker.Address() }

// chosen reports whether an actor chose one of the sources: it was sent along
// with the transaction, or the attacker's contract, which has it in its storage,
// passed it on or answered with it.
func chosen(sets *shadow.Sets, set shadow.Set) bool {
	return sets.HasKind(set, shadow.FromCalldata) || slices.ContainsFunc(sets.Sources(set), func(s shadow.Source) bool {
		return s.Kind == shadow.FromStorage && s.Address == input.Attacker.Address()
	})
}

// refusesOnly reports whether a failed check, if all that the actor called
// fails with it, has done no more than refuse what the actor asked for:
// arithmetic that has no result, what was asked for (an index, the member of an
// enum, memory) and is not there, and whatever only looks at the state.
func refusesOnly(code uint64, called *input.Tx, asked bool) bool {
	switch code {
	case panicAssert:
		return false
	case panicArithmetic, panicDivision, panicArgument, panicMemory:
		return true
	}
	return asked || called.Function != nil && called.Function.Constant()
}

func project(scene *Scene, f *evm.Frame) bool { return f.Code != nil && scene.Project(f.Code) }

// panicCode returns the code of Panic(uint256) if s reverts with one that was
// not passed on from a call.
func panicCode(s *evm.Step) (uint64, bool) {
	offset, size := s.Top(0), s.Top(1)
	if !size.IsUint64() || size.Uint64() != 36 || !offset.IsUint64() || offset.Uint64() > uint64(len(s.Memory)) {
		return 0, false
	}
	data := s.Memory[offset.Uint64():]
	if len(data) < 36 || [4]byte(data) != [4]byte{0x4e, 0x48, 0x7b, 0x71} || string(data[:36]) == string(s.ReturnData) {
		return 0, false
	}
	var code uint256.Int
	code.SetBytes(data[4:36])
	return code.Uint64(), code.IsUint64()
}

// classify tells what failed where the bytecode does not: before 0.8 assert and
// the compiler's own checks all run INVALID.
func classify(code uint64, b *Blame) uint64 {
	if code != panicUnknown {
		return code
	}
	if b.Text == "" || strings.HasPrefix(b.Text, "assert") {
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
		return panicArgument // nothing else is checked where enums are compared
	}
	return panicUnknown
}
