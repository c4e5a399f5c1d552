package engine

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/deploy"
	"leveret/engine/evm"
	"leveret/engine/exec"
	"leveret/engine/input"
	"leveret/engine/oracle"
	"leveret/engine/program"
	"leveret/solc/ast"
)

// stage answers what oracles ask of other runs.
func (j *judge) stage() oracle.WhatIf {
	s := oracle.WhatIf{
		Deployment: j.base.Record, Rerun: j.rerunTxs, Holdings: j.holdings,
		Locks: j.locks, Contract: j.definitionAt, Function: j.functionAt,
		Retry: func() { j.doubted = true },
	}
	for _, t := range j.tokens() {
		s.Tokens = append(s.Tokens, t.To)
	}
	return s
}

// rerunTxs runs Txs from the deployment. As in examine, those that fail leave
// no trace.
func (j *judge) rerunTxs(txs []input.Tx) oracle.Ending {
	at := j.start
	ending := oracle.Ending{}
	for i := range txs {
		next, outcome := j.executor.Transact(at, &txs[i], nil, nil)
		if outcome.Status == evm.Success {
			at = next
		}
		ending.Outcomes = append(ending.Outcomes, outcome)
	}
	ending.World = at.World
	return ending
}

// tokens lists a call of balanceOf for every contract that has one. Its
// argument is not set.
func (j *judge) tokens() []input.Tx {
	var list []input.Tx
	for _, d := range j.base.Contracts {
		f := j.program.ABI(d.Contract).Method("balanceOf(address)")
		if f != nil && len(f.Outputs) == 1 {
			list = append(list, input.Tx{To: d.Address, Function: f, Args: f.Zero()})
		}
	}
	return list
}

// holdings says what somebody owns: wei, and of each token.
func (j *judge) holdings(w *evm.World, who common.Address) []uint256.Int {
	amounts := []uint256.Int{w.Balance(who)}
	for _, tx := range j.tokens() {
		tx.Args[0].Word.SetBytes20(who[:])
		_, outcome := j.executor.Transact(exec.State{World: w, Block: deploy.Genesis}, &tx, nil, nil)
		var amount uint256.Int
		if outcome.Status == evm.Success && len(outcome.Return) >= 32 {
			amount.SetBytes(outcome.Return[:32])
		}
		amounts = append(amounts, amount)
	}
	return amounts
}

// definitionAt returns the definition of the contract at an address.
func (j *judge) definitionAt(a common.Address) *ast.Node {
	if c := j.program.ContractAt(j.base.World, a); c != nil {
		return c.Node
	}
	return nil
}

// functionAt finds out what data calls.
func (j *judge) functionAt(to common.Address, data []byte) *input.Function {
	if c := j.program.ContractAt(j.base.World, to); c != nil {
		return j.program.ABI(c).Select(data)
	}
	return nil
}

// locks reports whether code has no way to part with wei.
func (j *judge) locks(code *evm.Code) bool {
	locks, known := j.locking[code]
	if !known {
		locks = !program.CanSendEther(j.cover.Bytecode(code))
		j.locking[code] = locks
	}
	return locks
}
