package rpc

import (
	"context"
	"errors"
	"runtime/debug"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.uber.org/zap"
)

// A dispatcher hands messages to a server: notifications inline and in order,
// requests concurrently. protocol.NewServer runs both concurrently, which
// lets didChange overtake didChange, and ends the connection at the first
// error or panic; here both are logged and nothing ends but by the client's
// wish.
type dispatcher struct {
	server protocol.Server
	route  jsonrpc2.Handler // to server, by method
	life   life
	log    *zap.Logger
	stop   context.CancelFunc // ends the connection
}

// handler is the chain that jsonrpc2 calls for every message.
func (d *dispatcher) handler() jsonrpc2.Handler {
	cancellable := protocol.CancelHandler(d.dispatch)
	return func(ctx context.Context, req *jsonrpc2.Request) (any, error) {
		method, call := strings.Clone(req.Method()), req.IsCall()
		if drop, err := d.life.admit(method, call); drop {
			return nil, nil
		} else if err != nil {
			return nil, err
		}
		if !call || method == protocol.MethodInitialize {
			// An inline request is recycled when its handler returns. A context
			// derived from it may look at it later than that, and brings the
			// process down; the connection's own context may be kept.
			ctx = jsonrpc2.DetachContext(ctx)
		}
		result, err := cancellable(ctx, req)
		if !call {
			if err != nil {
				d.log.Warn("notification failed", zap.String("method", method), zap.Error(err))
			}
			return nil, nil
		}
		return result, answerable(err)
	}
}

// answerable gives err the code that the protocol wants.
func answerable(err error) error {
	var coded *jsonrpc2.Error
	switch {
	case err == nil:
		return nil
	case errors.Is(err, jsonrpc2.ErrParse):
		// The frame was JSON, its params were not what the method takes.
		return jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%v", err)
	case errors.As(err, &coded):
		return err
	case errors.Is(err, context.Canceled):
		return protocol.ErrRequestCancelled
	default:
		return jsonrpc2.Errorf(jsonrpc2.InternalError, "%v", err)
	}
}

// dispatch runs one handler. A panic is ours, not the client's: it becomes an
// internal error and a stack in the log.
func (d *dispatcher) dispatch(ctx context.Context, req *jsonrpc2.Request) (result any, err error) {
	method := strings.Clone(req.Method())
	defer func() {
		if p := recover(); p != nil {
			d.log.Error("handler panicked", zap.String("method", method), zap.Any("panic", p), zap.ByteString("stack", debug.Stack()))
			result, err = nil, jsonrpc2.Errorf(jsonrpc2.InternalError, "%s failed inside the server; see its log", method)
		}
	}()
	switch method {
	case protocol.MethodInitialize:
		return d.initialize(ctx, req) // inline: what follows must find the server ready
	case protocol.MethodInitialized:
		// Some clients leave the parameters out; there is nothing in them.
		return nil, d.server.Initialized(ctx, &protocol.InitializedParams{})
	case protocol.MethodExit:
		d.stop()
		return nil, nil
	}
	if req.IsCall() {
		jsonrpc2.Async(ctx)
	}
	return d.route(ctx, req)
}

func (d *dispatcher) initialize(ctx context.Context, req *jsonrpc2.Request) (any, error) {
	params, dropped, err := decodeInitialize(req.Params())
	if err != nil {
		d.life.initializeFailed()
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "initialize: %v", err)
	}
	if len(dropped) > 0 {
		d.log.Warn("ignored parts of initialize that are not as LSP has them", zap.Strings("parts", dropped))
	}
	result, err := d.server.Initialize(ctx, params)
	if err != nil {
		d.life.initializeFailed()
		return nil, err
	}
	return result, nil
}
