package triage

import (
	"slices"

	"github.com/holiman/uint256"

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
	if len(v.report.Instead) > 0 {
		if m != searching {
			return v, false
		}
		return c.sameIn(input.Sequence{Deployment: s.Deployment, Txs: v.report.Instead}, v, searching)
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

// withOneCall looks for the same verdict with one of the re-entrant calls of a transaction,
// or with one that pays what several calls of the same function paid.
func (c *Checker) withOneCall(s input.Sequence, v Verdict) (Verdict, bool) {
	s.Txs = s.Txs[:v.tx+1]
	tx := s.Txs[v.report.OneCallOf-1]
	calls := tx.Script.Calls
	for _, call := range append(slices.Clone(calls), paidAtOnce(calls)...) {
		call.First = 0 // what makes the first calls back may be another call
		script := *tx.Script
		script.Calls = []input.Reentry{call}
		tx.Script = &script
		if found, ok := c.sameIn(s.WithTx(v.report.OneCallOf-1, tx), v, repeating); ok {
			return found, true
		}
	}
	c.retry = true // another sequence may do it with one call
	return v, false
}

// sameIn looks for a verdict on the last transaction in another sequence. All oracles judge, as
// some decide by what others report.
func (c *Checker) sameIn(instead input.Sequence, v Verdict, m mode) (Verdict, bool) {
	for _, found := range c.check(instead, c.oracles, nil, m) {
		if found.key == v.key && found.Place.Span == v.Place.Span && found.tx == len(instead.Txs)-1 {
			if found.instead == nil {
				found.instead = &instead
			}
			return found, true
		}
	}
	return v, false
}

// paidAtOnce returns a call for each function that several calls pay to, with the wei of all
// of them.
func paidAtOnce(calls []input.Reentry) (list []input.Reentry) {
	for i, call := range calls {
		same := func(other input.Reentry) bool {
			return other.Tx.To == call.Tx.To && other.Tx.Function == call.Tx.Function
		}
		if slices.ContainsFunc(calls[:i], same) {
			continue
		}
		paid, sum := 0, uint256.Int{}
		for j := range calls {
			if same(calls[j]) && !calls[j].Tx.Value.IsZero() {
				paid++
				sum.Add(&sum, &calls[j].Tx.Value)
			}
		}
		if paid > 1 {
			call.Tx.Value = sum
			list = append(list, call)
		}
	}
	return list
}
