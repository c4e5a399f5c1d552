package triage

import (
	"slices"

	"leveret/engine/input"
	"leveret/engine/program"
)

// admit reports whether a claim needs an owner to name an actor, who then calls functions
// that contracts of the project call: an owner's decision is no attack.
func (o *owners) admit(c *claim) bool {
	for _, who := range input.Actors {
		if o.admits(c, who) {
			return true
		}
	}
	return false
}

// admits reports whether transactions of a claim that only owners can send name such an
// actor, and the claim does not show if they name another one.
func (o *owners) admits(c *claim, who input.Actor) bool {
	calls := len(c.txs) - 1 // the last such call
	for calls >= 0 && (c.txs[calls].From != who || !o.calledByContracts(&c.txs[calls])) {
		calls--
	}
	txs, named := slices.Clone(c.txs), false
	for i := range max(calls, 0) {
		args, ok := input.Renamed(txs[i].Args, who.Address(), userBeside(who).Address())
		if ok && o.refuseOthers(c.txs[:i+1]) {
			txs[i].Args, named = args, true
		}
	}
	return named && !c.shows(txs)
}

// calledByContracts reports whether contracts of the project call the function that a
// transaction calls.
func (o *owners) calledByContracts(tx *input.Tx) bool {
	contract := o.subject.Program.ContractAt(o.subject.Deployment.World, tx.To)
	return contract != nil && tx.Function != nil && program.CalledByOthers(contract, tx.Function)
}
