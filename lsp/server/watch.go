package server

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"time"

	"go.lsp.dev/protocol"
)

// configFiles change what a whole folder's files mean.
var configFiles = []string{
	settingsFile, "foundry.toml", "remappings.txt",
	"hardhat.config.js", "hardhat.config.ts", "hardhat.config.cjs", "hardhat.config.mjs", "hardhat.config.cts", "hardhat.config.mts",
	"truffle-config.js", "truffle-config.cjs", "truffle.js", "brownie-config.yaml", "brownie-config.yml",
}

func solidity(path string) bool { return strings.EqualFold(filepath.Ext(path), ".sol") }

func isConfig(path string) bool {
	base := filepath.Base(path)
	for _, name := range configFiles {
		if base == name {
			return true
		}
	}
	return false
}

// watchRegistration asks the client to watch files.
func watchRegistration() protocol.Registration {
	type watcher struct {
		GlobPattern string `json:"globPattern"`
	}
	var options struct {
		Watchers []watcher `json:"watchers"`
	}
	options.Watchers = append(options.Watchers, watcher{"**/*.sol"})
	for _, name := range configFiles {
		options.Watchers = append(options.Watchers, watcher{"**/" + name})
	}
	raw, _ := json.Marshal(options)
	return protocol.Registration{ID: "files", Method: protocol.MethodWorkspaceDidChangeWatchedFiles, RegisterOptions: raw}
}

// DidChangeWatchedFiles takes the client's word for what changed on disk.
func (s *server) DidChangeWatchedFiles(_ context.Context, params *protocol.DidChangeWatchedFilesParams) error {
	var paths []string
	for _, event := range params.Changes {
		if path, ok := filePath(event.URI); ok {
			paths = append(paths, path)
		}
	}
	s.filesChanged(paths)
	return nil
}

func (s *server) filesChanged(paths []string) {
	var sources []string
	reconfigure := false
	for _, path := range paths {
		switch {
		case isConfig(path):
			reconfigure = true
			s.session.Reload(filepath.Dir(path))
		case solidity(path):
			sources = append(sources, path)
		}
	}
	if reconfigure {
		s.configure()
	}
	s.session.Changed(sources...)
}

// DidChangeWorkspaceFolders follows the client's folders.
func (s *server) DidChangeWorkspaceFolders(_ context.Context, params *protocol.DidChangeWorkspaceFoldersParams) error {
	keep := map[string]bool{}
	var paths []string
	for _, f := range s.session.Snapshot().Folders {
		keep[f.Path] = true
		paths = append(paths, f.Path)
	}
	for _, f := range params.Event.Removed {
		if path, ok := filePath(f.URI); ok {
			delete(keep, path)
		}
	}
	for _, f := range params.Event.Added {
		if path, ok := filePath(f.URI); ok && !keep[path] {
			keep[path] = true
			paths = append(paths, path)
		}
	}
	var left []string
	for _, path := range paths {
		if keep[path] {
			left = append(left, path)
		}
	}
	s.session.SetFolders(left)
	s.configure()
	return nil
}

// poll watches the files that matter where the client does not: those that
// went into what is open, and the configuration of the folders.
func (s *server) poll() {
	seen := map[string]stamp{}
	s.look(seen) // what is there now is no change
	ticker := time.NewTicker(s.session.Config().Poll)
	defer ticker.Stop()
	for {
		select {
		case <-s.ctx.Done():
			return
		case <-ticker.C:
			if changed := s.look(seen); len(changed) > 0 {
				s.filesChanged(changed)
			}
		}
	}
}

// A stamp tells a file from what it was.
type stamp struct {
	modified time.Time
	size     int64
}

// look returns the watched files that differ from what was seen of them.
// Files that were not watched before are only remembered.
func (s *server) look(seen map[string]stamp) []string {
	watched := s.session.Sources()
	for _, f := range s.session.Snapshot().Folders {
		for _, name := range configFiles {
			watched = append(watched, filepath.Join(f.Path, name))
		}
	}
	var changed []string
	current := map[string]bool{}
	for _, path := range watched {
		current[path] = true
		var now stamp
		if info, err := os.Stat(path); err == nil {
			now = stamp{info.ModTime(), info.Size()}
		}
		before, known := seen[path]
		if known && before != now {
			changed = append(changed, path)
		}
		seen[path] = now
	}
	for path := range seen {
		if !current[path] {
			delete(seen, path)
		}
	}
	return changed
}
