package server

import (
	"context"
	"sync"

	"go.lsp.dev/protocol"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"leveret/lsp/rpc"
)

// maxWaiting bounds the messages that wait for a slow client.
const maxWaiting = 100

// A messageQueue sends log messages and messages for the user to the client.
// add does not wait for the client: the caller may hold a lock, or may be the
// goroutine that reads the client's answers.
type messageQueue struct {
	mu      sync.Mutex
	waiting []queuedMessage
	wake    signal
}

type queuedMessage struct {
	kind protocol.MessageType
	text string
	show bool // window/showMessage; else window/logMessage
}

func newMessageQueue() *messageQueue { return &messageQueue{wake: newSignal()} }

// add queues a message, or drops it if maxWaiting messages wait.
func (q *messageQueue) add(kind protocol.MessageType, text string, show bool) {
	q.mu.Lock()
	if len(q.waiting) < maxWaiting {
		q.waiting = append(q.waiting, queuedMessage{kind, text, show})
	}
	q.mu.Unlock()
	q.wake.send()
}

// send sends queued messages until ctx is done. It ignores errors: log
// messages are on standard error as well.
func (q *messageQueue) send(ctx context.Context, peer rpc.Peer) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-q.wake:
		}
		q.mu.Lock()
		messages := q.waiting
		q.waiting = nil
		q.mu.Unlock()
		for _, m := range messages {
			if m.show {
				_ = peer.ShowMessage(ctx, &protocol.ShowMessageParams{Type: m.kind, Message: m.text})
			} else {
				_ = peer.LogMessage(ctx, &protocol.LogMessageParams{Type: m.kind, Message: m.text})
			}
		}
	}
}

// A clientCore queues log entries for the client.
type clientCore struct {
	zapcore.LevelEnabler
	encoder zapcore.Encoder
	queue   *messageQueue
}

// withClient returns log with a copy of each entry, from level info, for the
// client.
func withClient(log *zap.Logger, to *messageQueue) *zap.Logger {
	// The client adds time and level.
	encoder := zapcore.NewConsoleEncoder(zapcore.EncoderConfig{MessageKey: "message", StacktraceKey: "stack"})
	core := &clientCore{zap.InfoLevel, encoder, to}
	return log.WithOptions(zap.WrapCore(func(c zapcore.Core) zapcore.Core { return zapcore.NewTee(c, core) }))
}

func (c *clientCore) With(fields []zapcore.Field) zapcore.Core {
	with := *c
	with.encoder = c.encoder.Clone()
	for _, f := range fields {
		f.AddTo(with.encoder)
	}
	return &with
}

func (c *clientCore) Check(e zapcore.Entry, to *zapcore.CheckedEntry) *zapcore.CheckedEntry {
	if c.Enabled(e.Level) {
		return to.AddCore(e, c)
	}
	return to
}

func (c *clientCore) Write(e zapcore.Entry, fields []zapcore.Field) error {
	line, err := c.encoder.EncodeEntry(e, fields)
	if err != nil {
		return err
	}
	defer line.Free()
	kind := protocol.MessageTypeInfo
	switch {
	case e.Level >= zap.ErrorLevel:
		kind = protocol.MessageTypeError
	case e.Level >= zap.WarnLevel:
		kind = protocol.MessageTypeWarning
	}
	text := line.String()
	c.queue.add(kind, text[:max(0, len(text)-1)], false)
	return nil
}

func (c *clientCore) Sync() error { return nil }
