package engine

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"
)

// How long triage may go on once a campaign is over, to shrink what was found
// last; it reports what it has then. Callers that cancel a campaign wait for it.
const (
	graceInTime   = 200 * time.Millisecond
	graceAtCancel = 60 * time.Millisecond
)

// until limits a context to the time budget. Campaigns with a clock of their own
// use only that clock.
func (o *Options) until(ctx context.Context) (context.Context, context.CancelFunc) {
	switch {
	case o.Now != nil || o.Time < 0 || o.Time == 0 && o.MaxInputs > 0:
		return context.WithCancel(ctx)
	case o.Time == 0:
		return context.WithTimeout(ctx, defaultTime)
	}
	return context.WithTimeout(ctx, o.Time)
}

// A shutdown ends a campaign from outside when its context is done. Campaigns
// that only inputs limit never use it.
type shutdown struct {
	deployed *deployed
	over     atomic.Bool // start nothing new; every machine is stopped
	closed   atomic.Bool // the grace of triage is over too
	grace    time.Duration
	timer    *time.Timer // of the grace; nil: it has not begun
}

// endWith has ctx end the campaign, until the returned function is called.
func (s *shutdown) endWith(ctx context.Context) func() {
	stop := context.AfterFunc(ctx, func() {
		s.grace = graceAtCancel
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			s.grace = graceInTime
		}
		for _, x := range s.deployed.executors {
			x.Machine.Cancel()
		}
		s.deployed.replayer.Machine.Cancel()
		s.over.Store(true)
	})
	return func() {
		stop()
		if s.timer != nil {
			s.timer.Stop()
		}
	}
}

// isOver reports whether the campaign has to end at once.
func (s *shutdown) isOver() bool { return s.over.Load() }

// allowsTriage reports whether triage may execute more. The first call after the
// end starts its grace.
func (s *shutdown) allowsTriage() bool {
	if !s.over.Load() {
		return true
	}
	if s.timer == nil {
		machine := s.deployed.replayer.Machine
		machine.Resume()
		s.timer = time.AfterFunc(s.grace, func() {
			s.closed.Store(true)
			machine.Cancel()
		})
	}
	return !s.closed.Load()
}

// cutShort says why a campaign that was stopped did not fuzz.
func cutShort(ctx context.Context, contract, before string) string {
	if errors.Is(ctx.Err(), context.Canceled) {
		return fmt.Sprintf("%s was not fuzzed: it was stopped before %s", contract, before)
	}
	return fmt.Sprintf("%s was not fuzzed: its time ran out before %s; give it more time", contract, before)
}
