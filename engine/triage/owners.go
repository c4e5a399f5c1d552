package triage

import (
	"bytes"
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/engine/oracle"
	"leveret/engine/program"
	"leveret/engine/search"
)

// owners are the actors that the project trusts. What only they can do is no attack.
type owners struct {
	subject    *search.Subject
	run        *runner
	privileged search.Actors // by the deployment
}

// after returns the actors that may have privileges after some transactions. The
// deployment names them, or an actor with privileges does.
func (o *owners) after(txs []input.Tx) search.Actors {
	owners := slices.Clone(o.privileged)
	for i := range txs {
		for k := range txs[i].Args {
			if owners.Has(txs[i].From) {
				owners.AddNamed(&txs[i].Args[k])
			}
		}
	}
	return owners
}

// only reports whether a privileged actor, or one that a privileged one
// named before, sends the last one of some transactions, which fails or does
// nothing if others send it.
func (o *owners) only(txs []input.Tx) bool {
	others, sent := o.byOther(txs)
	if others == nil {
		return sent
	}
	return doesNothing(o.run, others)
}

// byOther returns some transactions with another sender of the last one, who has no
// privileges; nil if there is none. sent is whether an actor with privileges sends it.
func (o *owners) byOther(txs []input.Tx) (others []input.Tx, sent bool) {
	last := txs[len(txs)-1]
	owners := o.after(txs[:len(txs)-1])
	if !owners.Has(last.From) {
		return nil, false
	}
	user, ok := senderOutside(owners, last.Function)
	if !ok {
		return nil, true
	}
	last.From = user
	return append(slices.Clone(txs[:len(txs)-1]), last), true
}

// doesNothing reports whether the last one of some transactions fails, or changes
// nothing but its sender's account.
func doesNothing(run *runner, txs []input.Tx) bool {
	sent := run.rerun(txs)
	if sent.Last().Status != evm.Success {
		return true
	}
	before, sender := run.rerun(txs[:len(txs)-1]), txs[len(txs)-1].From.Address()
	return !slices.ContainsFunc(sent.World.Diff(before.World), func(d evm.AccountDiff) bool {
		return d.Address != sender || d.CodeChanged || len(d.Storage) > 0
	})
}

// sendAll reports whether privileged actors send all of some transactions, which
// others cannot send.
func (o *owners) sendAll(txs []input.Tx) bool {
	for i := range txs {
		if !o.only(txs[:i+1]) {
			return false
		}
	}
	return true
}

// failAlone reports whether a claim is about a failure that owners alone bring about.
func (o *owners) failAlone(c *claim) bool {
	return c.isOf(&oracle.Panic, &oracle.Overflow) && o.sendAll(c.txs)
}

// appoint reports whether an owner makes an actor the contract that another one
// calls, which others cannot do: an owner's decision is no attack. The attacker is called
// as that contract; a user counts if the claim needs it as the sender.
func (o *owners) appoint(c *claim) bool {
	for i := range c.txs {
		for _, who := range [...]input.Actor{input.Attacker, input.User1, input.User2} {
			if sets(o.subject, &c.txs[i], who.Address()) && o.refuseOthers(c.txs[:i+1]) &&
				(who == input.Attacker || c.needs(func(a input.Actor) bool { return a == who }, userBeside(who))) {
				return true
			}
		}
	}
	return false
}

// userBeside returns a user who is not an actor.
func userBeside(who input.Actor) input.Actor {
	if who == input.User1 {
		return input.User2
	}
	return input.User1
}

// sets reports whether a transaction calls a setter of contracts with an address.
func sets(s *search.Subject, tx *input.Tx, who common.Address) bool {
	named := func(v input.Value) bool { return v.Type.Kind == input.KindAddress && v.Address() == who }
	contract := s.Program.ContractAt(s.Deployment.World, tx.To)
	if contract == nil || tx.Function == nil || !slices.ContainsFunc(tx.Args, named) {
		return false
	}
	for _, f := range s.Program.Setters(contract) {
		for i := range f.Inputs {
			if f.Signature == tx.Function.Signature && program.IsContractType(f.Inputs[i].InternalType) && named(tx.Args[i]) {
				return true
			}
		}
	}
	return false
}

// refuseOthers reports whether an owner sends the last one of some transactions,
// and it fails in another way if somebody else does.
func (o *owners) refuseOthers(txs []input.Tx) bool {
	others, sent := o.byOther(txs)
	if others == nil {
		return sent
	}
	as, other := o.run.rerun(txs), o.run.rerun(others)
	return other.Last().Status != evm.Success && (as.Last().Status == evm.Success || !bytes.Equal(as.Last().Return, other.Last().Return) || as.Last().Status != other.Last().Status)
}

// senderOutside returns a sender of f that is not in a set, or any; false if all
// are in it.
func senderOutside(set search.Actors, f *input.Function) (input.Actor, bool) {
	may := f.MaySend()
	i := slices.IndexFunc(may, func(a input.Actor) bool { return !set.Has(a) })
	return may[max(i, 0)], i >= 0
}
