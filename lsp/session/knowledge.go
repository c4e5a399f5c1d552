package session

import (
	"slices"
	"strings"
	"time"

	"leveret/engine/finding"
	"leveret/lsp/settings"
	"leveret/solc"
)

// maxRemembered bounds the earlier codes of each contract that an analysis
// remembers.
const maxRemembered = 8

// knowledge is the result of the campaigns on one code of a contract with one
// choice of oracles. When an edit is undone, the contract gets back the
// knowledge of its earlier code.
type knowledge struct {
	Note  string         // why it is not, or not fully, fuzzed
	Stats finding.Stats  // of the last campaign
	Spent time.Duration  // in all campaigns
	Tests []finding.Test // the last result of each test of a test contract

	known    []knownFinding
	executed map[string][]string // functions that tests ran the last time, also on other code, by signature
	name     string
	code     codeHash
	off      string            // disabled oracles
	complete bool              // a campaign was not cancelled
	failed   bool              // the engine failed in the last one
	base     map[string][]byte // texts of the last completed campaign, by path
	explored exploration       // by the last campaign
	level    int               // number of idle campaigns
	plateau  int               // number of last campaigns that found no new path
	paths    int               // of the last completed campaign
}

// A knownFinding is a finding with the texts it was found in.
type knownFinding struct {
	*finding.Finding
	path    string   // of its text
	sources *sources // of its positions
	code    codeHash // that it was last seen in
	due     bool     // it must be executed again on the current build
	check   check    // on the project's own build
}

// An exploration is the coverage of a campaign, in the texts of its build.
type exploration struct {
	*finding.CoverageReport
	sources *sources
}

// oraclesOff lists the disabled oracles.
func oraclesOff(set settings.Settings) string {
	var off []string
	for name, severity := range set.Oracles {
		if severity == finding.Off {
			off = append(off, name)
		}
	}
	slices.Sort(off)
	return strings.Join(off, ",")
}

// setContracts sets the contracts that the file declares, each with its
// knowledge.
func (a *Analysis) setContracts(sources *sources, off string) {
	before := a.Contracts
	a.remember(before)
	a.Contracts = nil
	for _, compiled := range a.Build.Contracts {
		if compiled.File == a.SourceName {
			a.Contracts = append(a.Contracts, a.newContract(compiled, sources, off, before))
		}
	}
	a.past = a.past[:min(len(a.past), maxRemembered*max(1, len(a.Contracts)))]
}

// newContract makes a contract with the knowledge of its code. The last
// findings in the contract of the same name must be executed again.
func (a *Analysis) newContract(compiled *solc.Contract, sources *sources, off string, before []*Contract) *Contract {
	c := &Contract{Contract: compiled, sources: sources}
	c.name, c.off = compiled.Name, off
	if why := compiled.Unfuzzable(); why != "" {
		c.Note, c.skipped = "not fuzzed: "+why, true
		return c
	}
	c.code = hashCode(compiled)
	if i := slices.IndexFunc(a.past, func(k *knowledge) bool { return k.is(c.name, c.code, c.off) }); i >= 0 {
		c.knowledge = *a.past[i]
		c.known = slices.Clone(c.known)
		for i := range c.known {
			c.known[i] = c.known[i].in(c)
		}
		var exact bool
		if c.Explored, exact = c.explored.in(c); !exact {
			c.complete = false
		}
	}
	for _, old := range before {
		if old.name == c.name {
			c.inherit(&old.knowledge)
		}
	}
	return c
}

// applySettings updates the contracts to a change of the settings.
func (a *Analysis) applySettings(set settings.Settings) {
	for i, c := range a.Contracts {
		if c.off != oraclesOff(set) {
			a.setContracts(c.sources, oraclesOff(set))
			return
		}
		again := *c // a copy gets new marks
		a.Contracts[i] = &again
	}
}

func (k *knowledge) is(name string, code codeHash, off string) bool {
	return k.name == name && k.code == code && k.off == off
}

// inherit adds findings of another code of the contract, to be executed again.
func (c *Contract) inherit(old *knowledge) {
	if old.is(c.name, c.code, c.off) {
		return
	}
	if c.base == nil {
		c.base = old.base
	}
	if c.executed == nil {
		c.executed = old.executed
	}
	for _, k := range old.known {
		if !slices.ContainsFunc(c.known, func(own knownFinding) bool { return own.ID == k.ID }) {
			k.due = true
			c.known = append(c.known, k)
		}
	}
}

// remember puts the knowledge of contracts in front of older knowledge.
func (a *Analysis) remember(contracts []*Contract) {
	past := make([]*knowledge, 0, len(a.past)+len(contracts))
	for _, c := range contracts {
		if !c.skipped {
			k := c.knowledge // a copy does not keep c's build in memory
			past = append(past, &k)
		}
	}
	for _, k := range a.past {
		if !slices.ContainsFunc(past, func(newer *knowledge) bool { return newer.is(k.name, k.code, k.off) }) {
			past = append(past, k)
		}
	}
	a.past = past
}

// in returns k for the build of a contract. If the sources differ only in
// whitespace and comments, its positions are moved; else it is due, and its
// positions follow from comparing texts until it is executed again.
func (k knownFinding) in(c *Contract) knownFinding {
	if k.due || k.sources.equal(c.sources) {
		return k
	}
	moved, ok := relocate(k.Finding, k.sources, c)
	if k.code != c.code || !ok {
		k.due = true
		return k
	}
	k.Finding, k.sources = moved, c.sources
	return k
}

// needsRecheck reports whether a finding must be executed again.
func (c *Contract) needsRecheck() bool {
	return !c.failed && slices.ContainsFunc(c.known, func(k knownFinding) bool { return k.due })
}
