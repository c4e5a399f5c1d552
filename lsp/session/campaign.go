package session

import (
	"context"
	"errors"
	"slices"
	"time"

	"leveret/engine"
	"leveret/engine/finding"
	"leveret/solc"
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
			c := s.contract(p.path, name)
			if c == nil || len(c.Marks) == 0 || ctx.Err() != nil {
				continue
			}
			s.setActivity(Activity{Kind: Validation, Path: p.path, Contract: name})
			s.campaign(ctx, p, c, engine.Options{MaxInputs: 1})
		}
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
			if c == nil {
				continue
			}
			if ctx.Err() != nil {
				return
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
		p.done = true
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
	set := s.Snapshot().SettingsFor(p.path)
	known := slices.Clone(c.Marks)
	for _, m := range known {
		options.Known = append(options.Known, m.Finding.Witness)
	}
	options.Severities = set.Oracles
	options.Observe = func(e engine.Event) { s.observe(p.path, c.Contract, known, e) }
	s.changeContract(p.path, c.Contract, func(c *Contract, _ *Snapshot) { c.State = StateRunning })
	result, err := s.guardedFuzz(ctx, c.Contract, p.build.Contracts, options)
	if err != nil && result != nil { // nothing is lost but saved inputs
		s.unkept(err)
		err = nil
	}
	if hung := (*hang)(nil); errors.As(err, &hung) || err != nil && ctx.Err() == nil {
		s.config.Log.Sugar().Errorf("campaign on %s in %s: %v", c.Name, p.path, err)
		s.changeContract(p.path, c.Contract, func(c *Contract, _ *Snapshot) {
			c.Note = "not fuzzed: " + err.Error()
			c.complete = true // trying the same again would fail again
			c.stale()
			c.State = c.settled()
		})
		return nil
	}
	return result
}

// observe shows one event of a campaign.
func (s *Session) observe(path string, compiled *solc.Contract, known []Mark, e engine.Event) {
	switch e.Kind {
	case engine.EventGone:
		if e.Index < 0 || e.Index >= len(known) {
			return
		}
		id := known[e.Index].Finding.ID
		s.changeContract(path, compiled, func(c *Contract, _ *Snapshot) { c.forget(id) })
	case engine.EventFound:
		s.changeContract(path, compiled, func(c *Contract, next *Snapshot) {
			c.add(e.Finding, next, next.Analyses[path])
		})
	case engine.EventDone:
		s.changeContract(path, compiled, func(c *Contract, _ *Snapshot) { c.Explored = e.Explored })
	case engine.EventProgress:
		if e.Explored != nil {
			s.changeContract(path, compiled, func(c *Contract, _ *Snapshot) { c.Explored = e.Explored })
		}
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
	texts := textsOf(p.build)
	s.changeContract(p.path, c.Contract, func(c *Contract, next *Snapshot) {
		// Every known finding was executed again, so what is not among the
		// results is no more.
		seen := map[string]bool{}
		for i := range result.Findings {
			seen[result.Findings[i].ID] = true
			c.add(&result.Findings[i], next, next.Analyses[p.path])
		}
		c.Marks = slices.DeleteFunc(slices.Clone(c.Marks), func(m Mark) bool { return !seen[m.Finding.ID] })
		if result.Stats.Paths <= c.paths {
			c.barren++
		} else {
			c.barren = 0
		}
		c.paths = result.Stats.Paths
		c.complete, c.base, c.Stats, c.Note = true, texts, result.Stats, result.Note
		c.Spent += took
		c.State = c.settled()
	})
}

// interrupted takes over the figures of a campaign that was stopped: somebody
// may want to know how far it came.
func (s *Session) interrupted(p *plan, c *Contract, result *finding.Result, took time.Duration) {
	if result == nil || result.Stats.Inputs == 0 {
		return
	}
	s.changeContract(p.path, c.Contract, func(c *Contract, _ *Snapshot) {
		c.Spent += took
		if !c.complete {
			c.Stats = result.Stats
		}
	})
}

// textsOf returns the texts that a build was made of.
func textsOf(build *solc.Build) map[string][]byte {
	texts := map[string][]byte{}
	for _, source := range build.Sources {
		if source != nil && source.Path != "" {
			texts[source.Path] = source.Text
		}
	}
	return texts
}

// forget drops a mark.
func (c *Contract) forget(id string) {
	c.Marks = slices.DeleteFunc(slices.Clone(c.Marks), func(m Mark) bool { return m.Finding.ID == id })
}

// add puts a finding where it is in the present text. It takes the place of
// the same one from before, also where an edit changed its id: one oracle says
// one thing about one place.
func (c *Contract) add(f *finding.Finding, next *Snapshot, a *Analysis) {
	m := Mark{Finding: f, Path: f.Place.Path, Span: f.Place.Span}
	if m.Path == "" {
		m.Path = a.Path
	}
	compiled, _ := a.built(m.Path)
	d := next.Documents[m.Path]
	if d == nil {
		d = newDocument("", m.Path, 0, false, compiled)
		next.Documents[m.Path] = d
	}
	start, end, fate := follow(compiled, d.Text, d.since(compiled), m.Span.Start, m.Span.End())
	if fate == gone {
		return
	}
	m.Span.Start, m.Span.Length, m.Stale = start, end-start, fate == touched
	c.Marks = slices.DeleteFunc(slices.Clone(c.Marks), func(old Mark) bool {
		return old.Finding.ID == f.ID ||
			old.Stale && old.Finding.Oracle == f.Oracle && old.Path == m.Path && old.Span.Start < m.Span.End() && m.Span.Start < old.Span.End()
	})
	c.Marks = append(c.Marks, m)
}
