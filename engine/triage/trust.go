package triage

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/oracle"
	"leveret/engine/program"
	"leveret/engine/search"
)

// excuse makes a verdict a note if nobody can bring it about but whom the project
// trusts, or who comes before the project does.
func (c *Checker) excuse(s input.Sequence, v *Verdict) {
	if c.supposing || v.instead != nil || c.severities.of(&v.report) <= finding.Information {
		return
	}
	txs, r, first := s.Txs[:v.tx+1], &v.report, ""
	if r.Unprivileged {
		first = c.preempted(s, v)
	}
	switch {
	case c.appoints(s, v):
		r.Message = "if an owner names a wrong contract: " + r.Message
	case first != "":
		r.Message = fmt.Sprintf("if somebody calls %s() before the project does: %s", first, r.Message)
	case r.Oracle.Name != oracle.Assertion.Name && (c.entrusted(s, v) || c.needsMock(s, v)), // an assertion claims something for all answers and calls
		c.onlyAsked(txs) && c.allByOwners(txs):
		r.Message = "if a contract that the deployment or an owner chose does harm: " + r.Message
	case (r.Oracle.Name == oracle.Panic.Name || r.Oracle.Name == oracle.Overflow.Name) && c.allByOwners(txs):
	case c.reliesOnMock(txs, v):
		r.Message = "if a contract for which a mock stands does nothing: " + r.Message
	case c.overpays(txs, v):
		r.Message = "if a contract for which a mock stands takes more wei than there is: " + r.Message
		c.retry = true // with less
	case c.needsUnknown(s, v):
		r.Message = "if an account calls whose key nobody here has: " + r.Message
	default:
		return
	}
	v.report.Severity, v.report.Provisional = finding.Information, true
}

// ownersAfter returns who may have privileges after some transactions: whom the
// deployment names, and whom these name.
func (c *Checker) ownersAfter(txs []input.Tx) search.Actors {
	owners := slices.Clone(c.privileged)
	for i := range txs {
		for k := range txs[i].Args {
			if owners.Has(txs[i].From) {
				owners.AddNamed(&txs[i].Args[k])
			}
		}
	}
	return owners
}

// ownersOnly reports whether a privileged actor, or one that a privileged one
// named before, sends the last one of some transactions, which fails or does
// nothing if others send it.
func (c *Checker) ownersOnly(txs []input.Tx) bool {
	last := txs[len(txs)-1]
	owners := c.ownersAfter(txs[:len(txs)-1])
	if !owners.Has(last.From) {
		return false
	}
	user, ok := senderOutside(owners, last.Function)
	if !ok {
		return true
	}
	last.From = user
	return c.doesNothing(append(slices.Clone(txs[:len(txs)-1]), last))
}

// doesNothing reports whether the last one of some transactions fails, or changes
// nothing but its sender's account.
func (c *Checker) doesNothing(txs []input.Tx) bool {
	sent := c.run.rerun(txs)
	if sent.Last().Status != evm.Success {
		return true
	}
	before, sender := c.run.rerun(txs[:len(txs)-1]), txs[len(txs)-1].From.Address()
	return !slices.ContainsFunc(sent.World.Diff(before.World), func(d evm.AccountDiff) bool {
		return d.Address != sender || d.CodeChanged || len(d.Storage) > 0
	})
}

// allByOwners reports whether privileged actors send all of some transactions, which
// others cannot send.
func (c *Checker) allByOwners(txs []input.Tx) bool {
	for i := range txs {
		if !c.ownersOnly(txs[:i+1]) {
			return false
		}
	}
	return true
}

