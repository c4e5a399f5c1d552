package triage

import (
	"slices"

	"leveret/engine/exec"
	"leveret/engine/input"
)

// checkPreconditions confirms what a report depends on. at is the state before
// the transaction. If m is searching, another sequence may show the verdict.
func (c *Checker) checkPreconditions(s input.Sequence, at exec.State, v Verdict, m mode) (Verdict, bool) {
	if v.report.Unprivileged && c.owners.privileged.Sent(s.Txs[:v.tx+1]) {
		if m != searching {
			return v, false
		}
		return c.withoutPrivileges(s, v)
	}
	if v.report.OneCallOf > 0 {
		if m != searching {
			return v, false
		}
		return c.withOneCall(s, v)
	}
	if len(v.report.Variants) > 0 {
		ok := checkVariants(c.run, s, at, &v)
		c.retry = c.retry || !ok
		return v, ok
	}
	return v, true
}

// withoutPrivileges looks for the same verdict without the transactions of
// privileged actors, and with an unprivileged one as the last sender.
func (c *Checker) withoutPrivileges(s input.Sequence, v Verdict) (Verdict, bool) {
	last := s.Txs[v.tx]
	user, ok := senderOutside(c.owners.privileged, last.Function)
	if !ok {
		return v, false
	}
	if c.owners.privileged.Has(last.From) {
		last.From = user
	}
	others := slices.DeleteFunc(slices.Clone(s.Txs[:v.tx]), func(tx input.Tx) bool { return c.owners.privileged.Has(tx.From) })
	instead := input.Sequence{Deployment: s.Deployment, Txs: append(others, last)}
	found, ok := c.shows(instead, v.key, v.Place.Span, repeating)
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
		for _, found := range c.check(instead, c.oracles, nil, repeating) {
			if found.key == v.key && found.Place.Span == v.Place.Span && found.tx == v.tx {
				found.instead = &instead
				return found, true
			}
		}
	}
	return v, false
}
