package engine

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"
)

// How long the judge may go on once a campaign is over, to make what was just
// found plainer: what it has then is reported as it is. Who cancels a campaign
// waits for it.
const (
	graceInTime   = 200 * time.Millisecond
	graceAtCancel = 60 * time.Millisecond
)

// until limits a context to the time budget. Campaigns with a clock of their
// own look at that alone.
func (o *Options) until(ctx context.Context) (context.Context, context.CancelFunc) {
	switch {
	case o.Now != nil || o.Time < 0 || o.Time == 0 && o.MaxInputs > 0:
		return context.WithCancel(ctx)
	case o.Time == 0:
		return context.WithTimeout(ctx, defaultTime)
	}
	return context.WithTimeout(ctx, o.Time)
}

// A shutdown is how a campaign comes to its end from outside: its context is
// done. Nothing of it happens in campaigns that are limited by inputs alone.
type shutdown struct {
	over   atomic.Bool // start nothing new; every Machine is stopped
	closed atomic.Bool // the judge's grace is over too
	grace  time.Duration
	timer  *time.Timer // of the grace; nil: it has not begun
}

// endWith has ctx end the campaign, until the function that it returns is
// called.
func (c *campaign) endWith(ctx context.Context) func() {
	stop := context.AfterFunc(ctx, func() {
		c.shutdown.grace = graceAtCancel
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			c.shutdown.grace = graceInTime
		}
		c.cancel()
		c.shutdown.over.Store(true)
	})
	return func() {
		stop()
		if c.shutdown.timer != nil {
			c.shutdown.timer.Stop()
		}
	}
}

// over reports whether the campaign has to end at once.
func (c *campaign) over() bool { return c.shutdown.over.Load() }

// judging reports whether the judge may execute more. The first time that it is
// asked after the end its grace begins.
func (c *campaign) judging() bool {
	e := &c.shutdown
	if !e.over.Load() {
		return true
	}
	if e.timer == nil {
		machine := c.judge.executor.Machine
		machine.Resume()
		e.timer = time.AfterFunc(e.grace, func() {
			e.closed.Store(true)
			machine.Cancel()
		})
	}
	return !e.closed.Load()
}

// cutShort says why a campaign that was stopped did not fuzz.
func cutShort(ctx context.Context, contract, before string) string {
	if errors.Is(ctx.Err(), context.Canceled) {
		return fmt.Sprintf("%s was not fuzzed: it was stopped before %s", contract, before)
	}
	return fmt.Sprintf("%s was not fuzzed: its time ran out before %s; give it more time", contract, before)
}
