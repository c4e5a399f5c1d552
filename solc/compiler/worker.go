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

// maxWorkerMemory is the resident size, in bytes, at which a worker process is
// replaced after a compilation: soljson.js never frees memory.
const maxWorkerMemory = 1 << 30

// A worker is a compiler in JavaScript. It stays loaded in a node process,
// because loading takes longer than most compilations. It handles one request
// at a time and restarts a process that died.
type worker struct {
	node, where string
	timeout     time.Duration

	slot   chan struct{} // held by the running request, also after its caller has left
	wanted chan struct{} // a waiting request sends here; received when the caller has left

	mu     sync.Mutex
	proc   *workerProcess
	closed bool
}

func newWorker(node, where string, timeout time.Duration) *worker {
	return &worker{node: node, where: where, timeout: timeout, slot: make(chan struct{}, 1), wanted: make(chan struct{})}
}

// run handles one request. When ctx ends, run returns at once, but the
// compilation may continue for a while, see linger.
func (w *worker) run(ctx context.Context, input []byte) ([]byte, error) {
	if err := w.acquire(ctx); err != nil {
		return nil, err
	}
	done := make(chan workerResult, 1)
	go func() { done <- w.serve(ctx, input) }()
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

// linger waits for a compilation whose caller has left: a killed process would
// have to be started again for the next request. Once another request waits, a new
// process starts, and the compilation is killed when that one is loaded first.
func (w *worker) linger(done <-chan workerResult) {
	select {
	case <-done:
		return
	case <-w.wanted:
	}
	next, err := startWorker(w.node, w.where)
	if err != nil {
		w.stop()
		<-done
		return
	}
	timer := time.NewTimer(w.timeout)
	defer timer.Stop()
	loaded := make(chan error, 1)
	go func() { loaded <- next.load(timer.C) }()
	select {
	case <-done:
		next.kill()
		<-loaded
	case err = <-loaded:
		w.stop()
		<-done
		if err != nil || !w.adopt(next) {
			next.kill()
		}
	}
}

// adopt makes a process the running one; false if the worker is closed.
func (w *worker) adopt(p *workerProcess) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return false
	}
	w.proc = p
	return true
}

// serve compiles in the running process or in a new one. It tries once more in
// a new process if the process dies. After an internal error of the compiler
// every later request fails, so the process is discarded, and the error counts
// only if the request was the first of its process. If ctx ends while a process
// starts, it is kept for the next request.
func (w *worker) serve(ctx context.Context, input []byte) workerResult {
	timer := time.NewTimer(w.timeout)
	defer timer.Stop()
	var r workerResult
	for range 2 {
		first, memory := false, int64(0)
		proc, err := w.process(timer.C)
		if err == nil && ctx.Err() != nil {
			return workerResult{err: context.Cause(ctx)}
		}
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

// process returns the running process with a loaded compiler. It starts one if there
// is none.
func (w *worker) process(timeout <-chan time.Time) (*workerProcess, error) {
	proc, err := w.running()
	if err == nil {
		err = proc.load(timeout)
	}
	return proc, err
}

// running returns the running process, which it starts if there is none. The lock is
// not held while the compiler is loaded, so that stop need not wait for it.
func (w *worker) running() (*workerProcess, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return nil, errWorkerStopped
	}
	if w.proc == nil {
		proc, err := startWorker(w.node, w.where)
		if err != nil {
			return nil, err
		}
		w.proc = proc
	}
	return w.proc, nil
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

// closeIdle stops the worker for good unless it is running a request.
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
	if isShortage(a.Error) {
		return workerResult{err: fmt.Errorf("%w: %w", errBrokeDown, errMemory)}
	}
	if a.Error != "" {
		return workerResult{err: fmt.Errorf("%w: %s", errBrokeDown, a.Error)}
	}
	return workerResult{output: a.Output}
}
