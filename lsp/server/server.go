// Package server is the language server: one file for each LSP method, which
// finds the Snapshot, calls present, and returns; and the publisher, which
// tells the client what changed.
//
// It knows no Solidity and no fuzzing: session has the state and the work,
// present the looks, settings the wishes, rpc the wire.
package server

import (
	"context"
	"io"
	"os"
	"sync"

	"go.lsp.dev/protocol"
	"go.uber.org/zap"

	"leveret/lsp/present"
	"leveret/lsp/rpc"
	"leveret/lsp/session"
	"leveret/lsp/settings"
)

// Config is what a server is made of. The zero value serves with the
// compilers that are found and the real engine, and logs nowhere but to the
// client.
type Config struct {
	Session session.Config
	Version string // for serverInfo
	Log     *zap.Logger
}

// Serve serves one client on conn until it is done, and closes conn. The error
// is nil only if the client said goodbye as the protocol demands.
func Serve(ctx context.Context, conn io.ReadWriteCloser, config Config) error {
	if config.Log == nil {
		config.Log = zap.NewNop()
	}
	s := &server{config: config, reader: settings.Reader{Oracles: oracleNames(config.Session.Oracles)}}
	s.wake, s.refetch, s.refreshes = make(chan struct{}, 1), make(chan struct{}, 1), make(chan struct{}, 1)
	s.lanes = newLanes()
	s.toClient = newClientLog()
	s.log = limitLog(withClient(config.Log, s.toClient))
	err := rpc.Serve(ctx, conn, s.log, func(ctx context.Context, peer rpc.Peer) protocol.Server {
		s.start(ctx, peer)
		return s
	})
	s.close()
	return err
}

// ErrNoShutdown is wrapped by Serve's error if the client went away without
// shutdown.
var ErrNoShutdown = rpc.ErrNoShutdown

// A server serves one client.
type server struct {
	protocol.UnimplementedServer
	config  Config
	reader  settings.Reader
	ctx     context.Context // of the connection
	stop    context.CancelFunc
	peer    rpc.Peer
	log     *zap.Logger
	session *session.Session

	toClient  *clientLog
	wake      chan struct{} // for the publisher: there is something new
	refetch   chan struct{} // the client's settings changed
	refreshes chan struct{} // lenses and hints changed
	lanes     map[string]*lane
	workers   sync.WaitGroup

	// Set by initialize, which is handled before anything else.
	client  present.Client
	caps    capabilities
	rich    bool   // knows the notifications that are not part of LSP
	initial []byte // settings from initializationOptions

	untitled sync.Once // the user was told about documents without a file

	mu         sync.Mutex
	configured []byte // settings from workspace/configuration and its changes
	warned     map[settings.Warning]bool
	documents  map[string]document // of our own, by URI
	progress   map[string]bool     // tokens of running progress
	asking     bool                // the user is asked whether to download
	scratch    string              // folder for documents that the cache does not take; empty until there is one
}

func oracleNames(oracles []session.Oracle) []string {
	var names []string
	for _, o := range oracles {
		names = append(names, o.Name)
	}
	return names
}

// start makes the session; nothing is sent before the client initialized.
func (s *server) start(ctx context.Context, peer rpc.Peer) {
	s.ctx, s.stop = context.WithCancel(ctx)
	s.peer = peer
	s.warned = map[settings.Warning]bool{}
	s.documents = map[string]document{}
	s.progress = map[string]bool{}
	config := s.config.Session
	config.Log = s.log
	config.Changed = s.changed
	config.Held = true // until the client told its settings
	s.session = session.New(config)
}

// changed wakes the publisher.
func (s *server) changed() { signal(s.wake) }

// signal wakes the receiver of a channel with room for one. It never blocks:
// signals that nobody took are one.
func signal(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// follow calls f for each signal until the connection ends.
func (s *server) follow(signals <-chan struct{}, f func()) {
	for {
		select {
		case <-s.ctx.Done():
			return
		case <-signals:
			f()
		}
	}
}

// close ends everything that was started.
func (s *server) close() {
	s.stop()
	s.workers.Wait()
	s.session.Close()
	if s.scratch != "" {
		_ = os.RemoveAll(s.scratch)
	}
}
