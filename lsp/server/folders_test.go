package server

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"leveret/lsp/session"
	"leveret/solc"
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

// A folder that leaves the workspace takes its settings along.
func TestRemovedFolderLosesItsSettings(t *testing.T) {
	w := new(workshop)
	e := connect(t, w.config(""))
	e.must(os.MkdirAll(filepath.Join(e.dir, "kept"), 0o700))
	e.must(os.MkdirAll(filepath.Join(e.dir, "quiet"), 0o700))
	e.write("quiet/leveret.toml", "nonsense = 1\n[oracles]\nassertion = \"off\"\n")
	quiet := protocol.WorkspaceFolder{URI: e.uri("quiet"), Name: "quiet"}
	e.folders(protocol.WorkspaceFolder{URI: e.uri("kept"), Name: "kept"}, quiet)
	e.start(allCapabilities, `{"notifications":true,"idle":false}`)
	e.open("quiet/A.sol", "contract A\nbug x\n")
	e.until("a campaign", func() bool { return w.started() > 0 && w.idle() && e.calm() })
	if got := e.got().Messages; len(got) != 1 || !strings.Contains(got[0], filepath.Join(e.dir, "quiet", "leveret.toml")) {
		t.Errorf("messages %q do not say which file is wrong", got)
	}
	if got := e.found("quiet/A.sol"); len(got) > 0 {
		t.Errorf("diagnostics %+v of an oracle that is off", got)
	}
	e.must(e.server.DidChangeWorkspaceFolders(e.ctx(), &protocol.DidChangeWorkspaceFoldersParams{
		Event: protocol.WorkspaceFoldersChangeEvent{Removed: []protocol.WorkspaceFolder{quiet}},
	}))
	e.until("the finding", func() bool { return len(e.found("quiet/A.sol")) == 1 })
}

// A baseline that cannot be read is said, in a workspace that the user trusts, and does not
// prevent fuzzing.
func TestBaselineThatCannotBeRead(t *testing.T) {
	for trusted, want := range map[bool]string{true: "git:nowhere in ", false: "not trusted"} {
		w := new(workshop)
		e := connect(t, w.config(""))
		e.start(allCapabilities, fmt.Sprintf(`{"notifications":true,"idle":false,"trusted":%t,"baseline":"git:nowhere"}`, trusted))
		e.open("A.sol", "contract A\nbug x\n")
		e.until("the finding", func() bool { return len(e.found("A.sol")) == 1 })
		if got := e.got().Messages; len(got) != 1 || !strings.Contains(got[0], "leveret.baseline") || !strings.Contains(got[0], want) {
			t.Errorf("trusted %t: messages %q do not say %s", trusted, got, want)
		}
	}
}

// Clients report a folder that is deleted or renamed without its files.
func TestDeletedFolderIsItsFiles(t *testing.T) {
	w := new(workshop)
	config := w.config("")
	compile := config.Session.Compiler.Compile
	config.Session.Compiler.Compile = func(ctx context.Context, source session.SourceFile) (*solc.Build, error) {
		text, err := os.ReadFile(filepath.Join(source.Root, "lib", "B.sol"))
		if err != nil {
			return nil, err
		}
		b, err := compile(ctx, source)
		if err == nil {
			b.Sources = append(b.Sources, &solc.Source{Name: "lib/B.sol", Path: filepath.Join(source.Root, "lib", "B.sol"), Text: text})
		}
		return b, err
	}
	e := connect(t, config)
	e.must(os.MkdirAll(filepath.Join(e.dir, "lib"), 0o700))
	e.write("lib/B.sol", "library\n")
	e.start(allCapabilities, `{"notifications":true,"idle":false}`)
	e.open("A.sol", "contract A\nbug x\n")
	e.until("the finding", func() bool { return len(e.found("A.sol")) == 1 && e.calm() })
	for _, path := range []string{"li", "lib"} { // nothing is in li
		e.must(os.RemoveAll(filepath.Join(e.dir, path)))
		e.must(e.server.DidChangeWatchedFiles(e.ctx(), &protocol.DidChangeWatchedFilesParams{
			Changes: []protocol.FileEvent{{URI: e.uri(path), Type: protocol.FileChangeTypeDeleted}},
		}))
	}
	e.until("that the import is missing", func() bool { return len(e.found("A.sol")) == 2 })
}
