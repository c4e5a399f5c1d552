package triage

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"

	"leveret/engine/evm"
	"leveret/engine/exec"
	"leveret/engine/input"
	"leveret/engine/oracle"
	"leveret/engine/search"
	"leveret/solc"
	"leveret/solc/ast"
)

// newEnv answers what oracles ask. locks and retry are those of oracle.WhatIf.
func newEnv(s *search.Subject, run *runner, owners *owners, locks func(*evm.Code) bool, retry func()) oracle.Env {
	env := oracle.Env{
		Project: s.Program.IsProject,
		Topics:  s.Topics,
		Blame:   s.Program.Blame,
		Name:    input.NewNames(s.Deployment.Record).Address,
		Sources: s.Program.Sources,
		Own: func(site oracle.Site) bool {
			at, ok := s.Program.LocateSite(site)
			return ok && !at.Source.Library
		},
		Watched: func(site oracle.Site) bool { return s.Cover.MayWrap(site.Code, site.PC) },
		Text:    s.Program.NodeText,
		Probes:  [2]common.Hash{s.Probe, crypto.Keccak256Hash(s.Probe[:])},
	}
	contractAt := func(a common.Address) *solc.Contract { return s.Program.ContractAt(s.Deployment.World, a) }
	env.WhatIf = oracle.WhatIf{
		Deployment: s.Deployment.Record, Rerun: run.rerun, OwnersOnly: owners.only, Locks: locks, Retry: retry,
		Holdings: func(w *evm.World, who common.Address) []uint256.Int { return holdings(run, w, who, tokensOf(s)) },
		Contract: func(a common.Address) *ast.Node {
			if found := contractAt(a); found != nil {
				return found.Node
			}
			return nil
		},
		Function: func(to common.Address, data []byte) *input.Function {
			if found := contractAt(to); found != nil {
				return s.Program.ABI(found).Select(data)
			}
			return nil
		},
	}
	for _, t := range tokensOf(s) {
		env.Tokens = append(env.Tokens, t.To)
	}
	return env
}

// tokensOf returns a call of balanceOf, without its argument, for every contract
// that has one.
func tokensOf(s *search.Subject) (list []input.Tx) {
	for _, d := range s.Deployment.Contracts {
		f := s.Program.ABI(d.Contract).Method("balanceOf(address)")
		if f != nil && len(f.Outputs) == 1 {
			list = append(list, input.Tx{From: input.Deployer, To: d.Address, Function: f, Args: f.Zero()})
		}
	}
	return list
}

// holdings returns the wei of an account and its balance of each token.
func holdings(run *runner, w *evm.World, who common.Address, tokens []input.Tx) []uint256.Int {
	amounts := []uint256.Int{w.Balance(who)}
	for _, tx := range tokens {
		tx.Args[0].Word.SetBytes20(who[:])
		_, outcome := run.transact(exec.State{World: w, Block: run.start.Block}, &tx, nil)
		var amount uint256.Int
		if outcome.Status == evm.Success && len(outcome.Return) >= 32 {
			amount.SetBytes(outcome.Return[:32])
		}
		amounts = append(amounts, amount)
	}
	return amounts
}
