package triage

import (
	"bytes"
	"slices"

	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/engine/oracle"
	"leveret/engine/search"
)

// chosen are the contracts that the deployment or an owner chose, whose part the
// attacker's contract plays.
type chosen struct {
	subject *search.Subject
	run     *runner
	owners  *owners
}

// harms reports whether a claim takes a contract that the deployment or an owner
// chose, and that attacks those who chose it: the attacker plays no other part, is
// not only paid, and if it does what such a contract should do, the claim does not
// show. An assertion claims something for all answers.
func (n *chosen) harms(c *claim) bool {
	if c.isOf(&oracle.Assertion) || !slices.ContainsFunc(c.txs, misbehaves) && !n.asksForData(c.txs) || !onlyAsked(n.run, c.txs) {
		return false
	}
	txs, sent := sentByUsers(c.txs)
	if sent && !c.shows(txs) || !n.appointed(txs, func(int) bool { return false }) {
		return false
	}
	for _, answer := range plainAnswers {
		if c.shows(answeredPlainly(n.subject, n.run, txs, answer)) {
			return false
		}
	}
	return true
}

// sends reports whether a claim needs a transaction of a contract that the deployment chose, whose
// part the attacker plays: it fails if a user sends it, though it calls no sender's contract, which a
// user does not have. An assertion claims something for all calls.
func (n *chosen) sends(c *claim) bool {
	if c.isOf(&oracle.Assertion) || !n.owners.privileged.Has(input.Attacker) {
		return false
	}
	txs, sent := sentByUsers(c.txs)
	if !sent || c.shows(txs) {
		return false
	}
	for i := range txs {
		if c.txs[i].From == input.Attacker && n.succeeds(c.txs[:i+1]) && !n.succeeds(txs[:i+1]) && !n.called(c.txs[:i+1]) {
			return true
		}
	}
	return false
}

// permits reports whether a claim needs a permission that a contract gives which the deployment
// or an owner chose, and whose part the attacker plays.
func (n *chosen) permits(c *claim) bool {
	if c.isOf(&oracle.Assertion) {
		return false
	}
	txs, asks := refused(n.subject, n.run, c.txs)
	return asks && !c.shows(txs) && n.appointed(c.txs, func(upTo int) bool { return !n.succeeds(txs[:upTo]) })
}

// succeeds reports whether the last one of some transactions does.
func (n *chosen) succeeds(txs []input.Tx) bool {
	ending := n.run.rerun(txs)
	return ending.Last().Status == evm.Success
}

// called reports whether the last one of some transactions calls the attacker's contract.
func (n *chosen) called(txs []input.Tx) (called bool) {
	at, _ := n.run.prefix(txs)
	n.run.transact(at, &txs[len(txs)-1], &evm.Hooks{Ops: []byte{}, Enter: func(f *evm.Frame) {
		called = called || f.To == input.Attacker.Address() && f.Parent != nil
	}})
	return called
}

// onlyForOwners reports whether owners alone bring about a claim by a contract that is
// not only paid.
func (n *chosen) onlyForOwners(c *claim) bool {
	return onlyAsked(n.run, c.txs) && n.owners.sendAll(c.txs)
}

// sentByUsers returns transactions with a user as the sender of those that the
// attacker sends; false if it sends none.
func sentByUsers(txs []input.Tx) ([]input.Tx, bool) {
	others, sent := slices.Clone(txs), false
	for i := range others {
		if others[i].From == input.Attacker {
			others[i].From, sent = input.User1, true
		}
	}
	return others, sent
}

// appointed reports whether the deployment or some transactions name the attacker, and only owners
// and initializers can name it there. What permitted returns true for, a number of first
// transactions, does not count: the attacker permitted the last one.
func (n *chosen) appointed(txs []input.Tx, permitted func(upTo int) bool) bool {
	who, appointed := input.Attacker.Address(), n.owners.privileged.Has(input.Attacker)
	for i := range txs {
		if !bytes.Contains(txs[i].Calldata(), who[:]) || permitted(i+1) {
			continue
		}
		if appointed = true; !n.owners.refuseOthers(txs[:i+1]) && !initializes(n.run, txs[:i+1]) {
			return false
		}
	}
	return appointed
}

// onlyAsked reports whether some transactions call the attacker's contract, and the last one that
// does only calls functions: a recipient of wei is nobody's contract.
func onlyAsked(run *runner, txs []input.Tx) (only bool) {
	at := run.start
	for i := range txs {
		asked, functions := false, true
		at, _ = run.advance(at, &txs[i], &evm.Hooks{Ops: []byte{}, Enter: func(f *evm.Frame) {
			if who := input.Attacker.Address(); f.To == who && f.From != who {
				asked, functions = true, functions && len(f.Input) >= 4
			}
		}})
		if asked {
			only = functions
		}
	}
	return only
}

// asksForData reports whether the last one of some transactions asks the attacker's
// contract, if the deployment chose it, for what is not encoded as words in place: numbers
// are no answer.
func (n *chosen) asksForData(txs []input.Tx) bool {
	if !n.owners.privileged.Has(input.Attacker) {
		return false
	}
	at, ok := n.run.prefix(txs)
	_, asked := asked(n.subject, n.run, at, &txs[len(txs)-1])
	return ok && slices.ContainsFunc(asked, question.returnsData)
}
