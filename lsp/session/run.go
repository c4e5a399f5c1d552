package session

import (
	"context"
	"errors"

	"leveret/solc"
)

// run is the session's one worker: it takes requests as they come, and deepens
// while there are none.
func (s *Session) run() {
	select {
	case <-s.begun:
	case <-s.ctx.Done():
	}
	for s.ctx.Err() == nil {
		if s.queue.waits() {
			s.config.Sleep(s.ctx, s.config.Coalesce)
		}
		if requests, ctx := s.queue.take(s.ctx); requests != nil {
			left, guests := s.pipeline(ctx, requests)
			s.queue.finish(left, s.uses)
			s.invite(guests)
			s.settle()
			continue
		}
		if ctx := s.queue.idle(s.ctx); ctx != nil {
			deepened := s.deepen(ctx)
			s.queue.finish(nil, s.uses)
			if deepened {
				continue
			}
		}
		s.setActivity(Activity{})
		select {
		case <-s.ctx.Done():
		case <-s.queue.wake:
		}
	}
}

// uses reports whether the analysis of path compiled used.
func (s *Session) uses(path, used string) bool {
	if path == used {
		return true
	}
	a := s.Snapshot().Analyses[path]
	if a == nil {
		return false
	}
	_, ok := a.texts[used]
	return ok
}

// A plan is what has to be done for a request once its file is compiled.
type plan struct {
	request
	build     *solc.Build
	contracts []string // to fuzz, by name
	fresh     bool     // it was compiled just now
	done      bool
}

// pipeline does what a save asks for, in the order that gives answers
// soonest: compile everything, look at known findings again, then fuzz. It
// returns the requests that it was not let finish, and those that follow.
func (s *Session) pipeline(ctx context.Context, requests []request) (left, guests []request) {
	var plans []*plan
	for i, r := range requests {
		p, err := s.compile(ctx, r)
		if ctx.Err() != nil {
			return append(undone(plans), requests[i:]...), nil
		}
		if err != nil {
			s.fail(r.path, err)
			continue
		}
		if p != nil {
			plans = append(plans, p)
		}
	}
	s.revalidate(ctx, plans)
	s.fuzz(ctx, plans)
	if left = undone(plans); len(left) == 0 && ctx.Err() == nil {
		guests = s.guests(plans)
	}
	return left, guests
}

func undone(plans []*plan) []request {
	var left []request
	for _, p := range plans {
		if !p.done {
			left = append(left, p.request)
		}
	}
	return left
}

// fail keeps what was found before, as stale, and says why there is nothing
// new.
func (s *Session) fail(path string, err error) {
	failure := &Failure{Text: err.Error()}
	var told *solc.Failure
	if errors.As(err, &told) {
		failure.Path, failure.Line, failure.Install = told.File, told.Line, told.Install
	}
	if s.unwelcome(path) {
		return
	}
	s.change(path, func(a *Analysis, next *Snapshot) {
		a.Phase = Ready
		a.Failure = failure
		a.texts = withText(a.texts, next.Documents, path, failure.Path)
		for i, c := range a.Contracts {
			stale := *c
			stale.stale()
			a.Contracts[i] = &stale
		}
	})
}

// change replaces an analysis by what f makes of a copy.
func (s *Session) change(path string, f func(a *Analysis, next *Snapshot)) {
	s.update(func(next *Snapshot) {
		a := next.Analyses[path]
		if a == nil {
			return // closed meanwhile
		}
		a = a.clone()
		f(a, next)
		next.Analyses[path] = a
	})
}

// changeContract replaces one contract of an analysis by what f makes of a
// copy, as long as it is still the one that was compiled then.
func (s *Session) changeContract(path string, compiled *solc.Contract, f func(c *Contract, next *Snapshot)) {
	s.change(path, func(a *Analysis, next *Snapshot) {
		for i, c := range a.Contracts {
			if c.Contract == compiled {
				changed := *c
				f(&changed, next)
				a.Contracts[i] = &changed
			}
		}
	})
}

// settle gives everything that waits for nobody its final state.
func (s *Session) settle() {
	s.queue.mu.Lock()
	waiting := map[string]bool{}
	for _, r := range s.queue.waiting {
		waiting[r.path] = true
	}
	s.queue.mu.Unlock()
	s.update(func(next *Snapshot) {
		for path, a := range next.Analyses {
			if waiting[path] {
				continue
			}
			a = a.clone()
			a.Phase = Ready
			for i, c := range a.Contracts {
				settled := *c
				settled.State = c.settled()
				a.Contracts[i] = &settled
			}
			next.Analyses[path] = a
		}
	})
}

// settled is the state of a contract that nothing is being done about.
func (c *Contract) settled() State {
	switch {
	case c.State == StateSkipped:
		return StateSkipped
	case len(c.Marks) > 0:
		return StateFindings
	case !c.complete:
		return StateStale
	}
	return StateClean
}

func (s *Session) setActivity(a Activity) {
	s.update(func(next *Snapshot) {
		a.Serial = next.Activity.Serial
		if a.Kind != next.Activity.Kind || a.Path != next.Activity.Path || a.Contract != next.Activity.Contract {
			a.Serial++
		}
		next.Activity = a
	})
}
