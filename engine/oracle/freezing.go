package oracle

import (
	"fmt"

	"leveret/engine/bytecode"
	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/solc/ast"
)

// FreezingEther reports contracts that accept ether and have no code to send
// any (SWC-132; sFuzz, ICSE 2020, section 3.4).
var FreezingEther = Oracle{
	Name: "freezing-ether", SWC: "SWC-132", Severity: finding.Warning,
	Title:        "Ether sent to this contract is locked",
	Hint:         succeeded((*Observation).locks),
	Unexportable: "the contract makes calls, and a test cannot check that none of them sends ether",
	Watch: func(env *Env) Watcher {
		var tx *input.Tx
		var trail []Site
		asked := false // the contract read msg.value
		return Watcher{
			Begin: func(t *input.Tx, _ *evm.World) { tx, trail, asked = t, nil, false },
			Ops:   []byte{bytecode.CALLVALUE},
			Step:  func(*evm.Step) { asked = true },
			Exit: func(f *evm.Frame, _ evm.Status, _ []byte, _ error) {
				if f.Depth == 1 && !tx.Value.IsZero() && project(env, f) && env.Locks(f.Code) {
					trail = env.trail()
				}
			},
			End: func(o *evm.Outcome, w *evm.World, report func(Report)) {
				held := w.Balance(tx.To)
				if trail == nil || o.Status != evm.Success || held.Lt(&tx.Value) {
					return
				}
				var sign finding.Effect
				if makesNoCalls(w.Code(tx.To)) {
					sign = finding.LockedEther{Contract: tx.To}
				}
				r := Report{
					Effect: sign, Trail: trail, Node: env.Contract(tx.To), Contract: tx.To,
					Message:  fmt.Sprintf("wei that is sent to %s stays there for ever: nothing in its code can pay any out", env.Name(tx.To)),
					Related:  []Related{{Trail: trail, Message: "wei comes in here"}},
					Evidence: []finding.Evidence{{Name: "frozen", Value: spaced(input.FormatWei(&held))}},
				}
				if by := env.Blame(trail).Node; !asked && incidental(by, r.Node, tx) {
					r.Severity, r.Provisional = finding.Information, true
				}
				report(r)
			},
		}
	},
}

// incidental reports whether a function is probably payable only to save gas:
// it is inherited and has another purpose.
func incidental(by, contract *ast.Node, tx *input.Tx) bool {
	if by == nil || contract == nil || tx.Function == nil || tx.Function.Raw {
		return false
	}
	home := by.Contract()
	return home != nil && home.ID != contract.ID
}

// makesNoCalls reports whether code has no instruction that calls, creates or destroys,
// which a test can check on any code.
func makesNoCalls(code *evm.Code) bool {
	b := code.Analysis()
	for _, in := range b.Instructions[:b.Count] {
		switch in.Op {
		case bytecode.CREATE, bytecode.CREATE2, bytecode.CALL, bytecode.CALLCODE, bytecode.DELEGATECALL, bytecode.SELFDESTRUCT:
			return false
		}
	}
	return true
}
