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

// A clientLog is what the client is told for people to read: the log, which
// goes to window/logMessage, and what is shown. Writing to it never waits for
// the client: the caller may hold a lock, or be the one that reads the
// client's answers.
type clientLog struct {
	mu      sync.Mutex
	waiting []clientMessage
	wake    chan struct{}
}

type clientMessage struct {
	kind protocol.MessageType
	text string
	show bool
}

func newClientLog() *clientLog { return &clientLog{wake: make(chan struct{}, 1)} }

// add queues a message, or drops it if too many wait.
func (l *clientLog) add(kind protocol.MessageType, text string, show bool) {
	l.mu.Lock()
	if len(l.waiting) < maxWaiting {
		l.waiting = append(l.waiting, clientMessage{kind, text, show})
	}
	l.mu.Unlock()
	signal(l.wake)
}

// send hands messages to the client until ctx is done. A message of the log
// that does not go through is on the standard error, too.
func (l *clientLog) send(ctx context.Context, peer rpc.Peer) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-l.wake:
		}
		l.mu.Lock()
		messages := l.waiting
		l.waiting = nil
		l.mu.Unlock()
		for _, m := range messages {
			if m.show {
				_ = peer.ShowMessage(ctx, &protocol.ShowMessageParams{Type: m.kind, Message: m.text})
			} else {
				_ = peer.LogMessage(ctx, &protocol.LogMessageParams{Type: m.kind, Message: m.text})
			}
		}
	}
}

// A clientCore writes log entries to a clientLog.
type clientCore struct {
	zapcore.LevelEnabler
	encoder zapcore.Encoder
	log     *clientLog
}

// withClient makes log go to the client, too, from level info.
func withClient(log *zap.Logger, to *clientLog) *zap.Logger {
	// The client adds time and level of its own.
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
	c.log.add(kind, text[:max(0, len(text)-1)], false)
	return nil
}

func (c *clientCore) Sync() error { return nil }
