package compiler

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"
)

//go:embed worker.js
var workerScript string

// maxWorkerMemory is the resident size at which a worker process is replaced
// after it has answered: soljson.js never gives memory back.
const maxWorkerMemory = 1 << 30

// A worker is a compiler in JavaScript, kept loaded in a node process because
// loading takes longer than most compilations. One request runs at a time,
// others wait. A process that dies is started again.
type worker struct {
	node, where string
	timeout     time.Duration

	slot   chan struct{} // held by the running request, also when its caller has left
	wanted chan struct{} // a waiting request knocks here; answered when the caller has left

	mu     sync.Mutex
	proc   *workerProcess
	closed bool
}

func newWorker(node, where string, timeout time.Duration) *worker {
	return &worker{node: node, where: where, timeout: timeout, slot: make(chan struct{}, 1), wanted: make(chan struct{})}
}

// run sends one request. When ctx ends it returns at once; the compilation may
// go on for a while, see linger.
func (w *worker) run(ctx context.Context, input []byte) ([]byte, error) {
	if err := w.acquire(ctx); err != nil {
		return nil, err
	}
	done := make(chan workerResult, 1)
	go func() { done <- w.serve(input) }()
	select {
	case r := <-done:
		<-w.slot
		return r.output, r.err
	case <-ctx.Done():
		go func() {
			w.linger(done)
			<-w.slot
		}()
		return nil, context.Cause(ctx)
	}
}

type workerResult struct {
	output []byte
	err    error
}

// acquire waits for the slot.
func (w *worker) acquire(ctx context.Context) error {
	knock := w.wanted
	for {
		select {
		case w.slot <- struct{}{}:
			if ctx.Err() == nil {
				return nil
			}
			<-w.slot
			return context.Cause(ctx)
		case knock <- struct{}{}:
			knock = nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// linger waits for a compilation whose caller has left. Killing the process
// would make the next request pay for a new one, so it is left to finish; once
// another request waits it gets as long as a new process would take to start.
func (w *worker) linger(done <-chan workerResult) {
	select {
	case <-done:
		return
	case <-w.wanted:
	}
	grace := time.NewTimer(w.startup())
	defer grace.Stop()
	select {
	case <-done:
	case <-grace.C:
		w.stop()
		<-done
	}
}

// startup returns how long the running process took to start.
func (w *worker) startup() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.proc == nil {
		return 0
	}
	return w.proc.startup
}

// serve compiles in the running process or a new one, and once more in a new
// one if the process dies before it answers. A compiler that broke down once
// breaks down on everything after: its process is not used again, and what it
// says is believed only of the first thing it was asked.
func (w *worker) serve(input []byte) workerResult {
	timer := time.NewTimer(w.timeout)
	defer timer.Stop()
	var r workerResult
	for range 2 {
		first, memory := false, int64(0)
		proc, err := w.process(timer.C)
		if err == nil {
			var answer workerAnswer
			if answer, err = proc.ask(input, timer.C); err == nil {
				first, memory = proc.last == 1, answer.Memory
				r = answer.result()
			}
		}
		if err != nil {
			r = workerResult{err: err}
		}
		if r.err != nil || memory > maxWorkerMemory {
			w.stop()
		}
		if r.err == nil || first || !errors.Is(r.err, errWorkerDied) && !errors.Is(r.err, errBrokeDown) {
			break
		}
	}
	return r
}

// process returns the running process, started if there is none.
func (w *worker) process(timeout <-chan time.Time) (*workerProcess, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return nil, errWorkerStopped
	}
	if w.proc != nil {
		return w.proc, nil
	}
	proc, err := startWorker(w.node, w.where, timeout)
	if err != nil {
		return nil, err
	}
	w.proc = proc
	return proc, nil
}

// stop kills the running process and its group.
func (w *worker) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.proc != nil {
		w.proc.kill()
		w.proc = nil
	}
}

// close stops the worker for good.
func (w *worker) close() {
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	w.stop()
}

// closeIdle stops the worker for good unless it is at work.
func (w *worker) closeIdle() bool {
	select {
	case w.slot <- struct{}{}:
		w.close()
		<-w.slot
		return true
	default:
		return false
	}
}

// A workerAnswer is one line of the worker script.
type workerAnswer struct {
	Ready  bool            `json:"ready"`
	ID     int             `json:"id"`
	Memory int64           `json:"memory"`
	Output json.RawMessage `json:"-"`
	Error  string          `json:"error"`
}

func (a workerAnswer) result() workerResult {
	if a.Error != "" {
		return workerResult{err: fmt.Errorf("%w: %s", errBrokeDown, a.Error)}
	}
	return workerResult{output: a.Output}
}
