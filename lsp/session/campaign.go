package session

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"go.uber.org/zap"

	"leveret/engine"
	"leveret/engine/finding"
	"leveret/solc"
)

// minBudget is the least share of a budget that a contract gets: a shorter
// campaign hardly starts.
const minBudget = time.Second

// A campaign whose time is over after fewer than leastInputs has shown little: the machine
// is busy, and deploying takes most of the time. It runs again with twice the time, up to
// longestStretch times its budget.
const (
	leastInputs    = 200
	longestStretch = 8
)

// campaigns runs the engine and records what it reports.
type campaigns struct {
	Engine
	closing <-chan struct{} // closed when the session ends
	store   *store
	corpora *corpora
	now     func() time.Time
	log     *zap.Logger
	hosts   *hosts
}

// revalidate executes the known findings of all changed contracts before any
// of them is fuzzed, so that fixed ones disappear at once. With one contract
// it does nothing, because the campaign starts with its known findings.
func (e *campaigns) revalidate(ctx context.Context, plans []*plan) {
	count := 0
	for _, p := range plans {
		count += len(p.contracts)
	}
	if count < 2 {
		return
	}
	for _, p := range plans {
		for _, name := range p.contracts {
			e.recheck(ctx, p, name)
		}
	}
}

// recheck executes the known findings of a contract. It returns nil if there
// are none.
func (e *campaigns) recheck(ctx context.Context, p *plan, name string) *finding.Result {
	c := e.store.snapshot().contract(p.path, name)
	if c == nil || len(c.known) == 0 || ctx.Err() != nil {
		return nil
	}
	e.store.setActivity(Activity{Kind: Validation, Path: p.path, Contract: name})
	defer e.store.updateContract(p.path, c, func(c *Contract, _ *Snapshot) { c.running = false })
	return e.run(ctx, p, c, e.Recheck, engine.Options{})
}

// recheckMoved executes known findings whose contract has the same code but
// other sources: only the engine knows their new positions.
func (e *campaigns) recheckMoved(ctx context.Context, plans []*plan) {
	for _, p := range plans {
		for _, name := range p.rechecks {
			result := e.recheck(ctx, p, name)
			if ctx.Err() != nil {
				return
			}
			if c := e.store.snapshot().contract(p.path, name); c != nil && result != nil {
				e.store.updateContract(p.path, c, func(c *Contract, _ *Snapshot) {
					c.drop(func(k knownFinding) bool { return k.due })
				})
			}
		}
		p.rechecks = nil
	}
}

// fuzz runs the campaigns of plans. The contracts of a plan share its budget.
func (e *campaigns) fuzz(ctx context.Context, plans []*plan) {
	for _, p := range plans {
		set := e.store.snapshot().SettingsFor(p.path)
		budget := p.budget
		if budget == 0 {
			budget = set.Budget
		}
		share := max(budget/time.Duration(max(1, len(p.contracts))), min(budget, minBudget))
		for _, name := range p.contracts {
			c := e.store.snapshot().contract(p.path, name)
			if ctx.Err() != nil {
				return
			}
			if c == nil {
				continue
			}
			if chosen := p.chosen(c); len(chosen) > 0 {
				if e.runChosen(ctx, p, c, chosen, share); ctx.Err() != nil {
					return
				}
				continue
			}
			lines := e.targets(ctx, p, c, set)
			e.store.setActivity(Activity{Kind: Campaign, Path: p.path, Contract: name, Budget: share, Left: share})
			options := engine.Options{Time: share, Lines: lines, Seed: set.Seed, Workers: set.Threads()}
			if p.verdicts[name] != nil {
				options.Tests.Kinds = searchedTests
			}
			if !e.explore(ctx, p, c, options) {
				return
			}
		}
		p.contracts = nil
	}
}

// explore runs a campaign and records its result. If the campaign was
// cancelled, it records statistics only and returns false.
func (e *campaigns) explore(ctx context.Context, p *plan, c *Contract, options engine.Options) bool {
	options.MaxInputs = e.MaxInputs
	options.Corpus = e.corpora.dir(e.store.snapshot(), p.path, c.Name)
	result, took := e.runAtLength(ctx, p, c, options)
	if verdicts := p.verdicts[c.Name]; result != nil && verdicts != nil {
		result.Findings = append(slices.Clone(verdicts.Findings), result.Findings...)
	}
	if ctx.Err() != nil {
		e.store.updateContract(p.path, c, func(c *Contract, _ *Snapshot) { c.interrupted(result, took) })
		return false
	}
	if result != nil {
		e.store.updateContract(p.path, c, func(c *Contract, next *Snapshot) { c.completed(result, took, next) })
	} else {
		e.store.updateContract(p.path, c, func(c *Contract, _ *Snapshot) { c.running = false })
	}
	return true
}

