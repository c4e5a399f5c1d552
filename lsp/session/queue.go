package session

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"leveret/solc/srcmap"
)

// A request asks for the analysis of a file.
type request struct {
	path      string
	force     bool // even if nothing changed
	saved     bool // because of a save
	dependent bool // the file is not open, but imports an open one
	// addDependents is set once a saved file is compiled: files that import it
	// come next.
	addDependents bool
	// texts are the open documents' texts at the time of the request. While one
	// that the request needs is being edited, the request is suspended.
	texts map[string][]byte
	// before has the earlier texts of changed files. The first campaign on a
	// contract aims at the difference.
	before map[string][]byte
	// fuzz requests a campaign on one contract or, if contract is empty, on all.
	fuzz     bool
	contract string
	spans    []srcmap.Span // targets in path
	budget   time.Duration
}

// replaces reports whether r includes what an older request asks for.
func (r *request) replaces(old *request) bool { return r.path == old.path && (!old.fuzz || r.fuzz) }

// merge adds the flags of an older request that r replaces.
func (r *request) merge(old *request) {
	r.force = r.force || old.force
	r.saved = r.saved || old.saved
	r.addDependents = r.addDependents || old.addDependents
}

// since has r aim at what changed since an older request, which did not run.
func (r *request) since(old *request) {
	r.before = maps.Clone(r.before)
	if r.before == nil {
		r.before = map[string][]byte{}
	}
	maps.Copy(r.before, old.before)
}

// A queue holds the waiting requests and what the worker runs. The newest
// request runs first, because its user waits for it.
//
// store.mu is locked before mu.
type queue struct {
	store *store
	wake  chan struct{}

	mu        sync.Mutex
	waiting   []request // newest last
	suspended []request // until their texts are back

	cancel  context.CancelFunc // of the running work; nil if none runs
	working map[string]bool    // files that the running work needs; nil: an idle campaign
	stopped bool               // the running work must not be resumed
	noIdle  bool               // the user types: no idle campaign until the next request
}

func newQueue(s *store) *queue { return &queue{store: s, wake: make(chan struct{}, 1)} }

// enqueue adds requests and cancels the running work in their favour. A
// request replaces older ones for the same file that it includes.
func (q *queue) enqueue(requests ...request) {
	if len(requests) == 0 {
		return
	}
	q.store.update(func(next *Snapshot) {
		texts := next.overlay()
		for i := range requests {
			requests[i].texts = texts
			next.queued(requests[i].path)
		}
	}, func() { q.add(requests) })
	q.signal()
}

// queued sets the phase of an open file's analysis, which it makes if missing.
func (s *Snapshot) queued(path string) {
	d := s.Documents[path]
	if d == nil || !d.Open {
		return // compile will drop the request
	}
	queued := Analysis{Path: path}
	if a := s.Analyses[path]; a != nil {
		queued = *a
	}
	queued.Phase, queued.Dependent, queued.asked = Queued, false, d.Text
	s.Analyses[path] = &queued
}

func (q *queue) add(requests []request) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.noIdle = false
	for _, r := range requests {
		replaced := func(old request) bool {
			if !r.replaces(&old) {
				return false
			}
			r.merge(&old)
			return true
		}
		q.waiting = slices.DeleteFunc(q.waiting, replaced)
		q.suspended = slices.DeleteFunc(q.suspended, replaced)
		q.waiting = append(q.waiting, r)
	}
	if q.cancel != nil {
		q.cancel()
	}
}

// enqueueDependents adds requests for files that are not open. They run after
// all others and cancel nothing.
func (q *queue) enqueueDependents(requests []request) {
	if len(requests) == 0 {
		return
	}
	q.store.update(func(next *Snapshot) {
		for _, r := range requests {
			dependent := &Analysis{Path: r.path, Dependent: true}
			if a := next.Analyses[r.path]; a != nil {
				dependent = a.clone()
			}
			dependent.Phase = Queued
			next.Analyses[r.path] = dependent
		}
	}, func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		for _, r := range slices.Backward(requests) {
			q.addDependent(r)
		}
	})
	q.signal()
}

// addDependent adds a request in front of the waiting ones, whose newest is the last. It
// replaces that of an earlier save.
func (q *queue) addDependent(r request) {
	replaced := func(old request) bool {
		if old.path != r.path || !old.dependent {
			return false
		}
		r.since(&old)
		return true
	}
	q.waiting = slices.DeleteFunc(q.waiting, replaced)
	q.suspended = slices.DeleteFunc(q.suspended, replaced)
	newer := func(w request) bool { return w.path == r.path }
	if !slices.ContainsFunc(q.waiting, newer) {
		q.suspended = slices.DeleteFunc(q.suspended, newer)
		q.waiting = append([]request{r}, q.waiting...)
	}
}

