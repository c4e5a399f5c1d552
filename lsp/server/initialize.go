package server

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"leveret/lsp/rpc"
)

// Initialize agrees with the client on what both can do. It is handled inline
// and calls nobody.
func (s *server) Initialize(_ context.Context, params *protocol.InitializeParams) (*protocol.InitializeResult, error) {
	s.caps = readCapabilities(params.Capabilities)
	s.client = readClient(params.Capabilities)
	s.initial = params.InitializationOptions
	s.rich = wantsRich(s.initial)
	s.session.SetEncoding(s.client.Encoding)
	s.session.SetFolders(folders(params))
	s.configure()
	if params.ProcessID != nil {
		pid := int(*params.ProcessID)
		s.workers.Go(func() { rpc.WatchParent(s.ctx, pid, s.orphaned) })
	}
	return &protocol.InitializeResult{
		Capabilities: serverCapabilities(s.client, s.caps),
		ServerInfo:   protocol.ServerInfo{Name: "leveret", Version: protocol.NewOptional(s.config.Version)},
	}, nil
}

// orphaned ends the connection of a client that died without closing it.
func (s *server) orphaned() {
	s.log.Info("the client's process is gone")
	s.peer.Hangup()
}

// folders lists the paths of the workspace's folders, whichever way the client
// tells them.
func folders(params *protocol.InitializeParams) []string {
	var paths []string
	if list, ok := params.WorkspaceFolders.Get(); ok {
		for _, f := range list {
			if path, ok := filePath(f.URI); ok {
				paths = append(paths, path)
			}
		}
	}
	if len(paths) > 0 {
		return paths
	}
	return rootFolder(params)
}

// rootFolder reads what clients without workspace folders send instead.
func rootFolder(params *protocol.InitializeParams) []string {
	//lint:ignore SA1019 older clients know nothing else
	if root := params.RootURI; root != nil {
		if path, ok := filePath(*root); ok {
			return []string{path}
		}
	}
	//lint:ignore SA1019 the oldest
	if path, ok := params.RootPath.Get(); ok && filepath.IsAbs(path) {
		return []string{filepath.Clean(path)}
	}
	return nil
}

// filePath returns the path of a file URI. What was decoded is a piece of its
// message, which the path would keep alive.
func filePath(u uri.URI) (string, bool) {
	parsed, err := uri.Parse(string(u))
	if err != nil || u == "" || !parsed.IsFile() { // an empty one would be the root of all files
		return "", false
	}
	path := strings.Clone(parsed.FsPath())
	return filepath.Clean(path), filepath.IsAbs(path)
}

// Initialized starts what talks to the client on its own.
func (s *server) Initialized(context.Context, *protocol.InitializedParams) error {
	s.workers.Go(s.publish)
	s.workers.Go(func() { s.toClient.send(s.ctx, s.peer) })
	s.workers.Go(func() { s.follow(s.refreshes, s.refreshClient) })
	s.workers.Go(func() {
		s.fetchConfiguration()
		s.session.Begin()
		s.workers.Go(s.register)
		s.follow(s.refetch, s.fetchConfiguration)
	})
	return nil
}

// register asks the client for what can only be asked for afterwards.
func (s *server) register() {
	var list []protocol.Registration
	if s.caps.watch {
		list = append(list, watchRegistration())
	} else {
		s.workers.Go(s.poll)
	}
	if s.caps.links {
		list = append(list, linkRegistration())
	}
	if s.caps.dynamicConfig {
		options, _ := json.Marshal(map[string]any{"section": settingsSection})
		list = append(list, protocol.Registration{ID: "configuration", Method: protocol.MethodWorkspaceDidChangeConfiguration, RegisterOptions: options})
	}
	if len(list) == 0 {
		return
	}
	ctx, cancel := s.callTime()
	defer cancel()
	if err := s.peer.RegisterCapability(ctx, &protocol.RegistrationParams{Registrations: list}); err != nil {
		s.log.Sugar().Warnf("the client registered nothing: %v", err)
		if s.caps.watch {
			s.workers.Go(s.poll)
		}
	}
}

// SetTrace is accepted: logging goes by window/logMessage.
func (s *server) SetTrace(context.Context, *protocol.SetTraceParams) error { return nil }

// Shutdown stops what runs; exit follows.
func (s *server) Shutdown(context.Context) error {
	s.session.Stop()
	return nil
}
