package oracle

import (
	"bytes"
	"fmt"
	"slices"

	"leveret/engine/bytecode"
	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/shadow"
)

// DosFailedCall reports payments to a recipient that blocks others by reverting
// (SWC-113; HARVEY's oracle of that name).
//
// The failing transaction has another sender, which did not choose the
// recipient, not even by an argument, and it succeeds if the recipient accepts
// the payment.
var DosFailedCall = Oracle{
	Name: "dos-failed-call", SWC: "SWC-113", Severity: finding.Warning,
	Title:        "One receiver can block other users",
	Hint:         (*Observation).denies,
	Unexportable: noEffect,
	Watch: func(env *Env) Watcher {
		d := &blockades{env: env}
		return Watcher{
			Begin: func(tx *input.Tx, w *evm.World) {
				d.history.begin(tx, w)
				d.refused, d.missing = d.refused[:0], false
			},
			Flows: &shadow.Events{Returned: d.returned},
			Ops:   []byte{bytecode.EXTCODESIZE},
			Step: func(s *evm.Step) { // the contract goes on with another one, which is not there
				who := s.Top(0).Bytes20()
				d.missing = d.missing || len(d.refused) > 0 && d.before().Code(who) == nil
			},
			End: d.end,
		}
	},
}

type blockades struct {
	env *Env
	history
	refused []refusedCall
	missing bool // after a refusal, a contract is called at an address that has no code here
}

// A refusedCall is a call that the attacker contract made fail.
type refusedCall struct {
	Report
	unpaid bool // it sent no ether
}

// returned records a call that the attacker contract made fail.
func (d *blockades) returned(c *shadow.Call) {
	target, result := c.Target.Value(), c.Result.Value()
	if target.Bytes20() != input.Attacker.Address() || !result.IsZero() || !project(d.env, c.Frame) {
		return
	}
	if d.chosen(c.Target.Sources()) || d.chosen(c.Target.Index()) {
		return
	}
	value := c.Value.Value()
	d.refused = append(d.refused, refusedCall{Report{Trail: []Site{{c.Frame.Code, c.PC}}, Contract: c.Frame.Self}, value.IsZero()})
}

// chosen reports whether arguments of the current transaction flow into a set.
func (d *blockades) chosen(set shadow.Set) bool {
	now := d.env.observer.State().Txs - 1
	for s := range d.env.observer.Sets().Members(set) {
		if s.Kind == shadow.FromCalldata && s.Tx == now && s.Offset != 0 {
			return true
		}
	}
	return false
}

func (d *blockades) end(o *evm.Outcome, _ *evm.World, report func(Report)) {
	d.history.end(o)
	tx := *d.last()
	if o.Status == evm.Success || len(d.refused) == 0 || d.missing {
		return
	}
	if !d.imposed() {
		d.env.Retry()
		return
	}
	tx.Script = nil
	if ending := d.env.Rerun(d.instead(tx)); ending.Last().Status != evm.Success {
		return
	}
	what := "the transaction"
	if f := tx.Function; f != nil && !f.Raw {
		what = f.Name + "()"
	}
	refused := d.refused[len(d.refused)-1]
	how, r := "to be paid", refused.Report
	if refused.unpaid {
		how = "a call"
	}
	r.Message = fmt.Sprintf("by refusing %s, the attacker makes %s fail for everybody else: %s", how, what, d.env.Blame(r.Trail).name())
	r.Evidence = []finding.Evidence{{Name: "recipient", Value: input.Attacker.String()}}
	r.Effect = finding.DeniedService{}
	if initializer := d.initializer(); initializer != nil {
		r.Message = fmt.Sprintf("if the attacker calls %s() before the project does: %s", initializer.Name, r.Message)
		r.Severity, r.Provisional = finding.Information, true
	}
	report(r)
}

// initializer returns the function by which the attacker became the recipient if
// it costs nothing and fails for the attacker once the deployer has called it; nil
// if there is none.
func (d *blockades) initializer() *input.Function {
	for i := range d.txs[:len(d.txs)-1] {
		tx := d.txs[i]
		if tx.From != input.Attacker || tx.Function == nil || d.failed[i] || !d.needsNoWei(i) {
			continue
		}
		tx.Value.Clear()
		if d.setsOnce(i, tx) {
			return tx.Function
		}
	}
	return nil
}

// needsNoWei reports whether the last transaction fails as well if the ith one sends
// nothing and succeeds.
func (d *blockades) needsNoWei(i int) bool {
	if d.txs[i].Value.IsZero() {
		return true
	}
	txs := slices.Clone(d.txs)
	txs[i].Value.Clear()
	ending := d.env.Rerun(txs)
	return ending.Outcomes[i].Status == evm.Success && ending.Last().Status != evm.Success
}

// setsOnce reports whether tx, the ith transaction, fails once the deployer has made the same
// call. If the deployer cannot make the call, because only contracts can, such as a factory,
// the sender makes it: then the sender and the deployer have to fail with one error, and the
// deployer before with another one.
func (d *blockades) setsOnce(i int, tx input.Tx) bool {
	before := slices.Clone(d.txs[:i])
	first := tx
	first.From = input.Deployer
	rerun := func(txs ...input.Tx) *Ending {
		ending := d.env.Rerun(slices.Concat(before, txs))
		return &ending
	}
	ending := rerun(first, tx)
	refused := &ending.Outcomes[i]
	if refused.Status == evm.Success {
		return ending.Last().Status != evm.Success
	}
	again, after := rerun(tx, tx).Last(), rerun(tx, first).Last()
	return again.Status != evm.Success && after.Status != evm.Success && len(after.Return) > 0 &&
		bytes.Equal(again.Return, after.Return) && !bytes.Equal(refused.Return, after.Return)
}

// imposed reports whether the attacker made itself a recipient.
func (d *blockades) imposed() bool {
	who := input.Attacker.Address()
	if d.env.knownAtDeployment(who) {
		return false
	}
	own := false
	for i := range d.txs {
		switch tx := &d.txs[i]; {
		case d.failed[i] && i < len(d.txs)-1:
		case tx.From == input.Attacker:
			own = own || i < len(d.txs)-1
		case mentions(tx, who):
			return false
		}
	}
	return own && d.last().From != input.Attacker
}
