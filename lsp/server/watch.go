package server

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.lsp.dev/protocol"

	"leveret/engine/report/baseline"
	"leveret/lsp/session"
)

// configFiles are the files that change how a whole folder is compiled, fuzzed or shown.
var configFiles = []string{
	settingsFile, baseline.Name, "foundry.toml", "remappings.txt",
	"hardhat.config.js", "hardhat.config.ts", "hardhat.config.cjs", "hardhat.config.mjs", "hardhat.config.cts", "hardhat.config.mts",
	"truffle-config.js", "truffle-config.cjs", "truffle.js", "brownie-config.yaml", "brownie-config.yml",
}

// harnessFiles are the patterns of what session.ConfiguresHarnesses accepts.
var harnessFiles = []string{"*[eE]chidna*.yaml", "*[eE]chidna*.yml", "*[mM]edusa*.json"}

func solidity(path string) bool { return strings.EqualFold(filepath.Ext(path), ".sol") }

// isTOML reports whether a file is configuration that a foundry.toml may extend.
func isTOML(path string) bool { return filepath.Ext(path) == ".toml" }

func isConfig(path string) bool {
	return session.ConfiguresHarnesses(path) || slices.Contains(configFiles, filepath.Base(path))
}

// watchRegistration requests workspace/didChangeWatchedFiles.
func watchRegistration() protocol.Registration {
	type watcher struct {
		GlobPattern string             `json:"globPattern"`
		Kind        protocol.WatchKind `json:"kind,omitempty"`
	}
	var options struct {
		Watchers []watcher `json:"watchers"`
	}
	options.Watchers = append(options.Watchers, watcher{GlobPattern: "**/*.sol"})
	options.Watchers = append(options.Watchers, watcher{GlobPattern: "**/*.toml"})
	for _, name := range slices.Concat(configFiles, harnessFiles) {
		if !isTOML(name) {
			options.Watchers = append(options.Watchers, watcher{GlobPattern: "**/" + name})
		}
	}
	options.Watchers = append(options.Watchers, watcher{"**/*", protocol.WatchKindDelete}) // folders
	raw, _ := json.Marshal(options)
	return protocol.Registration{ID: "files", Method: protocol.MethodWorkspaceDidChangeWatchedFiles, RegisterOptions: raw}
}

// A watcher passes changes on the disk to the session.
type watcher struct {
	session  watched
	settings *configuration
	interval time.Duration // of poll
}

type watched interface {
	Snapshot() *session.Snapshot
	Sources() []string
	Changed(paths ...string)
	Reload(folder string)
}

// didChangeWatchedFiles follows the client's file watcher.
func (w *watcher) didChangeWatchedFiles(_ context.Context, params *protocol.DidChangeWatchedFilesParams) error {
	var paths []string
	for _, event := range params.Changes {
		if path, ok := filePath(event.URI); ok {
			paths = append(paths, path)
		}
	}
	w.changed(paths)
	return nil
}

func (w *watcher) changed(paths []string) {
	var sources []string
	others := map[string]bool{}
	reconfigure := false
	for _, path := range paths {
		switch {
		case session.ConfiguresHarnesses(path), isTOML(path) && !isConfig(path): // of harnesses and files elsewhere, too
			if f, ok := w.session.Snapshot().Folder(path); ok {
				w.session.Reload(f.Path)
			}
		case isConfig(path):
			reconfigure = true
			w.session.Reload(filepath.Dir(path))
		case solidity(path):
			sources = append(sources, path)
		default:
			others[path] = true
		}
	}
	if reconfigure {
		w.settings.apply()
	}
	if len(others) > 0 {
		sources = append(sources, w.inside(others)...)
	}
	if len(sources) > 0 {
		w.session.Changed(sources...)
	}
}

// inside returns the compiled files in folders. Clients report a folder that is
// deleted or renamed without its files.
func (w *watcher) inside(folders map[string]bool) []string {
	return slices.DeleteFunc(w.session.Sources(), func(path string) bool {
		for dir := filepath.Dir(path); dir != path; path, dir = dir, filepath.Dir(dir) {
			if folders[dir] {
				return false
			}
		}
		return true
	})
}

// didChangeWorkspaceFolders adds and removes workspace folders.
func (w *watcher) didChangeWorkspaceFolders(_ context.Context, params *protocol.DidChangeWorkspaceFoldersParams) error {
	w.settings.changeFolders(folderPaths(params.Event.Added), folderPaths(params.Event.Removed))
	return nil
}

// poll watches the compiled files and the folders' configuration for clients
// that watch no files.
func (w *watcher) poll(ctx context.Context) {
	seen := map[string]fileStamp{}
	w.scan(seen) // the first scan has nothing to compare with
	ticker := time.NewTicker(w.interval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if changed := w.scan(seen); len(changed) > 0 {
				w.changed(changed)
			}
		}
	}
}

// A fileStamp changes when a file does. It is zero for a missing file.
type fileStamp struct {
	modified time.Time
	size     int64
}

// scan updates seen and returns the watched files that changed. A file that is
// new to seen has not changed.
func (w *watcher) scan(seen map[string]fileStamp) []string {
	sources, snapshot := w.session.Sources(), w.session.Snapshot()
	watched, folders := slices.Clone(sources), map[string]bool{} // true: a workspace folder
	for _, path := range sources {
		if _, ok := snapshot.Folder(path); ok {
			folders[filepath.Dir(path)] = false
		}
	}
	for _, f := range snapshot.Folders {
		folders[f.Path] = true
		for _, name := range slices.Concat(configFiles, session.HarnessFiles) {
			watched = append(watched, filepath.Join(f.Path, name))
		}
	}
	for folder, outermost := range folders {
		entries, _ := os.ReadDir(folder) // what cannot be read has none
		for _, e := range entries {
			if session.ConfiguresHarnesses(e.Name()) || outermost && isTOML(e.Name()) {
				watched = append(watched, filepath.Join(folder, e.Name()))
			}
		}
	}
	var changed []string
	current := map[string]bool{}
	for _, path := range watched {
		current[path] = true
		var now fileStamp
		if info, err := os.Stat(path); err == nil {
			now = fileStamp{info.ModTime(), info.Size()}
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
