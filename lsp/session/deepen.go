package session

import (
	"context"
	"time"

	"leveret/engine"
	"leveret/lsp/settings"
)

// maxDeepening is the longest budget of an idle campaign; the one that has it
// is the last.
const maxDeepening = 120 * time.Second

// barrenLevels is how many idle campaigns in a row may bring no new path
// before a contract is left alone.
const barrenLevels = 2

// deepen runs one more campaign, with twice the budget, on the contract that
// had the fewest. It reports whether there was one to run.
func (s *Session) deepen(ctx context.Context) bool {
	p, c, set := s.shallowest()
	if c == nil {
		return false
	}
	budget := deepBudget(set.Budget, c.level)
	s.setActivity(Activity{Kind: Deepening, Path: p.path, Contract: c.Name, Budget: budget, Left: budget})
	start := s.config.Now()
	result := s.campaign(ctx, p, c, engine.Options{
		Time:      budget,
		MaxInputs: s.config.Inputs,
		Corpus:    s.corpus(p.path, c.Name),
		Seed:      set.Seed + uint64(c.level) + 1, // the same seed would try the same again
		Workers:   set.Threads(),
	})
	if ctx.Err() != nil {
		s.interrupted(p, c, result, s.config.Now().Sub(start))
	} else {
		s.complete(p, c, result, s.config.Now().Sub(start))
		s.changeContract(p.path, c, func(c *Contract, _ *Snapshot) { c.level++ })
	}
	s.settle()
	return true
}

// deepBudget doubles with every level.
func deepBudget(base time.Duration, level int) time.Duration {
	budget := base
	for range level + 1 {
		if budget *= 2; budget >= maxDeepening {
			return maxDeepening
		}
	}
	return budget
}

// shallowest returns the contract that is worth another campaign and had the
// fewest; nil if there is none.
func (s *Session) shallowest() (*plan, *Contract, settings.Settings) {
	snapshot := s.Snapshot()
	var best *Contract
	var p *plan
	for path, a := range snapshot.Analyses {
		set := snapshot.SettingsFor(path)
		if !set.Idle || a.Build == nil || a.Failure != nil || a.Guest {
			continue
		}
		for _, c := range a.Contracts {
			if c.deepens(set) && (best == nil || c.level < best.level || c.level == best.level && c.Name < best.Name) {
				best, p = c, &plan{request: request{path: path}, build: a.Build}
			}
		}
	}
	if best == nil || !snapshot.unchanged(snapshot.Analyses[p.path]) {
		return nil, nil, settings.Settings{}
	}
	return p, best, snapshot.SettingsFor(p.path)
}

// deepens reports whether a longer campaign may bring more: branches are left,
// and the last campaigns were not all in vain.
func (c *Contract) deepens(set settings.Settings) bool {
	switch {
	case !c.complete || c.Note != "":
		return false
	case c.level > 0 && deepBudget(set.Budget, c.level-1) >= maxDeepening:
		return false
	case c.barren >= barrenLevels && c.level >= barrenLevels:
		return false
	}
	return c.Stats.Branches.Seen == 0 && c.level == 0 || c.Stats.Branches.Covered < c.Stats.Branches.Seen
}
