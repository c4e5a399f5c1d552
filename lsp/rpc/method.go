package rpc

import (
	"context"
	"fmt"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// A Server handles the messages of one connection. The dispatcher handles exit
// and $/cancelRequest itself.
type Server struct {
	Initialize func(context.Context, *protocol.InitializeParams) (*protocol.InitializeResult, error)
	Methods    []Method // all other messages
}

// A Method is a row of a server's table: one message that it handles.
type Method struct {
	name    string
	request bool // false: a notification
	handle  func(ctx context.Context, params []byte) (any, error)
}

// Request returns the row of a request. Requests run concurrently. Strings in
// the parameters may share memory with the message.
func Request[P, R any](name string, f func(context.Context, *P) (R, error)) Method {
	return Method{name, true, func(ctx context.Context, raw []byte) (any, error) {
		params, err := decodeParams[P](raw)
		if err != nil {
			return nil, err
		}
		return f(ctx, params)
	}}
}

// Notification returns the row of a notification. Notifications run inline and
// in order, so f must be quick and must not call the client.
func Notification[P any](name string, f func(context.Context, *P) error) Method {
	return Method{name, false, func(ctx context.Context, raw []byte) (any, error) {
		params, err := decodeParams[P](raw)
		if err != nil {
			return nil, err
		}
		return nil, f(ctx, params)
	}}
}

// NoParams are the parameters of a method that ignores them: some clients
// leave them out.
type NoParams struct{}

func decodeParams[P any](raw []byte) (*P, error) {
	params := new(P)
	if _, none := any(params).(*NoParams); none {
		return params, nil
	}
	if err := protocol.Unmarshal(raw, params); err != nil {
		return nil, fmt.Errorf("%w: %w", jsonrpc2.ErrParse, err)
	}
	return params, nil
}

// methodTable indexes the rows by name.
func methodTable(methods []Method) map[string]Method {
	table := map[string]Method{
		protocol.MethodInitialize:    {name: protocol.MethodInitialize, request: true},
		protocol.MethodExit:          {name: protocol.MethodExit},
		protocol.MethodCancelRequest: {name: protocol.MethodCancelRequest},
	}
	for _, m := range methods {
		table[m.name] = m
	}
	return table
}
