package rpc

import (
	"context"
	"fmt"
	"io"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.uber.org/zap"
)

// drainTime bounds the wait for running handlers and for unread output after
// the end of a connection.
const drainTime = 2 * time.Second

// A Peer is the other end of the connection. Notification handlers must not
// call it: they run inline, so nothing reads the answer.
type Peer struct {
	protocol.Client
	conn jsonrpc2.Conn
	stop context.CancelFunc
}

// Hangup ends the connection, as if the other end had closed it.
func (p Peer) Hangup() { p.stop() }

// Notify sends a notification that LSP does not define.
func (p Peer) Notify(ctx context.Context, method string, params any) error {
	return p.conn.Notify(ctx, method, params)
}

// Serve carries messages between rwc and the server that bind makes, until
// the client sends exit, closes its end, or ctx is done. It closes rwc. The
// error wraps ErrNoShutdown unless the client sent shutdown first.
func Serve(ctx context.Context, rwc io.ReadWriteCloser, log *zap.Logger, bind func(context.Context, Peer) Server) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	if log == nil {
		log = zap.NewNop()
	}
	s := newStream(rwc, MaxFrame)
	conn := jsonrpc2.NewConn(ending{s, stop}, jsonrpc2.WithCodec(codec{}))
	server := bind(ctx, Peer{protocol.ClientDispatcher(conn), conn, stop})
	d := &dispatcher{
		initialize: server.Initialize,
		methods:    methodTable(server.Methods),
		ctx:        ctx,
		stop:       stop,
		out:        s.out,
		log:        log,
		admission:  newAdmission(),
		reported:   map[string]bool{},
	}
	conn.Go(ctx, d.handler())

	<-ctx.Done() // exit, end of input, or the caller
	drain, cancel := context.WithTimeout(context.Background(), drainTime)
	defer cancel()
	s.out.flush(drain)
	_ = s.Close()
	select {
	case <-conn.Done():
	case <-drain.Done():
		log.Warn("a handler is still running; leaving it")
	}
	if d.life.exit() {
		return nil
	}
	if err := conn.Err(); err != nil {
		return fmt.Errorf("%w: %w", ErrNoShutdown, err)
	}
	return ErrNoShutdown
}

// ending cancels the connection's context when reading ends: jsonrpc2 leaves
// handlers running, and they watch that context. Serve closes the stream after
// it has flushed the output.
type ending struct {
	*stream
	stop context.CancelFunc
}

func (e ending) Read(ctx context.Context) (jsonrpc2.Message, int64, error) {
	message, n, err := e.stream.Read(ctx)
	if err != nil {
		e.stop()
	}
	return message, n, err
}

func (e ending) Close() error {
	e.stop()
	return nil
}
