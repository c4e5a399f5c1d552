package session

import (
	"context"
	"errors"
	"slices"
	"time"

	"leveret/engine"
	"leveret/engine/finding"
)

// minBudget is what a contract gets at least of a budget that many share:
// below it a campaign hardly starts.
const minBudget = time.Second

// revalidate executes the known findings of changed contracts again, before
// any of them is fuzzed, so that what was fixed goes at once. A single
// contract's campaign starts with just that.
func (s *Session) revalidate(ctx context.Context, plans []*plan) {
	count := 0
	for _, p := range plans {
		count += len(p.contracts)
	}
	if count < 2 {
		return
	}
	for _, p := range plans {
		for _, name := range p.contracts {
			s.check(ctx, p, name)
		}
	}
}

// check executes the known findings of a contract again, and nothing else.
func (s *Session) check(ctx context.Context, p *plan, name string) *finding.Result {
	c := s.contract(p.path, name)
	if c == nil || len(c.known) == 0 || ctx.Err() != nil {
		return nil
	}
	s.setActivity(Activity{Kind: Validation, Path: p.path, Contract: name})
	return s.campaign(ctx, p, c, engine.Options{MaxInputs: 1})
}

// checks executes the findings again whose contracts have the code they were
// found in, but other sources: only the engine can tell where they are now.
func (s *Session) checks(ctx context.Context, plans []*plan) {
	for _, p := range plans {
		for _, name := range p.checks {
			result := s.check(ctx, p, name)
			if ctx.Err() != nil {
				return
			}
			if c := s.contract(p.path, name); c != nil && result != nil {
				s.changeContract(p.path, c, func(c *Contract, _ *Snapshot) {
					c.drop(func(k known) bool { return k.due })
				})
			}
		}
		p.checks = nil
	}
}

// fuzz runs the campaigns of plans, sharing the budget among the contracts of
// each.
func (s *Session) fuzz(ctx context.Context, plans []*plan) {
	for _, p := range plans {
		set := s.Snapshot().SettingsFor(p.path)
		budget := p.budget
		if budget == 0 {
			budget = set.Budget
		}
		share := max(budget/time.Duration(max(1, len(p.contracts))), min(budget, minBudget))
		for _, name := range p.contracts {
			c := s.contract(p.path, name)
			if ctx.Err() != nil {
				return
			}
			if c == nil {
				continue
			}
			lines := s.targets(ctx, p, c, set)
			s.setActivity(Activity{Kind: Campaign, Path: p.path, Contract: name, Budget: share, Left: share})
			start := s.config.Now()
			result := s.campaign(ctx, p, c, engine.Options{
				Time:      share,
				MaxInputs: s.config.Inputs,
				Lines:     lines,
				Corpus:    s.corpus(p.path, name),
				Seed:      set.Seed,
				Workers:   set.Threads(),
			})
			if ctx.Err() != nil {
				s.interrupted(p, c, result, s.config.Now().Sub(start))
				return
			}
			s.complete(p, c, result, s.config.Now().Sub(start))
		}
		p.contracts = nil
	}
}

