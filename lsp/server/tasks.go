package server

import (
	"context"
	"sync"
)

// tasks are the goroutines of a connection. They end when ctx is done.
type tasks struct {
	ctx  context.Context
	stop context.CancelFunc
	wait sync.WaitGroup
}

func newTasks(ctx context.Context) *tasks {
	t := new(tasks)
	t.ctx, t.stop = context.WithCancel(ctx)
	return t
}

// start runs f in a goroutine.
func (t *tasks) start(f func()) { t.wait.Go(f) }

// close ends the tasks and waits for them.
func (t *tasks) close() {
	t.stop()
	t.wait.Wait()
}

// follow calls f for each signal until the connection ends.
func (t *tasks) follow(signals signal, f func()) {
	for {
		select {
		case <-t.ctx.Done():
			return
		case <-signals:
			f()
		}
	}
}

// A signal wakes one receiver. Pending signals count as one.
type signal chan struct{}

func newSignal() signal { return make(signal, 1) }

// send never blocks.
func (s signal) send() {
	select {
	case s <- struct{}{}:
	default:
	}
}
