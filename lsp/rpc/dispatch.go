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
	ctx    context.Context    // of the connection
	stop   context.CancelFunc // ends the connection
	out    *outbox
	log    *zap.Logger

	admission
	unknown map[string]bool // notifications that were told to be unknown; the reader's own
}

// maxUnknown bounds the names of unknown notifications that are told.
const maxUnknown = 50

// notifications are the messages that a client sends without expecting an
// answer. All others need an id.
var notifications = map[string]bool{
	protocol.MethodInitialized:                        true,
	protocol.MethodExit:                               true,
	protocol.MethodCancelRequest:                      true,
	protocol.MethodSetTrace:                           true,
	protocol.MethodTextDocumentDidOpen:                true,
	protocol.MethodTextDocumentDidChange:              true,
	protocol.MethodTextDocumentDidSave:                true,
	protocol.MethodTextDocumentDidClose:               true,
	protocol.MethodWindowWorkDoneProgressCancel:       true,
	protocol.MethodWorkspaceDidChangeConfiguration:    true,
	protocol.MethodWorkspaceDidChangeWatchedFiles:     true,
	protocol.MethodWorkspaceDidChangeWorkspaceFolders: true,
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
		if known := notifications[method]; known && call {
			return nil, jsonrpc2.Errorf(jsonrpc2.InvalidRequest, "%s is a notification and takes no id", method)
		} else if !known && !call {
			d.ignore(method)
			return nil, nil
		}
		if !call || method == protocol.MethodInitialize {
			return d.inline(ctx, cancellable, req, method)
		}
		// Refused here, before cancellable: the context that it derives from an
		// inline request's outlives that request.
		leave, err := d.enter(d.ctx, method, len(req.Params()))
		if err != nil {
			return nil, answerable(err)
		}
		defer leave()
		result, err := cancellable(ctx, req)
		_ = d.out.wait(d.ctx) // an answer that cannot be sent keeps its place
		return result, answerable(err)
	}
}

// inline handles a message before the next one is read. An inline request is
// recycled when its handler returns. A context derived from it may look at it
// later than that, and brings the process down; the connection's own may be
// kept.
func (d *dispatcher) inline(ctx context.Context, handler jsonrpc2.Handler, req *jsonrpc2.Request, method string) (any, error) {
	result, err := handler(jsonrpc2.DetachContext(ctx), req)
	if req.IsCall() {
		return result, answerable(err)
	}
	if err != nil {
		d.log.Warn(method+" failed", zap.Error(err))
	}
	return nil, nil
}

// ignore drops a notification that the server does not know, and tells of each
// once. The protocol lets those that start with $/ be ignored silently.
func (d *dispatcher) ignore(method string) {
	method = method[:min(len(method), 100)]
	if strings.HasPrefix(method, "$/") || d.unknown[method] || len(d.unknown) >= maxUnknown {
		return
	}
	d.unknown[method] = true
	d.log.Warn("ignored a notification that the server does not know", zap.String("method", method))
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

// Recover is to be deferred where a request is handled. A panic is ours, not
// the client's: it becomes an internal error and a stack in the log.
func Recover(log *zap.Logger, what string, err *error) {
	if p := recover(); p != nil {
		log.Error("handler panicked", zap.String("method", what), zap.Any("panic", p), zap.ByteString("stack", debug.Stack()))
		*err = jsonrpc2.Errorf(jsonrpc2.InternalError, "%s failed inside the server; see its log", what)
	}
}

// dispatch runs one handler.
func (d *dispatcher) dispatch(ctx context.Context, req *jsonrpc2.Request) (result any, err error) {
	method := strings.Clone(req.Method())
	defer Recover(d.log, method, &err)
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
