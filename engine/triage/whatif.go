package triage

import (
	"bytes"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/evm"
	"leveret/engine/exec"
	"leveret/engine/input"
	"leveret/engine/oracle"
	"leveret/engine/program"
	"leveret/solc/ast"
)

// whatIf answers what oracles ask about other executions.
func (c *Checker) whatIf() oracle.WhatIf {
	w := oracle.WhatIf{
		Deployment: c.subject.Deployment.Record, Rerun: c.rerun, Holdings: c.holdings,
		Locks: c.locks, Contract: c.definitionAt, Function: c.functionAt,
		Retry: func() { c.retry = true }, OwnersOnly: c.ownersOnly,
	}
	for _, t := range c.tokens() {
		w.Tokens = append(w.Tokens, t.To)
	}
	return w
}

// rerun executes transactions from the deployment. Those that fail have no
// effect.
func (c *Checker) rerun(txs []input.Tx) oracle.Ending {
	at := c.subject.Start
	ending := oracle.Ending{}
	for i := range txs {
		next, outcome := c.transact(at, &txs[i], nil)
		if outcome.Status == evm.Success {
			at = next
		}
		ending.Outcomes = append(ending.Outcomes, outcome)
	}
	ending.World = at.World
	return ending
}

// ownersOnly reports whether a privileged actor, or one that a privileged one
// named before, sends the last one of some transactions, which others cannot
// send.
func (c *Checker) ownersOnly(txs []input.Tx) bool {
	last := txs[len(txs)-1]
	owners := slices.Clone(c.privileged)
	for i := range txs[:len(txs)-1] {
		for k := range txs[i].Args {
			if owners.Has(txs[i].From) {
				owners.AddNamed(&txs[i].Args[k])
			}
		}
	}
	if !owners.Has(last.From) {
		return false
	}
	may := last.Function.MaySend()
	user := slices.IndexFunc(may, func(a input.Actor) bool { return !owners.Has(a) })
	if user < 0 {
		return true
	}
	last.From = may[user]
	ending := c.rerun(append(slices.Clone(txs[:len(txs)-1]), last))
	return ending.Last().Status != evm.Success
}

// appoints reports whether an owner makes the attacker the contract that another
// one calls, which others cannot do: an owner's decision is no attack.
func (c *Checker) appoints(txs []input.Tx) bool {
	for i := range txs {
		if c.privileged.Has(txs[i].From) && c.sets(&txs[i], input.Attacker.Address()) && c.refusesOthers(txs[:i+1]) {
			return true
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

// refusesOthers reports whether the last one of some transactions fails in
// another way if an actor without privileges sends it.
func (c *Checker) refusesOthers(txs []input.Tx) bool {
	last := txs[len(txs)-1]
	user, ok := c.unprivilegedSender(last.Function)
	if !ok {
		return true
	}
	last.From = user
	as, other := c.rerun(txs), c.rerun(append(slices.Clone(txs[:len(txs)-1]), last))
	return other.Last().Status != evm.Success && (as.Last().Status == evm.Success || !bytes.Equal(as.Last().Return, other.Last().Return) || as.Last().Status != other.Last().Status)
}

// tokens returns a call of balanceOf, without its argument, for every contract
// that has one.
func (c *Checker) tokens() []input.Tx {
	var list []input.Tx
	for _, d := range c.subject.Deployment.Contracts {
		f := c.subject.Program.ABI(d.Contract).Method("balanceOf(address)")
		if f != nil && len(f.Outputs) == 1 {
			list = append(list, input.Tx{From: input.Deployer, To: d.Address, Function: f, Args: f.Zero()})
		}
	}
	return list
}

// holdings returns the wei of an account and its balance of each token.
func (c *Checker) holdings(w *evm.World, who common.Address) []uint256.Int {
	amounts := []uint256.Int{w.Balance(who)}
	for _, tx := range c.tokens() {
		tx.Args[0].Word.SetBytes20(who[:])
		_, outcome := c.transact(exec.State{World: w, Block: c.subject.Start.Block}, &tx, nil)
		var amount uint256.Int
		if outcome.Status == evm.Success && len(outcome.Return) >= 32 {
			amount.SetBytes(outcome.Return[:32])
		}
		amounts = append(amounts, amount)
	}
	return amounts
}

// definitionAt returns the definition of the contract at an address.
func (c *Checker) definitionAt(a common.Address) *ast.Node {
	if found := c.subject.Program.ContractAt(c.subject.Deployment.World, a); found != nil {
		return found.Node
	}
	return nil
}

// functionAt returns the function of the contract at an address that data
// calls.
func (c *Checker) functionAt(to common.Address, data []byte) *input.Function {
	if found := c.subject.Program.ContractAt(c.subject.Deployment.World, to); found != nil {
		return c.subject.Program.ABI(found).Select(data)
	}
	return nil
}

// locks reports whether code cannot send wei.
func (c *Checker) locks(code *evm.Code) bool {
	locks, known := c.locking[code]
	if !known {
		locks = !program.CanSendEther(c.subject.Cover.Bytecode(code))
		c.locking[code] = locks
	}
	return locks
}
