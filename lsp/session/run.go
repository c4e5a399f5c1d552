package session

import (
	"context"
	"slices"

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
			s.queue.finish(left, s.edited)
			s.invite(guests)
			s.resume()
			s.settle()
			continue
		}
		if ctx := s.queue.idle(s.ctx); ctx != nil {
			deepened := s.deepen(ctx)
			s.queue.finish(nil, s.edited)
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

// edited reports whether a text that a request is about was edited since.
func (s *Session) edited(r request) bool { return s.Snapshot().edited(r) }

// A plan is what has to be done for a request once its file is compiled.
type plan struct {
	request
	build     *solc.Build
	contracts []string // to fuzz, by name
	checks    []string // whose known findings are to be executed again, by name
}

func (p *plan) done() bool { return len(p.contracts)+len(p.checks) == 0 }

// pipeline does what a save asks for, in the order that gives answers
// soonest: compile everything, look at known findings again, then fuzz. It
// returns the requests that it was not let finish, and those that follow.
func (s *Session) pipeline(ctx context.Context, requests []request) (left, guests []request) {
	var plans []*plan
	for i, r := range requests {
		p := s.compile(ctx, r)
		if ctx.Err() != nil {
			return append(undone(plans), requests[i:]...), s.guests(plans)
		}
		if p != nil {
			plans = append(plans, p)
		}
	}
	s.revalidate(ctx, plans)
	s.fuzz(ctx, plans)
	s.checks(ctx, plans)
	return undone(plans), s.guests(plans)
}

func undone(plans []*plan) []request {
	var left []request
	for _, p := range plans {
		if !p.done() {
			left = append(left, p.request)
		}
	}
	return left
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
// copy, as long as it is still of that build and has those oracles.
func (s *Session) changeContract(path string, of *Contract, f func(c *Contract, next *Snapshot)) {
	s.change(path, func(a *Analysis, next *Snapshot) {
		for i, c := range a.Contracts {
			if c.Contract == of.Contract && c.off == of.off {
				changed := *c
				f(&changed, next)
				a.Contracts[i] = &changed
			}
		}
	})
}

// settle gives everything that waits for nobody its final state.
func (s *Session) settle() {
	s.update(func(next *Snapshot) {
		s.queue.mu.Lock()
		defer s.queue.mu.Unlock()
		for path, a := range next.Analyses {
			if a.Phase != Ready && !slices.ContainsFunc(s.queue.waiting, func(r request) bool { return r.path == path }) {
				settled := *a
				settled.Phase = Ready
				next.Analyses[path] = &settled
			}
		}
	})
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