// appoints reports whether an owner makes an actor the contract that another one
// calls, which others cannot do: an owner's decision is no attack. The attacker is called
// as that contract; a user counts if the verdict needs it as the sender.
func (c *Checker) appoints(s input.Sequence, v *Verdict) bool {
	txs := s.Txs[:v.tx+1]
	for i := range txs {
		for _, who := range [...]input.Actor{input.Attacker, input.User1, input.User2} {
			other := input.User1
			if who == other {
				other = input.User2
			}
			if c.sets(&txs[i], who.Address()) && c.refusesOthers(txs[:i+1]) &&
				(who == input.Attacker || c.needsSenders(s, v, other, func(a input.Actor) bool { return a == who })) {
				return true
			}
		}
	}
	return false
}

// sets reports whether a transaction calls a setter of contracts with an address.
func (c *Checker) sets(tx *input.Tx, who common.Address) bool {
	named := func(v input.Value) bool { return v.Type.Kind == input.KindAddress && v.Address() == who }
	contract := c.subject.Program.ContractAt(c.subject.Deployment.World, tx.To)
	if contract == nil || tx.Function == nil || !slices.ContainsFunc(tx.Args, named) {
		return false
	}
	for _, f := range c.subject.Program.Setters(contract) {
		for i := range f.Inputs {
			if f.Signature == tx.Function.Signature && program.IsContractType(f.Inputs[i].InternalType) && named(tx.Args[i]) {
				return true
			}
		}
	}
	return false
}

// refusesOthers reports whether an owner sends the last one of some transactions,
// and it fails in another way if somebody else does.
func (c *Checker) refusesOthers(txs []input.Tx) bool {
	last := txs[len(txs)-1]
	owners := c.ownersAfter(txs[:len(txs)-1])
	if !owners.Has(last.From) {
		return false
	}
	user, ok := senderOutside(owners, last.Function)
	if !ok {
		return true
	}
	last.From = user
	as, other := c.run.rerun(txs), c.run.rerun(append(slices.Clone(txs[:len(txs)-1]), last))
	return other.Last().Status != evm.Success && (as.Last().Status == evm.Success || !bytes.Equal(as.Last().Return, other.Last().Return) || as.Last().Status != other.Last().Status)
}

// senderOutside returns a sender of f that is not in a set, or any; false if all
// are in it.
func senderOutside(set search.Actors, f *input.Function) (input.Actor, bool) {
	may := f.MaySend()
	i := slices.IndexFunc(may, func(a input.Actor) bool { return !set.Has(a) })
	return may[max(i, 0)], i >= 0
}

// preempted returns the name of the function that a verdict's sequence calls to
// initialize a contract before the project does; "" if there is none. Without the
// last transaction nothing happens; an earlier one counts if the verdict does not
// show once the deployer makes the same call for itself.
func (c *Checker) preempted(s input.Sequence, v *Verdict) string {
	if c.preempts(s, v) {
		return s.Txs[v.tx].Function.Name
	}
	for i := range s.Txs[:v.tx] {
		if !c.privileged.Has(s.Txs[i].From) && c.initializes(s.Txs[:i+1]) && !c.showsWith(s, initializedByDeployer(s.Txs[:v.tx+1], i), v) {
			return s.Txs[i].Function.Name
		}
	}
	return ""
}

// initializedByDeployer returns transactions of which the deployer sends one, and
// names itself where the attacker was named.
func initializedByDeployer(txs []input.Tx, i int) []input.Tx {
	txs = slices.Clone(txs)
	first := &txs[i]
	first.From, first.Args = input.Deployer, slices.Clone(first.Args)
	for k := range first.Args {
		if a := &first.Args[k]; a.Type.Kind == input.KindAddress && a.Address() == input.Attacker.Address() {
			*a = input.NewAddress(input.Deployer.Address())
		}
	}
	return txs
}