// contract returns a contract of the present analysis of a file.
func (s *Session) contract(path, name string) *Contract {
	a := s.Snapshot().Analyses[path]
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

// campaign runs the engine on a contract and shows what it finds as it comes.
func (s *Session) campaign(ctx context.Context, p *plan, c *Contract, options engine.Options) *finding.Result {
	known := slices.Clone(c.known)
	for _, k := range known {
		options.Known = append(options.Known, k.Witness)
	}
	options.Severities = map[string]finding.Severity{}
	for name, severity := range s.Snapshot().SettingsFor(p.path).Oracles {
		if severity == finding.Off { // other severities are a matter of showing
			options.Severities[name] = severity
		}
	}
	options.Observe = func(e engine.Event) {
		if ctx.Err() == nil { // what was stopped half-way says nothing about what it was doing
			s.observe(p.path, c, known, options.MaxInputs != 1, e)
		}
	}
	s.changeContract(p.path, c, func(c *Contract, _ *Snapshot) { c.running = true })
	result, err := s.guardedFuzz(ctx, c.Contract, p.build.Contracts, options)
	if err != nil && result != nil { // nothing is lost but saved inputs
		s.unkept(err)
		err = nil
	}
	if hung := (*hang)(nil); errors.As(err, &hung) || err != nil && ctx.Err() == nil {
		s.config.Log.Sugar().Errorf("campaign on %s in %s: %v", c.Name, p.path, err)
		s.changeContract(p.path, c, func(c *Contract, _ *Snapshot) {
			c.Note = "not fuzzed: " + err.Error()
			c.complete, c.failed = true, true // trying the same again would fail again
		})
		result = nil
	}
	if result == nil || options.MaxInputs == 1 { // else what follows says so
		s.changeContract(p.path, c, func(c *Contract, _ *Snapshot) { c.running = false })
	}
	return result
}

// observe shows one event of a campaign; explores is whether it does more than
// to execute what is known.
func (s *Session) observe(path string, c *Contract, known []known, explores bool, e engine.Event) {
	switch e.Kind {
	case engine.EventGone:
		if e.Index < 0 || e.Index >= len(known) {
			return
		}
		s.changeContract(path, c, func(c *Contract, _ *Snapshot) { c.drop(known[e.Index].same) })
	case engine.EventFound:
		s.changeContract(path, c, func(c *Contract, next *Snapshot) { c.add(e.Finding, next) })
	}
	if explores && e.Explored != nil {
		s.changeContract(path, c, func(c *Contract, _ *Snapshot) { c.Explored = e.Explored })
	}
	if e.Kind == engine.EventProgress {
		s.update(func(next *Snapshot) {
			next.Activity.Left, next.Activity.Stats = e.Left, e.Stats
		})
	}
}

// complete takes over the result of a campaign that ran to its end.
func (s *Session) complete(p *plan, c *Contract, result *finding.Result, took time.Duration) {
	if result == nil {
		return
	}
	s.changeContract(p.path, c, func(c *Contract, next *Snapshot) {
		seen := map[string]bool{}
		for i := range result.Findings {
			seen[result.Findings[i].ID] = true
			c.add(&result.Findings[i], next)
		}
		// Known findings come before any input. Once there was one, what is not
		// among the results was executed again and did not fail.
		if result.Stats.Inputs > 0 || result.Note != "" {
			c.drop(func(k known) bool { return !seen[k.ID] })
		}
		if result.Stats.Paths <= c.paths {
			c.barren++
		} else {
			c.barren = 0
		}
		c.paths = result.Stats.Paths
		c.running = false
		c.complete, c.failed, c.base, c.Stats, c.Note = true, false, c.sources.texts, result.Stats, result.Note
		c.explored = exploration{c.Explored, c.sources}
		c.Spent += took
	})
}

// interrupted takes over the figures of a campaign that was stopped, if no
// other one came further.
func (s *Session) interrupted(p *plan, c *Contract, result *finding.Result, took time.Duration) {
	s.changeContract(p.path, c, func(c *Contract, _ *Snapshot) {
		c.running = false
		tried := result != nil && result.Stats.Inputs > 0
		if tried {
			c.Spent += took
		}
		if c.complete {
			c.Explored, _ = c.explored.in(c)
			return
		}
		c.explored = exploration{c.Explored, c.sources}
		if tried {
			c.Stats = result.Stats
		}
	})
}

// drop forgets findings.
func (c *Contract) drop(which func(known) bool) {
	c.known = slices.DeleteFunc(slices.Clone(c.known), which)
}

// same reports whether other is the same finding, seen in the same code.
func (k known) same(other known) bool { return k.ID == other.ID && k.code == other.code }

// add takes a finding in. It takes the place of the same one from before, also
// where an edit changed its id: one oracle says one thing about one place.
func (c *Contract) add(f *finding.Finding, next *Snapshot) {
	fresh := known{Finding: f, path: f.Place.Path, sources: c.sources, code: c.code}
	if source := c.Build.Source(c.File); fresh.path == "" && source != nil {
		fresh.path = source.Path
	}
	_, compiled := c.sources.texts[fresh.path]
	if !compiled {
		return // there is no text to show it in
	}
	c.drop(func(old known) bool { return old.ID == f.ID || old.due && next.overlap(old, fresh) })
	c.known = append(c.known, fresh)
}

// overlap reports whether one oracle blames texts that are in the same place
// now.
func (s *Snapshot) overlap(a, b known) bool {
	if a.Oracle != b.Oracle || a.path != b.path {
		return false
	}
	one, f := s.follow(a.path, a.sources.texts[a.path], a.Place.Span)
	other, g := s.follow(b.path, b.sources.texts[b.path], b.Place.Span)
	return f != gone && g != gone && one.Start < other.End() && other.Start < one.End()
}
