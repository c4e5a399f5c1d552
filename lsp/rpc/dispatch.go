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
// requests concurrently. It logs errors and panics of handlers and keeps the
// connection. protocol.NewServer runs notifications concurrently, so that
// didChange overtakes didChange, and closes the connection at the first error.
type dispatcher struct {
	initialize func(context.Context, *protocol.InitializeParams) (*protocol.InitializeResult, error)
	methods    map[string]Method
	life       life
	ctx        context.Context    // of the connection
	stop       context.CancelFunc // ends the connection
	out        *outbox
	log        *zap.Logger
	admission  admission
	reported   map[string]bool // unknown notifications in the log; only the reader uses it
}

// maxReported bounds the names of unknown notifications in the log.
const maxReported = 50

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
		if m, known := d.methods[method]; known && !m.request && call {
			return nil, jsonrpc2.Errorf(jsonrpc2.InvalidRequest, "%s is a notification and takes no id", method)
		} else if !call && (!known || m.request) {
			d.ignore(method)
			return nil, nil
		}
		if !call || method == protocol.MethodInitialize {
			return d.inline(ctx, cancellable, req, method)
		}
		// Refuse before cancellable: it derives a context that outlives an inline
		// request.
		leave, err := d.admission.enter(d.ctx, method, len(req.Params()))
		if err != nil {
			return nil, answerable(err)
		}
		defer leave()
		result, err := cancellable(ctx, req)
		_ = d.out.wait(d.ctx) // an answer that cannot be sent yet counts as running
		return result, answerable(err)
	}
}

// inline handles a message before the next one is read. jsonrpc2 recycles an
// inline request when its handler returns, and a context derived from it that
// looks at it later crashes the process. Hence the detached context.
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

// ignore drops an unknown notification and logs each name once. LSP allows to
// ignore those that start with $/ silently.
func (d *dispatcher) ignore(method string) {
	method = method[:min(len(method), 100)]
	if strings.HasPrefix(method, "$/") || d.reported[method] || len(d.reported) >= maxReported {
		return
	}
	d.reported[method] = true
	d.log.Warn("ignored an unknown notification", zap.String("method", method))
}

// answerable returns err with the error code that LSP demands.
func answerable(err error) error {
	var coded *jsonrpc2.Error
	switch {
	case err == nil:
		return nil
	case errors.Is(err, jsonrpc2.ErrParse):
		// The message is JSON, but its params do not fit the method.
		return jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%v", err)
	case errors.As(err, &coded):
		return err
	case errors.Is(err, context.Canceled):
		return protocol.ErrRequestCancelled
	default:
		return jsonrpc2.Errorf(jsonrpc2.InternalError, "%v", err)
	}
}

// Recover turns a panic of a handler into an internal error and logs the
// stack. Handlers defer it.
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
		return d.runInitialize(ctx, req) // inline: later messages need an initialized server
	case protocol.MethodExit:
		d.stop()
		return nil, nil
	}
	if req.IsCall() {
		jsonrpc2.Async(ctx) // unknown ones too: cancellable derived a context from req
	}
	m, known := d.methods[method]
	if !known {
		return jsonrpc2.MethodNotFoundHandler(ctx, req)
	}
	if ctx.Err() != nil {
		return nil, protocol.ErrRequestCancelled
	}
	return m.handle(ctx, req.Params())
}

func (d *dispatcher) runInitialize(ctx context.Context, req *jsonrpc2.Request) (any, error) {
	params, dropped, err := decodeInitialize(req.Params())
	if err != nil {
		d.life.initializeFailed()
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "initialize: %v", err)
	}
	if len(dropped) > 0 {
		d.log.Warn("ignored parts of initialize that do not fit LSP", zap.Strings("parts", dropped))
	}
	result, err := d.initialize(ctx, params)
	if err != nil {
		d.life.initializeFailed()
		return nil, err
	}
	return result, nil
}