// signal wakes the worker.
func (q *queue) signal() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// interrupt cancels the running work if it needs a file, or if it is an idle
// campaign.
func (q *queue) interrupt(path string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.noIdle = true
	if q.cancel != nil && (q.working == nil || q.working[path]) {
		q.cancel()
	}
}

// stop cancels the running work and drops all requests.
func (q *queue) stop() {
	q.mu.Lock()
	q.noIdle = true
	waited := len(q.waiting) > 0
	q.waiting, q.suspended = nil, nil
	if q.cancel != nil {
		q.stopped = true
		q.cancel()
	}
	q.mu.Unlock()
	if waited {
		q.settle()
	}
}

// resume enqueues the suspended requests whose texts are back.
func (q *queue) resume() {
	q.mu.Lock()
	suspended := len(q.suspended) > 0
	q.mu.Unlock()
	if !suspended {
		return
	}
	var again []request
	q.store.update(func(next *Snapshot) {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.suspended = slices.DeleteFunc(q.suspended, func(r request) bool {
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
	q.signal()
}

// resumeIdle allows idle campaigns again if an edit of a file was undone.
func (q *queue) resumeIdle(path string) {
	snapshot := q.store.snapshot()
	a, d := snapshot.Analyses[path], snapshot.Documents[path]
	if a == nil || d == nil || !bytes.Equal(a.texts[path], d.Text) {
		return
	}
	q.mu.Lock()
	q.noIdle = false
	q.mu.Unlock()
	q.signal()
}

// edited reports whether a text that a request needs was edited since.
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

// suspend keeps a request until its texts are back, unless a newer one
// replaces it.
func (q *queue) suspend(r request) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !slices.ContainsFunc(q.waiting, func(newer request) bool { return newer.replaces(&r) }) {
		q.addSuspended(r)
	}
}

func (q *queue) addSuspended(r request) {
	q.suspended = slices.DeleteFunc(q.suspended, func(old request) bool { return r.replaces(&old) })
	q.suspended = append(q.suspended, r)
}

// drop removes the requests for a file.
func (q *queue) drop(path string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	of := func(r request) bool { return r.path == path }
	q.waiting, q.suspended = slices.DeleteFunc(q.waiting, of), slices.DeleteFunc(q.suspended, of)
}

// take takes the waiting requests, newest first, and returns the context of the
// work. Those of dependents wait until there are no others: a user who saves again does
// not wait until files that are not open are compiled.
func (q *queue) take(parent context.Context) ([]request, context.Context) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) == 0 {
		return nil, nil
	}
	var requests, later []request
	for _, r := range slices.Backward(q.waiting) {
		if r.dependent {
			later = append(later, r)
		} else {
			requests = append(requests, r)
		}
	}
	if len(requests) == 0 {
		requests, later = later, nil
	}
	slices.Reverse(later)
	q.waiting = later
	return requests, q.begin(parent, map[string]bool{})
}

// beginIdle returns the context of an idle campaign; nil if there must be none
// now.
func (q *queue) beginIdle(parent context.Context) context.Context {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.noIdle || len(q.waiting) > 0 {
		return nil
	}
	return q.begin(parent, nil)
}

func (q *queue) begin(parent context.Context, working map[string]bool) context.Context {
	ctx, cancel := context.WithCancel(parent)
	q.cancel, q.working, q.stopped = cancel, working, false
	return ctx
}

// uses adds files that the running work needs: typing in one of them cancels
// it.
func (q *queue) uses(paths ...string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, path := range paths {
		q.working[path] = true
	}
}

// finish ends the work. Unfinished requests wait behind newer ones, or are
// suspended if one of their texts is being edited.
func (q *queue) finish(unfinished []request) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.cancel()
	q.cancel = nil
	if q.stopped {
		return
	}
	var again []request
	for _, r := range slices.Backward(unfinished) {
		newer := slices.IndexFunc(q.waiting, func(w request) bool { return w.replaces(&r) })
		switch {
		case newer >= 0:
			q.waiting[newer].merge(&r)
		case q.store.snapshot().edited(r): // under mu: resume looks after each edit
			q.addSuspended(r)
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

// settle sets the phase of all analyses without a waiting request to Ready.
func (q *queue) settle() {
	q.store.update(func(next *Snapshot) {
		q.mu.Lock()
		defer q.mu.Unlock()
		for path, a := range next.Analyses {
			if a.Phase != Ready && !slices.ContainsFunc(q.waiting, func(r request) bool { return r.path == path }) {
				settled := *a
				settled.Phase = Ready
				next.Analyses[path] = &settled
			}
		}
	})
}
