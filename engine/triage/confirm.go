package triage

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/deploy"
	"leveret/engine/evm"
	"leveret/engine/exec"
	"leveret/engine/input"
	"leveret/engine/oracle"
	"leveret/engine/solve"
)

// checkPreconditions confirms what a report depends on. at is the state before
// the transaction. If substitutes is set, another sequence may show the verdict.
func (c *Checker) checkPreconditions(s input.Sequence, at exec.State, v Verdict, substitutes bool) (Verdict, bool) {
	if v.report.Unprivileged && c.privileged.Sent(s.Txs[:v.tx+1]) {
		if !substitutes {
			return v, false
		}
		return c.withoutPrivileges(s, v)
	}
	if v.report.OneCallOf > 0 {
		if !substitutes {
			return v, false
		}
		return c.withOneCall(s, v)
	}
	if len(v.report.Variants) > 0 {
		ok := c.checkVariants(s, at, &v)
		c.retry = c.retry || !ok
		return v, ok
	}
	return v, true
}

// withoutPrivileges looks for the same verdict without the transactions of
// privileged actors, and with an unprivileged one as the last sender.
func (c *Checker) withoutPrivileges(s input.Sequence, v Verdict) (Verdict, bool) {
	last := s.Txs[v.tx]
	user, ok := senderOutside(c.privileged, last.Function)
	if !ok {
		return v, false
	}
	if c.privileged.Has(last.From) {
		last.From = user
	}
	others := slices.DeleteFunc(slices.Clone(s.Txs[:v.tx]), func(tx input.Tx) bool { return c.privileged.Has(tx.From) })
	instead := input.Sequence{Deployment: s.Deployment, Txs: append(others, last)}
	found, ok := c.shows(instead, v.key, v.Place.Span)
	found.instead = &instead
	return found, ok && found.tx == len(others)
}

// withOneCall looks for the same verdict with one of the re-entrant calls of a
// transaction. All oracles judge, as some decide by what others report.
func (c *Checker) withOneCall(s input.Sequence, v Verdict) (Verdict, bool) {
	tx := s.Txs[v.report.OneCallOf-1]
	for _, call := range tx.Script.Calls {
		script := *tx.Script
		script.Calls = []input.Reentry{call}
		tx.Script = &script
		instead := s.WithTx(v.report.OneCallOf-1, tx)
		instead.Txs = instead.Txs[:v.tx+1]
		for _, found := range c.check(instead, c.oracles, nil, false) {
			if found.key == v.key && found.Place.Span == v.Place.Span && found.tx == v.tx {
				found.instead = &instead
				return found, true
			}
		}
	}
	return v, false
}

// checkVariants reports whether one of a report's variants makes the difference
// that confirms it.
func (c *Checker) checkVariants(s input.Sequence, at exec.State, v *Verdict) bool {
	s.Txs = s.Txs[:v.tx+1]
	jump := v.report.Trail[0]
	if v.report.Variants[0].Block != nil {
		at = funded(at, v.report.Contract)
	}
	before := c.summarize(at, s.Last(), nil, jump)
	for i := range v.report.Variants {
		if after := c.runVariant(s, at, &v.report.Variants[i], jump); after != nil && v.report.Confirm(before, after) {
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
func (c *Checker) runVariant(s input.Sequence, at exec.State, v *oracle.Variant, jump oracle.Site) *oracle.TxSummary {
	if v.Flow == nil && v.Was == nil {
		return c.summarize(at, s.Last(), v.Block, jump)
	}
	changed, first, ok := c.changed(s, v)
	if !ok {
		return nil
	}
	if first < len(s.Txs)-1 {
		if at, ok = c.run.prefix(changed.Txs); !ok {
			return nil
		}
	}
	return c.summarize(at, changed.Last(), v.Block, jump)
}

// changed returns the sequence of a variant and the index of the first
// transaction that differs; false if the change is impossible.
func (c *Checker) changed(s input.Sequence, v *oracle.Variant) (changed input.Sequence, first int, ok bool) {
	if v.Flow == nil {
		changed, ok = replaceArguments(s, v.Was, &v.Field)
		return changed, 0, ok
	}
	changed, diff, ok := solve.NewWriter(c.subject.Start.Block).Write(s, v.Flow, &v.Field)
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
func (c *Checker) summarize(at exec.State, tx *input.Tx, change func(*evm.BlockContext), jump oracle.Site) *oracle.TxSummary {
	tracer := oracle.NewTracer(jump)
	c.run.executeIn(at, at.Changed(tx, change), tx, tracer.Hooks())
	return &tracer.TxSummary
}
