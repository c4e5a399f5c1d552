package session

import (
	"context"
	"time"

	"leveret/engine"
	"leveret/lsp/settings"
)

// maxIdleBudget is the budget of a contract's last idle campaign.
const maxIdleBudget = 120 * time.Second

// maxPlateau is how many campaigns in a row may find no new path before a
// contract gets no more idle campaigns.
const maxPlateau = 2

// idle runs one more campaign, with twice the budget, on the contract that had
// the fewest. It reports whether there was one to run.
func (e *campaigns) idle(ctx context.Context) bool {
	p, c, set := e.store.snapshot().nextIdle()
	if c == nil {
		return false
	}
	budget := idleBudget(set.Budget, c.level)
	e.store.setActivity(Activity{Kind: IdleCampaign, Path: p.path, Contract: c.Name, Budget: budget, Left: budget})
	if e.explore(ctx, p, c, engine.Options{
		Time:    budget,
		Seed:    set.Seed + uint64(c.level) + 1, // the same seed would repeat the same inputs
		Workers: set.Threads(),
	}) {
		e.store.updateContract(p.path, c, func(c *Contract, _ *Snapshot) { c.level++ })
	}
	return true
}

// idleBudget doubles with every level.
func idleBudget(base time.Duration, level int) time.Duration {
	budget := base
	for range level + 1 {
		if budget *= 2; budget >= maxIdleBudget {
			return maxIdleBudget
		}
	}
	return budget
}

// nextIdle returns the contract with the fewest idle campaigns of those that
// may have another one; nil if there is none.
func (s *Snapshot) nextIdle() (*plan, *Contract, settings.Settings) {
	var best *Contract
	var p *plan
	for path, a := range s.Analyses {
		set := s.SettingsFor(path)
		if !set.Idle || a.Build == nil || a.Failure != nil || a.Dependent {
			continue
		}
		for _, c := range a.Contracts {
			if c.mayIdle(set) && (best == nil || c.level < best.level || c.level == best.level && c.Name < best.Name) {
				best, p = c, &plan{request: request{path: path}, build: a.Build}
			}
		}
	}
	if best == nil || !s.unchanged(s.Analyses[p.path]) {
		return nil, nil, settings.Settings{}
	}
	return p, best, s.SettingsFor(p.path)
}

// mayIdle reports whether a longer campaign may reach more: branches are left,
// and the last campaigns found new paths.
func (c *Contract) mayIdle(set settings.Settings) bool {
	switch {
	case !c.complete || c.Note != "":
		return false
	case c.level > 0 && idleBudget(set.Budget, c.level-1) >= maxIdleBudget:
		return false
	case c.plateau >= maxPlateau && c.level >= maxPlateau:
		return false
	}
	return c.Stats.Jumps.Seen == 0 && c.level == 0 || c.Stats.Jumps.Covered < c.Stats.Jumps.Seen
}
