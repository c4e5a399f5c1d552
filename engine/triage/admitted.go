package triage

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/input"
	"leveret/engine/program"
)

// admit reports whether a claim needs an owner to name an actor, who then calls functions
// that contracts of the project call: an owner's decision is no attack.
func (o *owners) admit(c *claim) bool {
	for i := range c.txs {
		for _, who := range input.Actors {
			if o.admits(c, i, who) {
				return true
			}
		}
	}
	return false
}

// admits reports whether the ith transaction of a claim names such an actor, only an owner
// can send it, and the claim does not show if it names another actor.
func (o *owners) admits(c *claim, i int, who input.Actor) bool {
	args, named := renamed(c.txs[i].Args, who.Address(), userBeside(who).Address())
	if !named || !slices.ContainsFunc(c.txs[i+1:], func(tx input.Tx) bool { return tx.From == who && o.calledByContracts(&tx) }) ||
		!o.refuseOthers(c.txs[:i+1]) {
		return false
	}
	txs := slices.Clone(c.txs)
	txs[i].Args = args
	return !c.shows(txs)
}

// calledByContracts reports whether contracts of the project call the function that a
// transaction calls.
func (o *owners) calledByContracts(tx *input.Tx) bool {
	contract := o.subject.Program.ContractAt(o.subject.Deployment.World, tx.To)
	return contract != nil && tx.Function != nil && program.CalledByOthers(contract, tx.Function)
}

// renamed returns values with another address in the place of one; false if they do not
// have it.
func renamed(values []input.Value, who, other common.Address) (list []input.Value, found bool) {
	list = slices.Clone(values)
	for i := range list {
		v := &list[i]
		if v.Type.Kind == input.KindAddress && v.Address() == who {
			*v, found = input.NewAddress(other), true
			continue
		}
		if elements, ok := renamed(v.Elems, who, other); ok {
			v.Elems, found = elements, true
		}
	}
	return list, found
}
