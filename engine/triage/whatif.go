package triage

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/evm"
	"leveret/engine/exec"
	"leveret/engine/input"
	"leveret/engine/oracle"
	"leveret/solc/ast"
)

// whatIf answers what oracles ask about other executions.
func (c *Checker) whatIf() oracle.WhatIf {
	w := oracle.WhatIf{
		Deployment: c.subject.Deployment.Record, Rerun: c.run.rerun, Holdings: c.holdings,
		Locks: c.hints.locks, Contract: c.definitionAt, Function: c.functionAt,
		Retry: func() { c.retry = true }, OwnersOnly: c.ownersOnly,
	}
	for _, t := range c.tokens() {
		w.Tokens = append(w.Tokens, t.To)
	}
	return w
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
		_, outcome := c.run.transact(exec.State{World: w, Block: c.subject.Start.Block}, &tx, nil)
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
