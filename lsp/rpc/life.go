package rpc

import (
	"errors"
	"sync"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// ErrNoShutdown is wrapped by the error of a connection that ended without
// shutdown. The process must then exit with code 1 (LSP 3.18, "Exit
// Notification").
var ErrNoShutdown = errors.New("the client disconnected without shutdown")

// A life is the state of a connection between initialize and exit
// (LSP 3.18, "Server lifecycle").
type life struct {
	mu          sync.Mutex
	phase       phase
	initialized bool // the client sent the notification
}

type phase int

const (
	created phase = iota
	running
	shutDown
	exited
)

// admit decides whether a message may reach the server and updates the phase.
// It is called in the order of arrival. drop is set for a notification that
// must be ignored.
func (l *life) admit(method string, call bool) (drop bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if method == protocol.MethodExit && !call {
		return l.phase == exited, nil
	}
	switch l.phase {
	case created:
		if method == protocol.MethodInitialize && call {
			l.phase = running
			return false, nil
		}
		return !call, jsonrpc2.Errorf(jsonrpc2.ServerNotInitialized, "%s before initialize", method)
	case running:
		if method == protocol.MethodInitialize {
			return !call, jsonrpc2.Errorf(jsonrpc2.InvalidRequest, "initialize was sent twice")
		}
		if method == protocol.MethodInitialized && !call {
			drop = l.initialized
			l.initialized = true
			return drop, nil
		}
		if method == protocol.MethodShutdown && call {
			l.phase = shutDown
		}
		return false, nil
	default:
		return !call, jsonrpc2.Errorf(jsonrpc2.InvalidRequest, "%s after shutdown", method)
	}
}

// initializeFailed allows the client to send initialize again.
func (l *life) initializeFailed() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.phase == running {
		l.phase = created
	}
}

// exit ends the life and reports whether shutdown came first.
func (l *life) exit() (orderly bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	orderly = l.phase == shutDown
	if !orderly {
		l.phase = exited
	}
	return orderly
}
