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

// initialize negotiates the capabilities. It runs inline and does not call the
// client.
func (s *server) initialize(_ context.Context, params *protocol.InitializeParams) (*protocol.InitializeResult, error) {
	s.client.can = readCapabilities(params.Capabilities)
	s.client.format = readFormat(params.Capabilities)
	extensions := readExtensions(params.InitializationOptions)
	s.client.extensions, s.client.format.Debugger, s.client.format.CommandLinks = extensions.Notifications, extensions.Debugger, extensions.CommandLinks
	s.settings.initial, s.settings.pending = params.InitializationOptions, s.client.can.configuration
	s.session.SetEncoding(s.client.format.Encoding)
	s.settings.changeFolders(folders(params), nil)
	if params.ProcessID != nil {
		pid := int(*params.ProcessID)
		s.tasks.start(func() { rpc.WatchParent(s.tasks.ctx, pid, s.hangUp) })
	}
	return &protocol.InitializeResult{
		Capabilities: serverCapabilities(s.client.format, s.client.can),
		ServerInfo:   protocol.ServerInfo{Name: "leveret", Version: protocol.NewOptional(s.version)},
	}, nil
}

// hangUp ends the connection of a client that died without closing it.
func (s *server) hangUp() {
	s.client.log.Info("the client's process ended")
	s.client.peer.Hangup()
}

// folders returns the paths of the workspace folders. Clients name them in
// three ways.
func folders(params *protocol.InitializeParams) []string {
	if list, ok := params.WorkspaceFolders.Get(); ok {
		if paths := folderPaths(list); len(paths) > 0 {
			return paths
		}
	}
	return rootFolder(params)
}

func folderPaths(folders []protocol.WorkspaceFolder) []string {
	var paths []string
	for _, f := range folders {
		if path, ok := filePath(f.URI); ok {
			paths = append(paths, path)
		}
	}
	return paths
}

// rootFolder reads rootUri or rootPath, which clients without workspace
// folders send.
func rootFolder(params *protocol.InitializeParams) []string {
	//lint:ignore SA1019 older clients send nothing else
	if root := params.RootURI; root != nil {
		if path, ok := filePath(*root); ok {
			return []string{path}
		}
	}
	//lint:ignore SA1019 the oldest clients send nothing else
	if path, ok := params.RootPath.Get(); ok && filepath.IsAbs(path) {
		return []string{filepath.Clean(path)}
	}
	return nil
}

// filePath returns the path of a file URI. It copies the path: a decoded
// string keeps its whole message in memory.
func filePath(u uri.URI) (string, bool) {
	parsed, err := uri.Parse(string(u))
	if err != nil || u == "" || !parsed.IsFile() { // an empty URI would be the root folder
		return "", false
	}
	path := strings.Clone(parsed.FsPath())
	return filepath.Clean(path), filepath.IsAbs(path)
}

// initialized starts the tasks that call the client.
func (s *server) initialized(context.Context, *rpc.NoParams) error {
	s.tasks.start(s.publisher.run)
	s.tasks.start(func() { s.client.messages.send(s.tasks.ctx, s.client.peer) })
	s.tasks.start(func() {
		s.tasks.follow(s.publisher.refreshes, func() { s.client.refresh(s.tasks.ctx) })
	})
	s.tasks.start(func() {
		s.settings.fetch()
		s.session.Begin()
		s.tasks.start(s.register)
		s.tasks.follow(s.settings.changed, s.settings.fetch)
	})
	return nil
}

// register requests what clients register dynamically only. Files that the
// client does not watch are polled.
func (s *server) register() {
	can, poll := s.client.can, func() { s.watcher.poll(s.tasks.ctx) }
	var list []protocol.Registration
	if can.watch {
		list = append(list, watchRegistration())
	} else {
		s.tasks.start(poll)
	}
	if can.links {
		list = append(list, linkRegistration())
	}
	if can.dynamicConfig {
		options, _ := json.Marshal(map[string]any{"section": settingsSection})
		list = append(list, protocol.Registration{ID: "configuration", Method: protocol.MethodWorkspaceDidChangeConfiguration, RegisterOptions: options})
	}
	if len(list) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(s.tasks.ctx, callTimeout)
	defer cancel()
	if err := s.client.peer.RegisterCapability(ctx, &protocol.RegistrationParams{Registrations: list}); err != nil {
		s.client.log.Sugar().Warnf("client/registerCapability failed: %v", err)
		if can.watch {
			s.tasks.start(poll)
		}
	}
}

// setTrace is accepted and ignored: the log goes to window/logMessage.
func (s *server) setTrace(context.Context, *protocol.SetTraceParams) error { return nil }

// shutdown stops the running work. exit follows.
func (s *server) shutdown(context.Context, *rpc.NoParams) (any, error) {
	s.session.Stop()
	return nil, nil
}
