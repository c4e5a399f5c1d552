package campaign

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// An outbox publishes messages beside the search, in order, until the broker has each of
// them. While the broker is slow, full or away, they wait. It is bounded: of too many, the
// oldest is dropped.
type outbox struct {
	js    jetstream.JetStream
	limit int           // bytes that may wait
	pace  time.Duration // between two messages
	retry time.Duration // the longest wait between two attempts

	mu      sync.Mutex
	waiting []message
	size    int // bytes of waiting
	sent    int
	dropped int
	problem error         // of the last attempt; nil: it succeeded
	wake    chan struct{} // has one element if there may be a message
	empty   chan struct{} // the same if nothing waits any more
}

// A message is on its way to a stream. Its id lets the broker drop copies.
type message struct {
	subject, id string
	spent       Spent
	data        []byte
}

// The usual limits of an outbox.
const (
	outboxBytes = 32 << 20
	outboxPace  = 2 * time.Millisecond
	outboxRetry = 10 * time.Second
	firstRetry  = 100 * time.Millisecond
)

func newOutbox(js jetstream.JetStream) *outbox {
	return &outbox{js: js, limit: outboxBytes, pace: outboxPace, retry: outboxRetry, wake: make(chan struct{}, 1), empty: make(chan struct{}, 1)}
}

// add queues a message. It never waits.
func (o *outbox) add(m message) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.waiting = append(o.waiting, m)
	for o.size += len(m.data); o.size > o.limit; o.dropped++ {
		o.size -= len(o.waiting[0].data)
		o.waiting = o.waiting[1:]
	}
	signal(o.wake)
}

// signal puts an element into a channel that has room for one.
func signal(to chan struct{}) {
	select {
	case to <- struct{}{}:
	default:
	}
}

// run publishes until ctx is done.
func (o *outbox) run(ctx context.Context) {
	for wait := firstRetry; ctx.Err() == nil; {
		m, ok := o.first()
		if !ok {
			signal(o.empty)
			select {
			case <-ctx.Done():
			case <-o.wake:
			}
			continue
		}
		err := o.publish(ctx, m)
		if o.done(m, err) {
			wait = firstRetry
			pause(ctx, o.pace)
			continue
		}
		pause(ctx, wait)
		wait = min(2*wait, o.retry)
	}
}

// first returns the oldest message.
func (o *outbox) first() (message, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.waiting) == 0 {
		return message{}, false
	}
	return o.waiting[0], true
}

func (o *outbox) publish(ctx context.Context, m message) error {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	_, err := o.js.PublishMsg(ctx, &nats.Msg{Subject: m.subject, Header: m.spent.header(), Data: m.data}, jetstream.WithMsgID(m.id), jetstream.WithRetryAttempts(0))
	return err
}

// done takes over how an attempt to publish the oldest message ended. It returns false
// if it has to be repeated.
func (o *outbox) done(m message, err error) bool {
	never := errors.Is(err, jetstream.ErrStreamMessageExceedsMaximum) || errors.Is(err, nats.ErrMaxPayload)
	o.mu.Lock()
	defer o.mu.Unlock()
	o.problem = err
	if err != nil && !never {
		return false
	}
	if len(o.waiting) > 0 && o.waiting[0].id == m.id { // else it was dropped meanwhile
		o.size -= len(m.data)
		o.waiting = o.waiting[1:]
	}
	if err == nil {
		o.sent++
	} else {
		o.dropped++
	}
	return true
}

// drain waits until everything is published, or a time is over.
func (o *outbox) drain(limit time.Duration) {
	late := time.After(limit)
	for {
		if _, more := o.first(); !more {
			return
		}
		select {
		case <-o.empty:
		case <-late:
			return
		}
	}
}

// state returns how many messages wait, were sent and were dropped, and the problem that
// lets them wait.
func (o *outbox) state() (waiting, sent, dropped int, problem error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.waiting), o.sent, o.dropped, o.problem
}

// pause waits for a time, or for the end of ctx.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
