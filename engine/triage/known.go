package triage

import (
	"slices"
	"sync"

	"leveret/engine/oracle"
	"leveret/solc"
)

// Known is what the triages of a campaign's workers have in common, so that each
// finding is reported once. It is safe for concurrent use.
type Known struct {
	mu           sync.Mutex
	findings     map[key]bool // reported or dropped
	ids          map[string]bool
	shown        map[string]bool // names of oracles with a finding
	settled      settled
	suppressions map[*solc.Source][]*suppression
}

// NewKnown returns what is known at the start of a campaign: nothing.
func NewKnown() *Known {
	return &Known{
		findings: map[key]bool{}, ids: map[string]bool{}, shown: map[string]bool{}, settled: newSettled(),
		suppressions: map[*solc.Source][]*suppression{},
	}
}

// has reports whether a finding was reported or dropped.
func (n *Known) has(k key) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.findings[k]
}

// claim reports whether a finding is new, and leaves it to the caller to report
// it.
func (n *Known) claim(k key) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.findings[k] {
		return false
	}
	n.findings[k] = true
	return true
}

// give reports whether an ID was not given yet, and gives it.
func (n *Known) give(id string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.ids[id] {
		return false
	}
	n.ids[id] = true
	return true
}

// show notes that an oracle has a finding, and reports whether it is the first.
func (n *Known) show(oracle string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.shown[oracle] {
		return false
	}
	n.shown[oracle] = true
	return true
}

// isShown reports whether an oracle has a finding.
func (n *Known) isShown(oracle string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.shown[oracle]
}

// unsettled returns the oracles that may have something new to report about a
// suspect.
func (n *Known) unsettled(s *suspect) []*oracle.Oracle {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.DeleteFunc(s.oracles, func(o *oracle.Oracle) bool { return n.settled.explains(o, s) })
}

// settle settles the failures of a suspect that was checked.
func (n *Known) settle(s *suspect) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.settled.checked(s)
}

// settleWrap settles the arithmetic of a verdict that is shown.
func (n *Known) settleWrap(sources *oracle.Sources, v *Verdict) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.settled.add(sources, v)
}
