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
	i := len(txs) - 1
	last := txs[i]
	if last.Function == nil || last.Function.Raw {
		return false
	}
	same := slices.Clone(txs)
	same[i].From = input.Deployer
	before, own, second := run.rerun(txs[:i]), run.rerun(txs), run.rerun(append(same, last))
	if second.Outcomes[i].Status != evm.Success || second.Last().Status == evm.Success {
		return false
	}
	return before.World.Balance(last.To) == own.World.Balance(last.To) && onlySets(before.World, own.World, &last)
}

// onlySets reports whether a transaction sets words of a contract's storage that were zero
// and leaves all others as they were, but for the deployer in them.
func onlySets(before, after *evm.World, tx *input.Tx) bool {
	fresh := false
	for slot, word := range after.Slots(tx.To) {
		set, only := setsWord(before.Storage(tx.To, slot), word, tx)
		if !only {
			return false
		}
		fresh = fresh || set
	}
	return fresh
}

// setsWord reports whether a transaction that changes a word sets what was zero, and whether it
// does nothing else. A constructor may have stored the deployer where an initializer stores
// its sender or an account that it is given; flags may share that word.
func setsWord(was, is common.Hash, tx *input.Tx) (set, only bool) {
	deployer := input.Deployer.Address()
	at := bytes.Index(was[:], deployer[:])
	if at < 0 {
		return was != is, was == is || was == common.Hash{}
	}
	by := common.Address(is[at : at+len(deployer)])
	if by != deployer && by != tx.From.Address() && !bytes.Contains(tx.Calldata(), by[:]) {
		return false, false
	}
	copy(was[at:], by[:])
	for i := range was {
		if was[i] != 0 && was[i] != is[i] {
			return false, false
		}
	}
	return was != is, true
}
