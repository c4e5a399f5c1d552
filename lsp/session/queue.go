package session

import (
	"context"
	"slices"
	"sync"
	"time"

	"leveret/solc/srcmap"
)

// A request asks for a file to be analysed.
type request struct {
	path  string
	force bool // even if nothing changed
	saved bool // the user saved it
	guest bool // nobody opened it
	// before is the text of files that changed, before they did: what a first
	// campaign aims at.
	before map[string][]byte
	// fuzz asks for a campaign of its own, on one contract or, empty, all.
	fuzz     bool
	contract string
	spans    []srcmap.Span // of path to aim at
	budget   time.Duration
}

// A queue holds the requests that wait, newest last, and what runs. Newer
// requests come first: whoever saves waits for that file.
type queue struct {
	mu      sync.Mutex
	waiting []request
	wake    chan struct{}

	cancel  context.CancelFunc // of what runs; nil: nothing does
	working map[string]bool    // files that what runs is about; nil: deepening
	typed   map[string]bool    // of these, the ones that were edited since it started
	paused  bool               // the user types: no deepening until the next request
}

// enqueue adds requests and stops what runs in favour of them. A request for
// a file replaces an older one that asks no more than it does.
func (s *Session) enqueue(requests ...request) {
	if len(requests) == 0 {
		return
	}
	s.update(func(next *Snapshot) {
		for _, r := range requests {
			if d := next.Documents[r.path]; d == nil || !d.Open {
				continue // the request will come to nothing
			}
			a := next.Analyses[r.path]
			if a == nil {
				a = &Analysis{Path: r.path}
			}
			queued := *a
			queued.Phase, queued.Guest = Queued, false
			next.Analyses[r.path] = &queued
		}
	})
	q := &s.queue
	q.mu.Lock()
	q.paused = false
	for _, r := range requests {
		q.waiting = slices.DeleteFunc(q.waiting, func(w request) bool {
			r.force = r.force || w.path == r.path && w.force
			r.saved = r.saved || w.path == r.path && w.saved
			return w.path == r.path && (!w.fuzz || r.fuzz)
		})
		q.waiting = append(q.waiting, r)
	}
	if q.cancel != nil {
		q.cancel()
	}
	q.mu.Unlock()
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// interrupt stops what runs on a file, and deepening altogether.
func (s *Session) interrupt(path string) {
	q := &s.queue
	q.mu.Lock()
	defer q.mu.Unlock()
	q.paused = true
	if q.cancel != nil && (q.working == nil || q.working[path]) {
		q.typed[path] = true
		q.cancel()
	}
}

// drop forgets the requests for a file.
func (q *queue) drop(path string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = slices.DeleteFunc(q.waiting, func(w request) bool { return w.path == path })
}

// take empties the queue, newest first, and makes the context of the work.
func (q *queue) take(parent context.Context) ([]request, context.Context) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) == 0 {
		return nil, nil
	}
	requests := q.waiting
	q.waiting = nil
	slices.Reverse(requests)
	return requests, q.begin(parent, map[string]bool{})
}

// idle makes the context of deepening; nil if there is something better to do.
func (q *queue) idle(parent context.Context) context.Context {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.paused || len(q.waiting) > 0 {
		return nil
	}
	return q.begin(parent, nil)
}

func (q *queue) begin(parent context.Context, working map[string]bool) context.Context {
	ctx, cancel := context.WithCancel(parent)
	q.cancel, q.working, q.typed = cancel, working, map[string]bool{}
	return ctx
}

// about says which files the work is about: typing in one of them stops it.
func (q *queue) about(paths ...string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, path := range paths {
		q.working[path] = true
	}
}

// finish ends the work. What it did not get done waits behind newer requests,
// but not if it hangs on a text that is being edited: the next save asks
// again.
func (q *queue) finish(left []request, uses func(path, used string) bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.cancel()
	q.cancel = nil
	var again []request
	for _, r := range slices.Backward(left) {
		edited := false
		for path := range q.typed {
			edited = edited || uses(r.path, path)
		}
		if !edited && !slices.ContainsFunc(q.waiting, func(w request) bool { return w.path == r.path }) {
			again = append(again, r)
		}
	}
	q.waiting = append(again, q.waiting...)
}

// waits reports whether there are requests.
func (q *queue) waits() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.waiting) > 0
}
