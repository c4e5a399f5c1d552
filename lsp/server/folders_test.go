package server

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// Each workspace folder has its own settings, also a folder that is added
// later. Files outside all folders have the user's settings.
func TestWorkspaceFolders(t *testing.T) {
	w := new(workshop)
	cache := t.TempDir()
	e := connect(t, w.config(cache))
	folder := func(name string, seed int) protocol.WorkspaceFolder {
		e.must(os.MkdirAll(filepath.Join(e.dir, name), 0o700))
		if seed > 0 {
			e.write(filepath.Join(name, "leveret.toml"), fmt.Sprintf("seed = %d\n", seed))
		}
		return protocol.WorkspaceFolder{URI: uri.File(filepath.Join(e.dir, name)), Name: name}
	}
	first, second, third := folder("first", 11), folder("second", 22), folder("third", 33)
	folder("elsewhere", 0)
	e.folders(first, second)
	e.start(allCapabilities, `{"notifications":true,"idle":false}`) // no later campaign on an earlier file
	corpora := map[string]string{}
	goes := func(name string, seed uint64) {
		t.Helper()
		before := w.started()
		e.open(name, "contract A\nbug x\n")
		e.until("a finding in "+name, func() bool { return len(e.found(name)) == 1 && w.started() > before && w.idle() && e.calm() })
		o := w.options()
		if o.Seed != seed {
			t.Errorf("%s is fuzzed with seed %d, want %d", name, o.Seed, seed)
		}
		if other := corpora[o.Corpus]; other != "" {
			t.Errorf("%s shares the corpus of %s", name, other)
		}
		corpora[o.Corpus] = name
	}
	goes("first/A.sol", 11)
	goes("second/A.sol", 22)
	goes("elsewhere/A.sol", 0)
	e.must(e.server.DidChangeWorkspaceFolders(e.ctx(), &protocol.DidChangeWorkspaceFoldersParams{
		Event: protocol.WorkspaceFoldersChangeEvent{Added: []protocol.WorkspaceFolder{third}, Removed: []protocol.WorkspaceFolder{second}},
	}))
	goes("third/A.sol", 33)
	goes("second/B.sol", 0)
	goes("first/B.sol", 11)
}
