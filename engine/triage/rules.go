package triage

import (
	"slices"
	"strings"

	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/oracle"
	"leveret/engine/search"
	"leveret/engine/shadow"
)

// A rule makes an error a note. The error shows only if its premise holds: an actor that
// the project trusts acts, somebody calls an initializer first, or a mock replaces a
// contract.
type rule struct {
	premise string            // of the note's message, with INITIALIZER for the claim's; "": it says nothing
	holds   func(*claim) bool // whether the claim rests on the premise
	retry   bool              // another input may show the error without the premise
}

// newRules returns the rules. The first one that holds counts. observer is free between
// the transactions of a check.
func newRules(s *search.Subject, run *runner, observer *shadow.Observer, owners *owners) []rule {
	const (
		harm    = "a contract that the deployment or an owner chose does harm"
		mistake = "an owner names a wrong contract"
	)
	chosen := &chosen{s, run, owners}
	mocks := &mocks{s, run, observer}
	return []rule{
		{premise: mistake, holds: owners.appoint},
		{premise: mistake, holds: owners.admit},
		{premise: "somebody calls INITIALIZER() before the project does", holds: (*claim).isEarly},
		{premise: "a contract is initialized with a wrong number", holds: owners.initializeWrongly},
		{premise: harm, holds: chosen.harms},
		{premise: harm, holds: chosen.sends},
		{premise: "a contract that the deployment or an owner chose permits it", holds: chosen.permits},
		{premise: harm, holds: func(c *claim) bool { return needsMock(s, c) }},
		{premise: harm, holds: chosen.onlyForOwners},
		{holds: owners.failAlone},
		{premise: "a contract for which a mock stands does nothing", holds: mocks.idle},
		{premise: "a contract for which a mock stands answers like that", holds: mocks.answered},
		{premise: "a contract for which a mock stands takes more wei than there is", holds: mocks.overpaid, retry: true}, // with less
		{premise: "an account calls whose key nobody here has", holds: func(c *claim) bool { return needsUnknown(s, c) }},
	}
}

// A claim is a verdict with what rules ask about it.
type claim struct {
	*Verdict
	txs         []input.Tx                // up to the one that shows it
	shows       func(txs []input.Tx) bool // whether it shows with other transactions
	initializer string                    // function that is called before the project does; "": none
}

func (c *claim) isEarly() bool { return c.initializer != "" }

// isOf reports whether one of some oracles makes the claim.
func (c *claim) isOf(oracles ...*oracle.Oracle) bool {
	return slices.Contains(oracles, c.report.Oracle)
}

// needs reports whether the verdict does not show if an actor sends the transactions of
// some accounts.
func (c *claim) needs(some func(input.Actor) bool, instead input.Actor) bool {
	txs, changed := slices.Clone(c.txs), false
	for i := range txs {
		if some(txs[i].From) {
			txs[i].From, changed = instead, true
		}
	}
	return changed && !c.shows(txs)
}

// lower makes the verdict of a claim a note.
func (r *rule) lower(c *claim) {
	if r.premise != "" {
		c.report.Message = "if " + strings.ReplaceAll(r.premise, "INITIALIZER", c.initializer) + ": " + c.report.Message
	}
	c.report.Severity, c.report.Provisional = finding.Information, true
}
