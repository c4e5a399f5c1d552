package triage

import (
	"bytes"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/engine/oracle"
)

// preempted returns the name of the function that transactions of a claim call to
// initialize a contract before the project does; "" if there is none, or if the claim
// does not depend on privileges. Without the last transaction nothing happens; an earlier
// one, which may initialize the contract where it stands or as the first one, counts if
// the claim does not show once the deployer makes the same call for itself.
func (o *owners) preempted(c *claim) string {
	if !c.report.Unprivileged && !c.report.ByAnyone {
		return ""
	}
	last := len(c.txs) - 1
	if o.preempts(c) {
		return c.txs[last].Function.Name
	}
	for i := range c.txs[:last] {
		if o.privileged.Has(c.txs[i].From) {
			continue
		}
		if initial(o.run, c.txs, i) && !c.shows(o.initializedByDeployer(c.txs, i)) {
			return c.txs[i].Function.Name
		}
	}
	return ""
}

// initializedByDeployer returns transactions of which the deployer sends one, and
// names itself where an actor without privileges was named.
func (o *owners) initializedByDeployer(txs []input.Tx, i int) []input.Tx {
	txs = slices.Clone(txs)
	first := &txs[i]
	first.From, first.Args = input.Deployer, slices.Clone(first.Args)
	for k := range first.Args {
		a := &first.Args[k]
		if a.Type.Kind != input.KindAddress {
			continue
		}
		if who, known := input.ActorOf(a.Address()); known && !o.privileged.Has(who) {
			*a = input.NewAddress(input.Deployer.Address())
		}
	}
	return txs
}

// preempts reports whether the last transaction of a claim initializes a contract
// before the project does. What is set to zero is not set, and wei is not needed:
// so the claim has to show without wei, and with an account for each zero address.
func (o *owners) preempts(c *claim) bool {
	txs := slices.Clone(c.txs)
	last := &txs[len(txs)-1]
	changed := !last.Value.IsZero()
	last.Value, last.Args = uint256.Int{}, slices.Clone(last.Args)
	for i := range last.Args {
		if a := &last.Args[i]; a.Type.Kind == input.KindAddress && a.Word.IsZero() {
			*a, changed = input.NewAddress(input.Attacker.Address()), true
		}
	}
	return !o.privileged.Has(last.From) && initializes(o.run, txs) && (!changed || c.shows(txs))
}

// initializeWrongly reports whether the last transaction of a claim initializes a contract with
// a number that wraps. Any account may send it: a project checks the number first.
func (o *owners) initializeWrongly(c *claim) bool {
	return c.isOf(&oracle.Overflow) && initial(o.run, c.txs, len(c.txs)-1)
}

// initial reports whether a transaction initializes a contract where it stands or as the
// first one.
func initial(run *runner, txs []input.Tx, i int) bool {
	return initializes(run, txs[:i+1]) || i > 0 && initializes(run, txs[i:i+1])
}

// initializes reports whether the last one of some transactions initializes a
// contract: it sets what was not set, and fails once the deployer has made the same
// call. A project makes it in the transaction that creates the contract, or next.
func initializes(run *runner, txs []input.Tx) bool {
	last := txs[len(txs)-1]
	if last.Function == nil || last.Function.Raw {
		return false
	}
	first := last
	first.From = input.Deployer
	before, own, second := run.rerun(txs[:len(txs)-1]), run.rerun(txs), run.rerun(append(slices.Clone(txs[:len(txs)-1]), first, last))
	if second.Outcomes[len(txs)-1].Status != evm.Success || second.Last().Status == evm.Success {
		return false
	}
	if before.World.Balance(last.To) != own.World.Balance(last.To) {
		return false
	}
	if onlySets(before.World, own.World, last.To) {
		return true
	}
	by := run.rerun(append(slices.Clone(txs[:len(txs)-1]), first))
	return onlySets(before.World, by.World, last.To) && sameBut(by.World, own.World, last.To, first.From.Address(), last.From.Address())
}

// sameBut reports whether the storage of a contract is the same in two worlds once an
// account's address is replaced by another's. So an initializer that stores its caller is
// recognized where the constructor has stored the deployer before.
func sameBut(a, b *evm.World, contract, who, other common.Address) bool {
	slots := map[common.Hash]bool{}
	for slot := range a.Slots(contract) {
		slots[slot] = true
	}
	for slot := range b.Slots(contract) {
		slots[slot] = true
	}
	for slot := range slots {
		x, y := a.Storage(contract, slot), b.Storage(contract, slot)
		if x != y && !bytes.Equal(bytes.ReplaceAll(x[:], who[:], other[:]), y[:]) {
			return false
		}
	}
	return true
}

// onlySets reports whether words of a contract's storage that were zero are not any
// more, and all others are what they were.
func onlySets(before, after *evm.World, contract common.Address) bool {
	fresh := false
	for slot, word := range after.Slots(contract) {
		was := before.Storage(contract, slot)
		if was != word && was != (common.Hash{}) {
			return false
		}
		fresh = fresh || was != word
	}
	return fresh
}
