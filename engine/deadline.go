package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"leveret/engine/evm"
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
	case o.Now != nil || o.Time < 0 || o.Time == 0 && (o.MaxInputs > 0 || o.countsRuns()):
		return context.WithCancel(ctx)
	case o.Time == 0:
		return context.WithTimeout(ctx, defaultTime)
	}
	return context.WithTimeout(ctx, o.Time)
}

// A shutdown ends a campaign from outside when its context is done. Campaigns
// that only inputs limit never use it.
type shutdown struct {
	searching []*evm.Machine // that search
	triaging  []*evm.Machine // that have a grace
	over      atomic.Bool    // start nothing new; every machine is stopped
	closed    atomic.Bool    // the grace of triage is over too
	grace     time.Duration

	mu    sync.Mutex
	timer *time.Timer // of the grace; nil: it has not begun
}

// endWith has ctx end the campaign, until the returned function is called.
func (s *shutdown) endWith(ctx context.Context) func() {
	stop := context.AfterFunc(ctx, func() {
		s.grace = graceAtCancel
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			s.grace = graceInTime
		}
		s.over.Store(true)
		for _, m := range slices.Concat(s.searching, s.triaging) {
			m.Cancel()
		}
	})
	return func() {
		stop()
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.timer != nil {
			s.timer.Stop()
		}
	}
}

// isOver reports whether the campaign has to end at once.
func (s *shutdown) isOver() bool { return s.over.Load() }

// beginGrace starts the grace, once for all machines.
func (s *shutdown) beginGrace() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.timer == nil {
		s.timer = time.AfterFunc(s.grace, func() {
			s.closed.Store(true)
			for _, m := range s.triaging {
				m.Cancel()
			}
		})
	}
}

// A grace is the time that the triage of a worker has once the campaign is over.
// It belongs to the worker's goroutine.
type grace struct {
	shutdown *shutdown
	machine  *evm.Machine
	begun    bool
}

// allows reports whether triage may execute more. The first call after the end
// of the campaign starts the grace.
func (g *grace) allows() bool {
	if !g.shutdown.isOver() {
		return true
	}
	if !g.begun {
		g.begun = true
		g.machine.Resume()
		g.shutdown.beginGrace()
	}
	if g.shutdown.closed.Load() {
		g.machine.Cancel() // the grace may have ended before this machine was resumed
		return false
	}
	return true
}

// cutShort says why a campaign that was stopped did not fuzz.
func cutShort(ctx context.Context, contract, before string) string {
	if errors.Is(ctx.Err(), context.Canceled) {
		return fmt.Sprintf("%s was not fuzzed: it was stopped before %s", contract, before)
	}
	return fmt.Sprintf("%s was not fuzzed: its time ran out before %s; give it more time", contract, before)
}
