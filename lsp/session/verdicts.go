package session

import (
	"context"
	"maps"
	"slices"

	"leveret/engine"
	"leveret/engine/finding"
	"leveret/solc"
)

// The kinds of tests that end at once, and those that take a campaign's time.
var (
	unitTests     = []solc.TestKind{solc.UnitTest, solc.TableTest}
	searchedTests = []solc.TestKind{solc.FuzzTest, solc.InvariantTest}
)

// verdicts runs the unit tests of plans before all campaigns: first those of contracts
// with a test that executed changed code the last time. Contracts without other
// tests are then done.
func (e *campaigns) verdicts(ctx context.Context, plans []*plan) {
	work := 0
	for _, p := range plans {
		work += len(p.contracts)
	}
	if work < 2 {
		return // the campaign on a test contract starts with its unit tests
	}
	var first, later []func()
	for _, p := range plans {
		for _, name := range p.contracts {
			c := e.store.snapshot().contract(p.path, name)
			if c == nil || !has(c, unitTests) || len(p.chosen(c)) > 0 {
				continue
			}
			lines := e.targets(ctx, p, c, e.store.snapshot().SettingsFor(p.path))
			run := func() { e.runUnitTests(ctx, p, name, lines) }
			if c.affected(lines) {
				first = append(first, run)
			} else {
				later = append(later, run)
			}
		}
	}
	for _, run := range append(first, later...) {
		if ctx.Err() != nil {
			return
		}
		run()
	}
}

// has reports whether a contract has tests of some kinds.
func has(c *Contract, kinds []solc.TestKind) bool {
	return c.RunsTests() && slices.ContainsFunc(solc.Tests(c.Contract), func(t solc.Test) bool { return slices.Contains(kinds, t.Kind) })
}

// affected reports whether a change may affect a test of a contract, by what the
// tests executed the last time.
func (c *Contract) affected(lines []engine.Lines) bool {
	affected := engine.Affected(c.Build, lines)
	return len(c.executed) == 0 || slices.ContainsFunc(slices.Collect(maps.Values(c.executed)), affected)
}

// runUnitTests runs the unit tests of a contract.
func (e *campaigns) runUnitTests(ctx context.Context, p *plan, name string, lines []engine.Lines) {
	c := e.store.snapshot().contract(p.path, name)
	if c == nil {
		return
	}
	e.store.setActivity(Activity{Kind: UnitTests, Path: p.path, Contract: name})
	options := engine.Options{Lines: lines}
	if !has(c, searchedTests) {
		if e.explore(ctx, p, c, options) {
			p.contracts = slices.DeleteFunc(slices.Clone(p.contracts), func(other string) bool { return other == name })
		}
		return
	}
	options.Tests.Kinds = unitTests
	result := e.run(ctx, p, c, e.Fuzz, options)
	e.store.updateContract(p.path, c, func(c *Contract, _ *Snapshot) { c.running = false })
	if ctx.Err() == nil && result != nil {
		if p.verdicts == nil {
			p.verdicts = map[string]*finding.Result{}
		}
		p.verdicts[name] = result
	}
}
