package session

import (
	"bytes"
	"context"
	"slices"
	"sync"
	"time"

	"leveret/solc/srcmap"
)

// A request asks for a file to be analysed.
type request struct {
	path    string
	force   bool // even if nothing changed
	saved   bool // the user saved it
	guest   bool // nobody opened it
	invites bool // it was compiled because it was saved: who imports it comes next
	// texts are those of the open documents that the request is about. While one
	// of them is being edited, the request rests.
	texts map[string][]byte
	// before is the text of files that changed, before they did: what a first
	// campaign aims at.
	before map[string][]byte
	// fuzz asks for a campaign of its own, on one contract or, empty, all.
	fuzz     bool
	contract string
	spans    []srcmap.Span // of path to aim at
	budget   time.Duration
}

// replaces reports whether r asks for all that an older request does.
func (r *request) replaces(old *request) bool { return r.path == old.path && (!old.fuzz || r.fuzz) }

// join takes over what an older request that r replaces asked for besides.
func (r *request) join(old *request) {
	r.force = r.force || old.force
	r.saved = r.saved || old.saved
	r.invites = r.invites || old.invites
}

// A queue holds the requests that wait, newest last, and what runs. Newer
// requests come first: whoever saves waits for that file.
type queue struct {
	mu      sync.Mutex
	waiting []request
	resting []request // until the texts that they are about are back
	wake    chan struct{}

	cancel  context.CancelFunc // of what runs; nil: nothing does
	working map[string]bool    // files that what runs is about; nil: deepening
	stopped bool               // what runs is not to be taken up again
	paused  bool               // the user types: no deepening until the next request
}

// enqueue adds requests and stops what runs in favour of them. A request for
// a file replaces an older one that asks no more than it does.
func (s *Session) enqueue(requests ...request) {
	if len(requests) == 0 {
		return
	}
	s.update(func(next *Snapshot) {
		texts := next.overlay()
		for i := range requests {
			requests[i].texts = texts
			next.queued(requests[i].path)
		}
	}, func() { s.queue.add(requests) })
	s.queue.rouse()
}

// queued gives an open file an analysis that says so.
func (s *Snapshot) queued(path string) {
	if d := s.Documents[path]; d == nil || !d.Open {
		return // the request will come to nothing
	}
	queued := Analysis{Path: path}
	if a := s.Analyses[path]; a != nil {
		queued = *a
	}
	queued.Phase, queued.Guest = Queued, false
	s.Analyses[path] = &queued
}

func (q *queue) add(requests []request) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.paused = false
	for _, r := range requests {
		replaced := func(old request) bool {
			if !r.replaces(&old) {
				return false
			}
			r.join(&old)
			return true
		}
		q.waiting = slices.DeleteFunc(q.waiting, replaced)
		q.resting = slices.DeleteFunc(q.resting, replaced)
		q.waiting = append(q.waiting, r)
	}
	if q.cancel != nil {
		q.cancel()
	}
}

func (q *queue) rouse() {
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
		q.cancel()
	}
}

// resume takes up what rests and whose texts are back.
func (s *Session) resume() {
	q := &s.queue
	q.mu.Lock()
	rests := len(q.resting) > 0
	q.mu.Unlock()
	if !rests {
		return
	}
	var again []request
	s.update(func(next *Snapshot) {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.resting = slices.DeleteFunc(q.resting, func(r request) bool {
			if next.edited(r) {
				return false
			}
			again = append(again, r)
			if a := next.Analyses[r.path]; a != nil {
				queued := *a
				queued.Phase = Queued
				next.Analyses[r.path] = &queued
			}
			return true
		})
	}, func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.waiting = append(q.waiting, again...)
	})
	q.rouse()
}

// deepenAgain lets idle campaigns go on where an edit was taken back.
func (s *Session) deepenAgain(path string) {
	snapshot := s.Snapshot()
	a, d := snapshot.Analyses[path], snapshot.Documents[path]
	if a == nil || d == nil || !bytes.Equal(a.texts[path], d.Text) {
		return
	}
	s.queue.mu.Lock()
	s.queue.paused = false
	s.queue.mu.Unlock()
	s.queue.rouse()
}

// edited reports whether a text that a request is about was edited since.
func (s *Snapshot) edited(r request) bool {
	a := s.Analyses[r.path]
	for path, text := range r.texts {
		if d := s.Documents[path]; d == nil || !d.Open || bytes.Equal(d.Text, text) {
			continue
		}
		if path == r.path {
			return true
		}
		if a != nil {
			if _, uses := a.texts[path]; uses {
				return true
			}
		}
	}
	return false
}

// rest puts a request aside until its texts are back or a newer one comes.
func (q *queue) rest(r request) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !slices.ContainsFunc(q.waiting, func(newer request) bool { return newer.replaces(&r) }) {
		q.putAside(r)
	}
}

func (q *queue) putAside(r request) {
	q.resting = slices.DeleteFunc(q.resting, func(old request) bool { return r.replaces(&old) })
	q.resting = append(q.resting, r)
}

// drop forgets the requests for a file.
func (q *queue) drop(path string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	of := func(r request) bool { return r.path == path }
	q.waiting, q.resting = slices.DeleteFunc(q.waiting, of), slices.DeleteFunc(q.resting, of)
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
	q.cancel, q.working, q.stopped = cancel, working, false
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

// finish ends the work. What it did not get done waits behind newer requests
// or, if it is about a text that is being edited, rests.
func (q *queue) finish(left []request, edited func(request) bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.cancel()
	q.cancel = nil
	if q.stopped {
		return
	}
	var again []request
	for _, r := range slices.Backward(left) {
		newer := slices.IndexFunc(q.waiting, func(w request) bool { return w.replaces(&r) })
		switch {
		case newer >= 0:
			q.waiting[newer].join(&r)
		case edited(r):
			q.putAside(r)
		default:
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
