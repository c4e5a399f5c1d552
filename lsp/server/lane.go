package server

import (
	"context"
	"sync"
)

// A lane runs the calls of one command one at a time: each may start a process
// and use much memory. Equal calls that wait share one job.
type lane struct {
	slot chan struct{} // held by the running job

	mu      sync.Mutex
	waiting map[string]*job // by arguments
}

// A job is one run of a command for all calls that wait for it.
type job struct {
	ctx    context.Context
	cancel context.CancelFunc
	calls  int // that wait for the result; guarded by the lane's mu
	done   chan struct{}
	result any
	err    error
}

func newLane() *lane {
	return &lane{slot: make(chan struct{}, 1), waiting: map[string]*job{}}
}

// do returns the result of run. The context of run is done when base is, or
// when no call waits for the result. run must not panic.
func (l *lane) do(ctx, base context.Context, key string, run func(context.Context) (any, error)) (any, error) {
	j := l.join(base, key, run)
	defer l.leave(key, j)
	select {
	case <-j.done:
		return j.result, j.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// join returns the waiting job with the same key, or a new one.
func (l *lane) join(base context.Context, key string, run func(context.Context) (any, error)) *job {
	l.mu.Lock()
	defer l.mu.Unlock()
	j := l.waiting[key]
	if j == nil {
		j = &job{done: make(chan struct{})}
		j.ctx, j.cancel = context.WithCancel(base)
		l.waiting[key] = j
		go l.run(key, j, run)
	}
	j.calls++
	return j
}

// leave cancels the job if no other call waits for it.
func (l *lane) leave(key string, j *job) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if j.calls--; j.calls == 0 {
		j.cancel()
		l.started(key, j)
	}
}

// started makes later calls with the same key start another job.
func (l *lane) started(key string, j *job) {
	if l.waiting[key] == j {
		delete(l.waiting, key)
	}
}

func (l *lane) run(key string, j *job, run func(context.Context) (any, error)) {
	defer close(j.done)
	select {
	case l.slot <- struct{}{}:
	case <-j.ctx.Done():
		j.err = j.ctx.Err()
		return
	}
	defer func() { <-l.slot }()
	l.mu.Lock()
	l.started(key, j)
	l.mu.Unlock()
	if j.err = j.ctx.Err(); j.err == nil {
		j.result, j.err = run(j.ctx)
	}
}
