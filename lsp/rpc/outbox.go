package rpc

import (
	"context"
	"io"
	"sync"
)

// maxUnsent bounds the bytes that wait for the client. It is enough for the
// answers to a burst of requests of an editor.
const maxUnsent = 4 << 20

// An outbox sends frames in order, in a separate goroutine: a write to a client
// that does not read blocks and cannot be interrupted.
type outbox struct {
	mu    sync.Mutex
	queue [][]byte
	size  int           // bytes of the queue and of the frame that is being written
	err   error         // of the first write that failed
	room  chan struct{} // closed when the queue is below maxUnsent; nil: it is
	empty chan struct{} // closed when everything is sent; nil: it is
	wake  chan struct{}
	done  chan struct{}
	once  sync.Once
}

func newOutbox(w io.Writer) *outbox {
	o := &outbox{wake: make(chan struct{}, 1), done: make(chan struct{})}
	go o.send(w)
	return o
}

// wait waits until less than maxUnsent bytes wait for the client.
func (o *outbox) wait(ctx context.Context) error {
	for {
		o.mu.Lock()
		room, err := o.room, o.err
		o.mu.Unlock()
		if room == nil || err != nil {
			return err
		}
		if err := o.await(ctx, room); err != nil {
			return err
		}
	}
}

func (o *outbox) await(ctx context.Context, c <-chan struct{}) error {
	select {
	case <-c:
		return nil
	case <-o.done:
		return io.ErrClosedPipe
	case <-ctx.Done():
		return ctx.Err()
	}
}

// add queues a frame.
func (o *outbox) add(frame []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.queue = append(o.queue, frame)
	o.size += len(frame)
	if o.size >= maxUnsent && o.room == nil {
		o.room = make(chan struct{})
	}
	if o.empty == nil {
		o.empty = make(chan struct{})
	}
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// flush waits until everything is sent.
func (o *outbox) flush(ctx context.Context) {
	o.mu.Lock()
	empty := o.empty
	o.mu.Unlock()
	if empty != nil {
		_ = o.await(ctx, empty)
	}
}

// close drops unsent frames.
func (o *outbox) close() { o.once.Do(func() { close(o.done) }) }

func (o *outbox) send(w io.Writer) {
	for {
		frame := o.next()
		if frame == nil {
			select {
			case <-o.wake:
				continue
			case <-o.done:
				return
			}
		}
		_, err := w.Write(frame)
		if o.sent(len(frame), err) != nil {
			return
		}
	}
}

// next removes the next frame from the queue; nil if there is none.
func (o *outbox) next() []byte {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.queue) == 0 {
		return nil
	}
	frame := o.queue[0]
	o.queue[0] = nil
	o.queue = o.queue[1:]
	return frame
}

// sent records a written frame, or the error that broke the connection.
func (o *outbox) sent(n int, err error) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.size -= n
	if err != nil {
		o.err, o.queue, o.size = err, nil, 0
	}
	if o.size < maxUnsent && o.room != nil {
		close(o.room)
		o.room = nil
	}
	if o.size == 0 && o.empty != nil {
		close(o.empty)
		o.empty = nil
	}
	return err
}
