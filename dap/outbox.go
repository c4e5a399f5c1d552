package dap

import (
	"context"
	"encoding/json"
	"io"
	"sync"
	"time"

	"leveret/lsp/rpc"
)

// drainTime bounds the wait for a client that does not read, at the end.
const drainTime = 2 * time.Second

// An outbox numbers and writes messages. Its send is safe for concurrent use. A goroutine
// of its own writes: a write to a client that does not read blocks, and cannot be
// interrupted.
type outbox struct {
	ctx    context.Context
	mu     sync.Mutex
	seq    int
	frames chan []byte
	ended  chan struct{} // closed when nothing is written any more
	err    error         // of the first write that failed; set before ended is closed
}

func newOutbox(ctx context.Context, w io.Writer) *outbox {
	o := &outbox{ctx: ctx, frames: make(chan []byte), ended: make(chan struct{})}
	go func() {
		defer close(o.ended)
		for frame := range o.frames {
			if _, o.err = w.Write(frame); o.err != nil {
				return
			}
		}
	}()
	return o
}

// send numbers a message and waits until the one before it is written; seq is its number.
// It drops the message if the connection is over.
func (o *outbox) send(seq *int, message any) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.seq++
	*seq = o.seq
	text, err := json.Marshal(message)
	if err != nil {
		return
	}
	select {
	case o.frames <- rpc.AppendFrame(nil, text):
	case <-o.ended:
	case <-o.ctx.Done():
	}
}

// close waits until everything is written, but not for long. No send may follow. It
// returns the error of the connection.
func (o *outbox) close() error {
	close(o.frames)
	timer := time.NewTimer(drainTime)
	defer timer.Stop()
	select {
	case <-o.ended:
		return o.err
	case <-timer.C:
		return nil
	}
}