// runAtLength runs a campaign, again with more time if it tried little. It returns the
// last result and how long that took.
func (e *campaigns) runAtLength(ctx context.Context, p *plan, c *Contract, options engine.Options) (*finding.Result, time.Duration) {
	for longest := longestStretch * options.Time; ; options.Time *= 2 {
		start := e.now()
		result := e.run(ctx, p, c, e.Fuzz, options)
		took := e.now().Sub(start)
		late := result != nil && options.Time > 0 && took >= options.Time && options.Time < longest
		if ctx.Err() != nil || !late || result.Stats.Inputs >= leastInputs || c.RunsTests() { // tests run once each, however late
			return result, took
		}
		if now := e.store.snapshot().contract(p.path, c.Name); now != nil {
			c = now // with what was found
		}
		e.store.update(func(next *Snapshot) { next.Activity.Budget, next.Activity.Left = 2*options.Time, 2*options.Time })
	}
}

// contract returns a contract of the current analysis of a file, nil if there
// is none.
func (s *Snapshot) contract(path, name string) *Contract {
	a := s.Analyses[path]
	if a == nil {
		return nil
	}
	for _, c := range a.Contracts {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// run runs the engine on a contract and records events as they come. It
// returns nil if the engine failed. The caller resets Contract.running.
func (e *campaigns) run(ctx context.Context, p *plan, c *Contract, execute RunFunc, options engine.Options) *finding.Result {
	known := slices.Clone(c.known)
	for _, k := range known {
		options.Known = append(options.Known, k.Witness)
	}
	options.Severities = map[string]finding.Severity{}
	for name, severity := range e.store.snapshot().SettingsFor(p.path).Oracles {
		if severity == finding.Off { // other severities affect the display only
			options.Severities[name] = severity
		}
	}
	out, closed, failed := e.hosts.open(ctx, c.Contract, e.store.snapshot().SettingsFor(p.path), nil, false)
	defer closed()
	if failed != nil {
		execute = func(context.Context, *solc.Contract, []*solc.Contract, engine.Options) (*finding.Result, error) {
			return nil, failed
		}
	}
	options.Fork, options.Tests.Host, options.Tests.Executed, options.Tests.Prints = out.Fork, out.Host, c.executedBefore(), true
	options.Observe = func(event engine.Event) {
		if ctx.Err() == nil { // the last event of a cancelled campaign is not reliable
			e.observe(p.path, c, known, event)
		}
	}
	e.store.updateContract(p.path, c, func(c *Contract, _ *Snapshot) { c.running = true })
	result, err := e.guarded(ctx, execute, c.Contract, p.build.Contracts, options)
	if err != nil && result != nil { // the corpus could not be saved, or a fork could not be read, which its note says
		if !errors.As(err, new(*engine.ForkError)) {
			e.corpora.warn(err)
		}
		err = nil
	}
	if hung := (*hang)(nil); errors.As(err, &hung) || err != nil && ctx.Err() == nil {
		e.log.Sugar().Errorf("campaign on %s in %s: %v", c.Name, p.path, err)
		e.store.updateContract(p.path, c, func(c *Contract, _ *Snapshot) {
			c.Note = "not fuzzed: " + err.Error()
			c.complete, c.failed = true, true // the same code would fail again
		})
		result = nil
	}
	return result
}

// observe records one event of a campaign.
func (e *campaigns) observe(path string, c *Contract, known []knownFinding, event engine.Event) {
	switch event.Kind {
	case engine.EventGone:
		if event.Index < 0 || event.Index >= len(known) {
			return
		}
		e.store.updateContract(path, c, func(c *Contract, _ *Snapshot) { c.drop(known[event.Index].same) })
	case engine.EventFound, engine.EventShrunk:
		e.store.updateContract(path, c, func(c *Contract, next *Snapshot) { c.add(event.Finding, next) })
	}
	if event.Test != nil {
		e.store.updateContract(path, c, func(c *Contract, _ *Snapshot) { c.ended(*event.Test) })
	}
	if event.Explored != nil {
		e.store.updateContract(path, c, func(c *Contract, _ *Snapshot) { c.Explored = event.Explored })
	}
	if event.Kind == engine.EventProgress {
		e.store.update(func(next *Snapshot) {
			next.Activity.Left, next.Activity.Stats = event.Left, event.Stats
		})
	}
}

// completed records the result of a campaign that was not cancelled.
func (c *Contract) completed(result *finding.Result, took time.Duration, next *Snapshot) {
	seen := map[string]bool{}
	for i := range result.Findings {
		seen[result.Findings[i].ID] = true
		c.add(&result.Findings[i], next)
	}
	// The engine executes known findings before its first input. After that,
	// known findings that are not in the result no longer fail.
	if result.Stats.Inputs > 0 || result.Note != "" {
		c.drop(func(k knownFinding) bool { return !seen[k.ID] })
	}
	if result.Stats.Paths <= c.paths {
		c.plateau++
	} else {
		c.plateau = 0
	}
	c.paths = result.Stats.Paths
	c.running = false
	if result.Coverage != nil {
		// The last event is lost if the oracles were switched off at that moment
		// and on again before the campaign ended.
		c.Explored = result.Coverage
	}
	c.complete, c.failed, c.base, c.Stats, c.Note = true, false, c.sources.texts, result.Stats, result.Note
	c.explored = exploration{c.Explored, c.sources}
	c.Spent += took
}

// ended records the result of a test.
func (c *Contract) ended(t finding.Test) {
	c.Tests = slices.DeleteFunc(slices.Clone(c.Tests), func(old finding.Test) bool { return old.Signature == t.Signature })
	c.Tests = append(c.Tests, t)
	if t.Executed != nil {
		c.executed = maps.Clone(c.executedBefore())
		c.executed[t.Signature] = t.Executed
	}
}

// executedBefore returns what the tests of a contract executed the last time. It is not
// nil.
func (c *Contract) executedBefore() map[string][]string {
	if c.executed == nil {
		return map[string][]string{}
	}
	return c.executed
}

// interrupted records the statistics of a cancelled campaign unless one
// completed before.
func (c *Contract) interrupted(result *finding.Result, took time.Duration) {
	c.running = false
	ran := result != nil && result.Stats.Inputs > 0
	if ran {
		c.Spent += took
	}
	if c.complete {
		c.Explored, _ = c.explored.in(c)
		return
	}
	c.explored = exploration{c.Explored, c.sources}
	if ran {
		c.Stats = result.Stats
	}
}

// drop removes findings.
func (c *Contract) drop(which func(knownFinding) bool) {
	c.known = slices.DeleteFunc(slices.Clone(c.known), which)
}

// same reports whether other is the same finding, seen in the same code.
func (k knownFinding) same(other knownFinding) bool { return k.ID == other.ID && k.code == other.code }

// add adds a finding. It replaces the same finding, also if an edit changed its
// id: an oracle reports one finding for a position.
func (c *Contract) add(f *finding.Finding, next *Snapshot) {
	fresh := knownFinding{Finding: f, path: f.Place.Path, sources: c.sources, code: c.code}
	if source := c.Build.Source(c.File); fresh.path == "" && source != nil {
		fresh.path = source.Path
	}
	_, compiled := c.sources.texts[fresh.path]
	if !compiled {
		return // there is no text to show it in
	}
	if i := slices.IndexFunc(c.known, fresh.same); i >= 0 {
		fresh.check = c.known[i].check
	}
	c.drop(func(old knownFinding) bool { return old.ID == f.ID || old.due && next.overlap(old, fresh) })
	c.known = append(c.known, fresh)
}

// overlap reports whether two findings of one oracle overlap in the current
// text.
func (s *Snapshot) overlap(a, b knownFinding) bool {
	if a.Oracle != b.Oracle || a.path != b.path {
		return false
	}
	one, effectOnOne := s.follow(a.path, a.sources.texts[a.path], a.Place.Span)
	other, effectOnOther := s.follow(b.path, b.sources.texts[b.path], b.Place.Span)
	return effectOnOne != deleted && effectOnOther != deleted && one.Start < other.End() && other.Start < one.End()
}
