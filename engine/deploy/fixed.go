package deploy

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/evm"
	"leveret/engine/exec"
	"leveret/engine/input"
	"leveret/engine/shadow"
)

// Many contracts let only an account call a function whose address is a constant,
// or that a constructor stored without being told: an owner, an oracle, an entry
// point. None of the actors is that account. So campaigns send from it, too, where
// a function compares its sender with it and it has no code.

// minFixedBits is the size of the smallest word that is taken for such an address.
const minFixedBits = 64

// findFixed searches the functions that transactions call for accounts that they
// compare with their sender. Suites have senders of their own.
func (d *deployer) findFixed() {
	if suiteOf(d.program.ABI(d.program.UnderTest)) != noSuite {
		return
	}
	observer := shadow.New(shadow.NewState())
	for _, callee := range d.made.Callees(d.program) {
		if callee.Remote || d.chain.work > d.chain.limit {
			continue
		}
		tx := input.Tx{From: input.User1, To: callee.Address, Function: callee.Function, Args: callee.Function.Zero()}
		observer.Attach(shadow.NewState())
		d.chain.try(evm.TxCall(&tx, tx.Calldata()), observer.Hooks())
		d.chain.work += exec.Cost(d.chain.machine, exec.TaintedStep)
		for _, branch := range observer.Branches {
			for leaf := range branch.Condition.Leaves {
				who, ok := d.requiredSender(leaf)
				if fixed := (fixedSender{callee.Address, callee.Function.Signature, who}); ok && !slices.Contains(d.made.fixed, fixed) {
					d.made.fixed = append(d.made.fixed, fixed)
				}
			}
		}
	}
}

// requiredSender returns the account that a comparison requires the sender to be.
func (d *deployer) requiredSender(c *shadow.Condition) (who input.Actor, ok bool) {
	if c.Form != shadow.Compare || c.Relation != shadow.Equal && c.Relation != shadow.Differ {
		return who, false
	}
	at, other := c.R, c.Right
	if !isSender(c.Left) {
		at, other = c.L, c.Left
		if !isSender(c.Right) {
			return who, false
		}
	}
	address := common.Address(at.Bytes20())
	_, actor := input.ActorOf(address)
	if actor || !isFixed(other) || at.BitLen() < minFixedBits || d.at(address) != nil {
		return who, false
	}
	code := d.made.World.Code(address)
	return input.Actor(address), code == nil || len(code.Bytes) == 0
}

// isSender reports whether a word is the address of the transaction's sender.
func isSender(w shadow.Word) bool {
	value := w.Value()
	user := input.User1.Address()
	return value == *new(uint256.Int).SetBytes20(user[:]) && slices.ContainsFunc(w.Flows(), func(f shadow.Flow) bool {
		return f.Source.Kind == shadow.FromCaller || f.Source.Kind == shadow.FromOrigin
	})
}

// isFixed reports whether a word is a constant or a word of storage.
func isFixed(w shadow.Word) bool {
	return w.Fixed() || slices.ContainsFunc(w.Flows(), func(f shadow.Flow) bool { return f.Source.Kind == shadow.FromStorage })
}

// A fixedSender is an account that may call a function, as its contract fixes.
type fixedSender struct {
	at        common.Address
	signature string
	who       input.Actor
}

// withFixed returns a function of a contract with the senders that this fixes in
// front of the actors.
func (s *Deployment) withFixed(at common.Address, f *input.Function) *input.Function {
	var who []input.Actor
	for _, fixed := range s.fixed {
		if fixed.at == at && fixed.signature == f.Signature {
			who = append(who, fixed.who)
		}
	}
	if len(who) == 0 {
		return f
	}
	return f.SentBy(append(who, input.Actors[:]...))
}

// Fixed lists the accounts that contracts fix as senders.
func (s *Deployment) Fixed() (list []input.Actor) {
	for _, fixed := range s.fixed {
		list = append(list, fixed.who)
	}
	return list
}
