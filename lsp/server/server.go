// Package server is the language server. Each LSP method has a file: its
// handler finds the Snapshot, calls package present and returns the result.
// The publisher notifies the client when a new Snapshot differs from the last.
//
// It knows no Solidity and no fuzzing: session owns state and work, present
// formats, settings decodes settings, rpc carries messages.
package server

import (
	"context"
	"io"
	"sync"
	"time"

	"go.lsp.dev/protocol"
	"go.uber.org/zap"

	"leveret/lsp/rpc"
	"leveret/lsp/session"
	"leveret/lsp/settings"
)

// Config configures a server. The zero value uses the installed compilers and
// the engine, and logs to the client only.
type Config struct {
	Session session.Config
	Version string // for serverInfo
	Log     *zap.Logger
	Poll    time.Duration // interval for watched files if the client watches none; 0 means 2 s
}

// Serve serves one client on conn and closes conn at the end. The error is nil
// only if the client sent shutdown and exit.
func Serve(ctx context.Context, conn io.ReadWriteCloser, config Config) error {
	if config.Log == nil {
		config.Log = zap.NewNop()
	}
	if config.Poll == 0 {
		config.Poll = 2 * time.Second
	}
	messages := newMessageQueue()
	log := limitLog(withClient(config.Log, messages))
	var s *server
	err := rpc.Serve(ctx, conn, log, func(ctx context.Context, peer rpc.Peer) rpc.Server {
		s = newServer(newTasks(ctx), &client{peer: peer, log: log, messages: messages}, config)
		return rpc.Server{Initialize: s.initialize, Methods: s.methods()}
	})
	s.close()
	return err
}

// ErrNoShutdown is wrapped by Serve's error if the client left without
// shutdown.
var ErrNoShutdown = rpc.ErrNoShutdown

// A server serves one client. It connects the parts and has the handlers that
// are shorter than a part.
type server struct {
	version   string
	session   *session.Session
	client    *client
	tasks     *tasks
	settings  *configuration
	watcher   *watcher
	documents *documents
	commands  *commands
	tokens    *progressTokens
	publisher *publisher
	untitled  sync.Once // the hint to save an untitled document
}

// methods is the table of the LSP methods that the server handles.
func (s *server) methods() []rpc.Method {
	return []rpc.Method{
		rpc.Notification(protocol.MethodInitialized, s.initialized),
		rpc.Notification(protocol.MethodSetTrace, s.setTrace),
		rpc.Request(protocol.MethodShutdown, s.shutdown),
		rpc.Notification(protocol.MethodTextDocumentDidOpen, s.didOpen),
		rpc.Notification(protocol.MethodTextDocumentDidChange, s.didChange),
		rpc.Notification(protocol.MethodTextDocumentDidSave, s.didSave),
		rpc.Notification(protocol.MethodTextDocumentDidClose, s.didClose),
		rpc.Request(protocol.MethodTextDocumentCodeAction, s.codeAction),
		rpc.Request(protocol.MethodCodeActionResolve, s.codeActionResolve),
		rpc.Request(protocol.MethodTextDocumentCodeLens, s.codeLens),
		rpc.Request(protocol.MethodTextDocumentDocumentLink, s.documents.links),
		rpc.Request(protocol.MethodTextDocumentHover, s.hover),
		rpc.Request(protocol.MethodTextDocumentInlayHint, s.inlayHint),
		rpc.Notification(protocol.MethodWindowWorkDoneProgressCancel, s.workDoneProgressCancel),
		rpc.Notification(protocol.MethodWorkspaceDidChangeConfiguration, s.settings.didChange),
		rpc.Notification(protocol.MethodWorkspaceDidChangeWatchedFiles, s.watcher.didChangeWatchedFiles),
		rpc.Notification(protocol.MethodWorkspaceDidChangeWorkspaceFolders, s.watcher.didChangeWorkspaceFolders),
		rpc.Request(protocol.MethodWorkspaceExecuteCommand, s.commands.execute),
		rpc.Request(protocol.MethodWorkspaceTextDocumentContent, s.documents.content),
	}
}

// newServer makes the parts. Nothing is sent before the client initialized.
func newServer(t *tasks, c *client, config Config) *server {
	s := &server{version: config.Version, client: c, tasks: t, tokens: &progressTokens{running: map[string]bool{}}}
	wake := newSignal()
	sessionConfig := config.Session
	sessionConfig.Log = c.log
	sessionConfig.Changed = wake.send
	sessionConfig.Held = true // until the settings are known
	s.session = session.New(sessionConfig)
	s.settings = newConfiguration(t.ctx, c, s.session, settings.Reader{Oracles: oracleNames(config.Session.Oracles)})
	s.watcher = &watcher{s.session, s.settings, config.Poll}
	s.documents = &documents{client: c, cache: config.Session.Cache, texts: map[string]document{}}
	install := &installer{base: t.ctx, client: c, install: s.session.Install, lane: newLane()}
	s.commands = newCommands(t.ctx, c, s.session, s.documents, install)
	s.publisher = newPublisher(t, c, s.session.Snapshot, wake)
	s.publisher.progress.tokens = s.tokens
	if config.Session.Install != nil {
		s.publisher.offer = newOffer(t, c, install, wake)
	}
	return s
}

func oracleNames(oracles []session.Oracle) []string {
	var names []string
	for _, o := range oracles {
		names = append(names, o.Name)
	}
	return names
}

// close stops everything that newServer and the handlers started.
func (s *server) close() {
	s.tasks.close()
	s.session.Close()
	s.documents.close()
}
