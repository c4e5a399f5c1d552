package compiler

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// maxOutput bounds what a compiler prints for one request. All 207 files of
	// OpenZeppelin 5.4 at once make 15 MB and all of Solady makes 24 MB.
	maxOutput = 256 << 20

	// maxTold bounds the output of a program that prints a version or a
	// configuration.
	maxTold = 8 << 20

	// closedGrace is how long a program may run after it closed its output.
	closedGrace = time.Second
)

// A child is a program that runs in a process group of its own. The group is
// killed when its first process ends and when Leveret dies.
type child struct {
	*exec.Cmd

	mu    sync.Mutex
	group processGroup
	ended bool // its id may belong to another process
}

// newChild returns a program that is killed with its group when ctx ends.
func newChild(ctx context.Context, name string, args ...string) *child {
	c := &child{Cmd: exec.CommandContext(ctx, name, args...)}
	c.Cancel = c.kill
	c.WaitDelay = time.Second
	return c
}

func (c *child) start() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.group.prepare(c.Cmd)
	if err := c.Start(); err != nil {
		c.group.release()
		return err
	}
	c.group.adopt(c.Process)
	return nil
}

// wait waits for the program to end and kills the processes it left.
func (c *child) wait() error {
	err := c.Wait()
	_ = c.kill()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended = true
	c.group.release()
	return err
}

func (c *child) kill() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return os.ErrProcessDone
	}
	return c.group.kill(c.Process)
}

// onThread runs f on a thread that lives at least as long as f: the kernel
// kills a child whose parent thread ends, see processGroup.prepare.
func onThread(f func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	f()
}

// capture runs the program and returns what it printed. It kills a program
// that prints more than limit bytes.
func (c *child) capture(limit int64) (out []byte, complaint string, err error) {
	stdout := &output{limit: limit, child: c}
	stderr := &tail{limit: limit, full: func() { _ = c.kill() }}
	c.Stdout, c.Stderr = stdout, stderr
	done := make(chan error, 1)
	go onThread(func() {
		if err := c.start(); err != nil {
			done <- err
			return
		}
		done <- c.wait()
	})
	err = <-done
	if stdout.linger != nil {
		stdout.linger.Stop()
	}
	if stdout.over || stderr.over.Load() {
		return nil, "", overflowError(limit)
	}
	return bytes.Join(stdout.pieces, nil), stderr.String(), err
}

// An overflowError is the failure of a program that printed more than it may.
type overflowError int64

func (limit overflowError) Error() string {
	return fmt.Sprintf("it printed more than %d MB and was stopped", int64(limit)>>20)
}

// An output keeps the output of a program in pieces: a growing buffer would
// take several times the limit.
type output struct {
	limit  int64
	child  *child
	pieces [][]byte
	over   bool
	linger *time.Timer
}

// outputPiece is the size of a piece.
const outputPiece = 1 << 20

func (o *output) Write(b []byte) (int, error) { return len(b), nil } // os/exec calls ReadFrom

// ReadFrom reads until the program closes its output, or prints too much.
func (o *output) ReadFrom(r io.Reader) (n int64, err error) {
	for err == nil {
		piece := make([]byte, outputPiece)
		var got int
		got, err = io.ReadFull(r, piece)
		o.pieces = append(o.pieces, piece[:got])
		if n += int64(got); n > o.limit {
			o.over, o.pieces = true, nil
			_ = o.child.kill()
			return n, nil
		}
	}
	o.linger = time.AfterFunc(closedGrace, func() { _ = o.child.kill() })
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil
	}
	return n, err
}

// A tail keeps the last bytes written to it. It calls full, once, when more
// than limit bytes were written.
type tail struct {
	limit int64
	full  func()
	over  atomic.Bool

	mu      sync.Mutex
	text    []byte
	written int64
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, b...)
	if extra := len(t.text) - 4096; extra > 0 {
		t.text = append(t.text[:0], t.text[extra:]...)
	}
	if t.written += int64(len(b)); t.written > t.limit && !t.over.Swap(true) {
		t.full()
	}
	return len(b), nil
}

// reset sets the count of written bytes to zero.
func (t *tail) reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.written = 0
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.text)
}
