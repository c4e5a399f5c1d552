package oracle

import (
	"bytes"
	"fmt"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/bytecode"
	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/solc/ast"
)

// OpenOwner reports variables that decide who may do something, and that anyone
// can set in place of the deployer (access control, SWC-105).
//
// A stranger replaces the deployer by itself or by an account that it names,
// without paying for it, and the source compares the variable with the caller.
var OpenOwner = Oracle{
	Name: "open-owner", SWC: "SWC-105", Severity: finding.Error,
	Title:        "Anyone can become the owner",
	Hint:         (*Observation).replacesDeployer,
	Unexportable: noEffect,
	Watch: func(env *Env) Watcher {
		o := &seizures{env: env}
		return Watcher{
			Begin: func(tx *input.Tx, w *evm.World) { o.tx, o.before, o.found = tx, w, o.found[:0] },
			Enter: func(f *evm.Frame) { o.asked = o.asked || f.Self == input.Attacker.Address() },
			Ops:   []byte{bytecode.SSTORE}, Step: o.step,
			End: func(out *evm.Outcome, w *evm.World, report func(Report)) {
				for _, f := range o.found {
					if out.Status == evm.Success && w.Storage(f.word.Contract, f.word.Slot) == f.word.Value {
						report(f.report)
					}
				}
			},
		}
	},
}

// A seizures is the state of one transaction.
type seizures struct {
	env    *Env
	tx     *input.Tx
	before *evm.World
	found  []seizure
	asked  bool // the attacker's contract, so far: it decides what a deployment lets it decide
}

// A seizure is a report and the word that shows it, which must stay written.
type seizure struct {
	report Report
	word   finding.WrongStorage
}

// replaced returns the address that is in a word in place of the deployer's;
// false if the deployer's stays, was not there, or nothing follows it.
func replaced(before, after common.Hash) (by common.Address, ok bool) {
	deployer := input.Deployer.Address()
	at := bytes.Index(before[:], deployer[:])
	if at < 0 {
		return by, false
	}
	by = common.Address(after[at : at+len(by)])
	return by, by != deployer && by != common.Address{}
}

func (o *seizures) step(s *evm.Step) {
	if !project(o.env, s.Frame) || !o.tx.Value.IsZero() || o.asked && o.env.knownAtDeployment(input.Attacker.Address()) {
		return
	}
	slot, value := common.Hash(s.Top(0).Bytes32()), common.Hash(s.Top(1).Bytes32())
	by, ok := replaced(o.before.Storage(s.Frame.Self, slot), value)
	if !ok || by != o.tx.From.Address() && !mentions(o.tx, by) {
		return
	}
	trail := o.env.trail()
	assignment := assignmentAt(o.env.Blame(trail).Node)
	if assignment == nil || !o.guards(assignment.Child("leftHandSide").Bare(), s.Frame.Self) {
		return
	}
	word := finding.WrongStorage{Contract: s.Frame.Self, Slot: slot, Value: value}
	o.found = append(o.found, seizure{Report{
		Trail: trail, Node: assignment, Contract: s.Frame.Self, Unprivileged: true,
		Message:  fmt.Sprintf("anyone can become %s, who may do what others may not: %s", o.env.Text(assignment.Child("leftHandSide")), Blame{Text: o.env.Text(assignment)}.name()),
		Evidence: []finding.Evidence{{Name: "before", Value: o.env.Name(input.Deployer.Address())}, {Name: "after", Value: o.env.Name(by)}},
		Effect:   word,
	}, word})
}

// assignmentAt returns the assignment to a variable by its name that a node is
// or belongs to; nil if there is none.
func assignmentAt(n *ast.Node) *ast.Node {
	for ; n != nil && !IsDefinition(n); n = n.Parent {
		if n.Type != ast.Assignment {
			continue
		}
		if left := n.Child("leftHandSide").Bare(); left != nil && left.Type == ast.Identifier && left.Refers() > 0 {
			return n
		}
	}
	return nil
}

// guards reports whether the sources compare a variable, or what a function
// returns of it, with the sender.
func (o *seizures) guards(variable *ast.Node, self common.Address) bool {
	roots := []*ast.Node{root(variable)}
	if contract := o.env.Contract(self); contract != nil && root(contract) != roots[0] {
		roots = append(roots, root(contract))
	}
	getters := map[int]bool{}
	for _, r := range roots {
		for _, f := range r.Find(ast.FunctionDefinition) {
			if list := f.Find(ast.Return); len(list) == 1 && refersTo(list[0].Child("expression"), variable.Refers()) {
				getters[f.ID] = true
			}
		}
	}
	is := func(e *ast.Node) bool {
		e = e.Bare()
		if e != nil && e.Type == ast.FunctionCall && e.Callee() != nil {
			return getters[e.Callee().Refers()]
		}
		return refersTo(e, variable.Refers())
	}
	for _, r := range roots {
		for _, c := range r.Find(ast.BinaryOperation) {
			if c.Operator() != "==" && c.Operator() != "!=" {
				continue
			}
			if sides := c.Operands(); is(sides[0]) && o.sender(sides[1]) || is(sides[1]) && o.sender(sides[0]) {
				return true
			}
		}
	}
	return false
}

// sender reports whether an expression is the sender of a call.
func (o *seizures) sender(e *ast.Node) bool {
	switch o.env.Text(e) {
	case "msg.sender", "_msgSender()", "tx.origin":
		return true
	}
	return false
}

// root returns the source unit of a node.
func root(n *ast.Node) *ast.Node {
	for n.Parent != nil {
		n = n.Parent
	}
	return n
}
