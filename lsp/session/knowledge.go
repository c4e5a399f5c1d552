package session

import (
	"slices"
	"strings"
	"time"

	"leveret/engine/finding"
	"leveret/lsp/settings"
	"leveret/solc"
)

// maxRemembered bounds how many codes a file's analysis remembers besides the
// present ones, for each contract it has.
const maxRemembered = 8

// knowledge is what campaigns learnt about one code of a contract, with one
// choice of oracles. A contract that gets back a code it had before gets back
// what was known of it.
type knowledge struct {
	Note  string        // why it is not, or not fully, fuzzed
	Stats finding.Stats // of the last campaign
	Spent time.Duration // fuzzing it

	known    []known
	name     string
	code     codeHash
	off      string            // oracles that are switched off
	complete bool              // a campaign ran to its end
	failed   bool              // in the last one, the engine did
	base     map[string][]byte // texts that the last completed campaign ran on, by path
	explored exploration       // by the last campaign
	level    int               // idle campaigns it had
	barren   int               // of these, the last ones that brought no new path
	paths    int               // of the last campaign that ran to its end
}

// A known is a finding with the texts it was found in.
type known struct {
	*finding.Finding
	path    string   // of the text to blame
	sources *sources // that its places are in
	code    codeHash // that it was seen in
	due     bool     // it must be executed again on the present build
}

// An exploration is where a campaign went, in the texts of its build.
type exploration struct {
	*finding.CoverageReport
	sources *sources
}

// oraclesOff names the oracles that a campaign does without.
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

// adopt gives an analysis the contracts of its build that are declared in its
// file, each with what is known of it.
func (a *Analysis) adopt(sources *sources, off string) {
	before := a.Contracts
	a.remember(before)
	a.Contracts = nil
	for _, compiled := range a.Build.Contracts {
		if compiled.File == a.SourceName {
			a.Contracts = append(a.Contracts, a.inherit(compiled, sources, off, before))
		}
	}
	a.forget()
}

// inherit makes the state of a contract: what is known of its code and, to be
// executed again, what was last found in the contract of that name.
func (a *Analysis) inherit(compiled *solc.Contract, sources *sources, off string, before []*Contract) *Contract {
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
			c.suspect(&old.knowledge)
		}
	}
	return c
}

// judgeBy follows a change of the settings.
func (a *Analysis) judgeBy(set settings.Settings) {
	for i, c := range a.Contracts {
		if c.off != oraclesOff(set) {
			a.adopt(c.sources, oraclesOff(set))
			return
		}
		again := *c // to be placed anew
		a.Contracts[i] = &again
	}
}

func (k *knowledge) is(name string, code codeHash, off string) bool {
	return k.name == name && k.code == code && k.off == off
}

// suspect adds findings of another code of the contract, to be executed again.
func (c *Contract) suspect(old *knowledge) {
	if old.is(c.name, c.code, c.off) {
		return
	}
	if c.base == nil {
		c.base = old.base
	}
	for _, k := range old.known {
		if !slices.ContainsFunc(c.known, func(own known) bool { return own.ID == k.ID }) {
			k.due = true
			c.known = append(c.known, k)
		}
	}
}

// remember puts what is known of contracts in front of what was known before.
func (a *Analysis) remember(contracts []*Contract) {
	past := make([]*knowledge, 0, len(a.past)+len(contracts))
	for _, c := range contracts {
		if !c.skipped {
			k := c.knowledge // without the build that c holds
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

// forget bounds what is remembered.
func (a *Analysis) forget() {
	a.past = a.past[:min(len(a.past), maxRemembered*max(1, len(a.Contracts)))]
}

// in returns k for the build of a contract. Where that differs from the one it
// was found in by nothing but blanks and comments, its places follow; else it
// is due to be executed again, and shown by comparing texts until then.
func (k known) in(c *Contract) known {
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

// isDue reports whether a finding waits for being executed again.
func (c *Contract) isDue() bool {
	return !c.failed && slices.ContainsFunc(c.known, func(k known) bool { return k.due })
}
