package session

import (
	"context"
	"time"
)

// A worker processes the requests of the queue, one pipeline at a time. While
// there are none, it checks findings on the project's own build and runs idle
// campaigns.
type worker struct {
	store     *store
	queue     *queue
	builder   *builder
	campaigns *campaigns
	checks    *checks
	sleep     func(context.Context, time.Duration)
	coalesce  time.Duration
}

// run works from begun until ctx is done.
func (w *worker) run(ctx context.Context, begun <-chan struct{}) {
	select {
	case <-begun:
	case <-ctx.Done():
	}
	for ctx.Err() == nil {
		if w.queue.waits() {
			w.sleep(ctx, w.coalesce)
		}
		if requests, work := w.queue.take(ctx); requests != nil {
			unfinished, dependents := w.pipeline(work, requests)
			w.queue.finish(unfinished)
			w.queue.enqueueDependents(dependents)
			w.queue.resume()
			w.queue.settle()
			continue
		}
		if work := w.queue.beginIdle(ctx); work != nil {
			ran := w.checks.next(work) || w.campaigns.idle(work)
			if ran {
				w.queue.settle()
			}
			w.queue.finish(nil)
			if ran {
				continue
			}
		}
		w.store.setActivity(Activity{})
		select {
		case <-ctx.Done():
		case <-w.queue.wake:
		}
	}
}

// pipeline compiles the files of all requests, executes known findings again, runs
// unit tests, then fuzzes: the order that answers soonest. It returns the requests that
// were cancelled and those for files that import the compiled ones.
func (w *worker) pipeline(ctx context.Context, requests []request) (unfinished, dependents []request) {
	var plans []*plan
	for i, r := range requests {
		p := w.builder.update(ctx, r)
		if ctx.Err() != nil {
			return append(unfinishedRequests(plans), requests[i:]...), w.builder.dependents(plans)
		}
		if p != nil {
			plans = append(plans, p)
		}
	}
	w.campaigns.revalidate(ctx, plans)
	w.campaigns.verdicts(ctx, plans)
	w.campaigns.fuzz(ctx, plans)
	w.campaigns.recheckMoved(ctx, plans)
	return unfinishedRequests(plans), w.builder.dependents(plans)
}

func unfinishedRequests(plans []*plan) []request {
	var requests []request
	for _, p := range plans {
		if !p.done() {
			requests = append(requests, p.request)
		}
	}
	return requests
}
