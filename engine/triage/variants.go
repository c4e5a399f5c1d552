package triage

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/deploy"
	"leveret/engine/evm"
	"leveret/engine/exec"
	"leveret/engine/input"
	"leveret/engine/oracle"
	"leveret/engine/solve"
)

// checkVariants reports whether one of a report's variants makes the difference
// that confirms it.
func checkVariants(run *runner, s input.Sequence, at exec.State, v *Verdict) bool {
	s.Txs = s.Txs[:v.tx+1]
	jump := v.report.Trail[0]
	if v.report.Variants[0].Block != nil {
		at = funded(at, v.report.Contract)
	}
	before := summarize(run, at, s.Last(), nil, jump)
	for i := range v.report.Variants {
		if after := runVariant(run, s, at, &v.report.Variants[i], jump); after != nil && v.report.Confirm(before, after) {
			return true
		}
	}
	return false
}

// funded gives a contract more wei than it can pay: a payment that fails for
// lack of wei is no decision.
func funded(at exec.State, contract common.Address) exec.State {
	at.World = at.World.Fork()
	wei := at.World.Balance(contract)
	wei.Add(&wei, deploy.ActorWei)
	at.World.SetBalance(contract, &wei)
	return at
}

// runVariant summarizes the last transaction of s with a change; nil if the
// change is impossible.
func runVariant(run *runner, s input.Sequence, at exec.State, v *oracle.Variant, jump oracle.Site) *oracle.TxSummary {
	if v.Flow == nil && v.Was == nil {
		return summarize(run, at, s.Last(), v.Block, jump)
	}
	changed, first, ok := changeBy(run, s, v)
	if !ok {
		return nil
	}
	if first < len(s.Txs)-1 {
		if at, ok = run.prefix(changed.Txs); !ok {
			return nil
		}
	}
	return summarize(run, at, changed.Last(), v.Block, jump)
}

// changeBy returns the sequence of a variant and the index of the first
// transaction that differs; false if the change is impossible.
func changeBy(run *runner, s input.Sequence, v *oracle.Variant) (changed input.Sequence, first int, ok bool) {
	if v.Flow == nil {
		changed, ok = replaceArguments(s, v.Was, &v.Field)
		return changed, 0, ok
	}
	changed, diff, ok := solve.NewWriter(run.start.Block).Write(s, v.Flow, &v.Field)
	return changed, diff.First, ok
}

// replaceArguments replaces a value in all arguments; false if none has it.
func replaceArguments(s input.Sequence, was, by *uint256.Int) (changed input.Sequence, ok bool) {
	for i := range s.Txs {
		tx := s.Txs[i]
		for _, p := range input.Parameters(&tx) {
			if word := input.Get(&tx, &p); p.Kind == input.ParamArg && word.Eq(was) {
				tx, ok = input.Set(&tx, &p, *by), true
			}
		}
		s = s.WithTx(i, tx)
	}
	return s, ok
}

// summarize executes one transaction in a block that may be changed.
func summarize(run *runner, at exec.State, tx *input.Tx, change func(*evm.BlockContext), jump oracle.Site) *oracle.TxSummary {
	tracer := oracle.NewTracer(jump)
	run.executeIn(at, at.Changed(tx, change), tx, tracer.Hooks())
	return &tracer.TxSummary
}