// preempts reports whether the last transaction of a verdict initializes a contract
// before the project does. What is set to zero is not set, and wei is not needed:
// so the verdict has to show without wei, and with an account for each zero address.
func (c *Checker) preempts(s input.Sequence, v *Verdict) bool {
	txs := slices.Clone(s.Txs[:v.tx+1])
	last := &txs[v.tx]
	changed := !last.Value.IsZero()
	last.Value, last.Args = uint256.Int{}, slices.Clone(last.Args)
	for i := range last.Args {
		if a := &last.Args[i]; a.Type.Kind == input.KindAddress && a.Word.IsZero() {
			*a, changed = input.NewAddress(input.Attacker.Address()), true
		}
	}
	return !c.privileged.Has(last.From) && c.initializes(txs) && (!changed || c.showsWith(s, txs, v))
}

// initializes reports whether the last one of some transactions initializes a
// contract: it sets what was not set, and fails once the deployer has made the same
// call. A project makes it in the transaction that creates the contract, or next.
func (c *Checker) initializes(txs []input.Tx) bool {
	last := txs[len(txs)-1]
	if last.Function == nil || last.Function.Raw {
		return false
	}
	first := last
	first.From = input.Deployer
	before, own, second := c.run.rerun(txs[:len(txs)-1]), c.run.rerun(txs), c.run.rerun(append(slices.Clone(txs[:len(txs)-1]), first, last))
	if second.Outcomes[len(txs)-1].Status != evm.Success || second.Last().Status == evm.Success {
		return false
	}
	if before.World.Balance(last.To) != own.World.Balance(last.To) {
		return false
	}
	if onlySets(before.World, own.World, last.To) {
		return true
	}
	by := c.run.rerun(append(slices.Clone(txs[:len(txs)-1]), first))
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

// entrusted reports whether a verdict takes a contract that the deployment or an
// owner chose, and that attacks those who chose it: the attacker plays no other
// part, is not only paid, and if it does what such a contract should do, the
// verdict does not show.
func (c *Checker) entrusted(s input.Sequence, v *Verdict) bool {
	txs := s.Txs[:v.tx+1]
	if !slices.ContainsFunc(txs, misbehaves) && !c.asksForData(txs) || !c.onlyAsked(txs) {
		return false
	}
	txs, sent := sentByUsers(txs)
	if sent && !c.showsWith(s, txs, v) || !c.appointed(txs) {
		return false
	}
	for _, answer := range plainAnswers {
		if c.showsWith(s, c.answeredPlainly(txs, answer), v) {
			return false
		}
	}
	return true
}

// showsWith reports whether a verdict of s shows with other transactions, too. That
// is asked about the verdict: it is no reason to check the suspect again, and needs no
// excuse.
func (c *Checker) showsWith(s input.Sequence, txs []input.Tx, v *Verdict) bool {
	defer func(retry, supposing bool) { c.retry, c.supposing = retry, supposing }(c.retry, c.supposing)
	s.Txs, c.supposing = txs, true
	_, ok := c.shows(s, v.key, v.Place.Span)
	return ok
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

// appointed reports whether the attacker has no part in some transactions but that
// which the deployment, an initializer, or an owner whom others cannot replace, gave it.
func (c *Checker) appointed(txs []input.Tx) bool {
	who, appointed := input.Attacker.Address(), c.privileged.Has(input.Attacker)
	for i := range txs {
		if bytes.Contains(txs[i].Calldata(), who[:]) {
			if appointed = true; !c.refusesOthers(txs[:i+1]) && !c.initializes(txs[:i+1]) {
				return false
			}
		}
	}
	return appointed
}

// onlyAsked reports whether all calls of the attacker's contract in the last one of
// some transactions are of functions: a recipient of wei is nobody's contract.
func (c *Checker) onlyAsked(txs []input.Tx) bool {
	at, ok := c.run.prefix(txs)
	asked := false
	c.run.transact(at, &txs[len(txs)-1], &evm.Hooks{Ops: []byte{}, Enter: func(f *evm.Frame) {
		if who := input.Attacker.Address(); f.To == who && f.From != who {
			asked, ok = true, ok && len(f.Input) >= 4
		}
	}})
	return asked && ok
}
