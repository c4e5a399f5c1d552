package server

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"leveret/lsp/session"
	"leveret/solc/solctest"
)

// The watched patterns have the files that configure harnesses, and no others have them.
func TestHarnessFilesAreWatched(t *testing.T) {
	for name, want := range map[string]bool{"echidna-assertion.yaml": true, "VaultEchidna.yaml": true, "VaultMedusa.json": true, "medusa-core.json": true, "echidna.yml": true, "package.json": false, "core.yaml": false} {
		matches := slices.ContainsFunc(harnessFiles, func(pattern string) bool { ok, _ := path.Match(pattern, name); return ok })
		if matches != want || isConfig("/p/"+name) != want {
			t.Errorf("%s: watched %t, configuration %t", name, matches, isConfig("/p/"+name))
		}
	}
	for _, name := range session.HarnessFiles {
		if !isConfig(name) {
			t.Errorf("%s is no configuration", name)
		}
	}
}

// A fakeSession has one folder and records which folders are reloaded.
type fakeSession struct {
	folder   string
	sources  []string
	reloaded []string
}

func (f *fakeSession) Snapshot() *session.Snapshot {
	return &session.Snapshot{Folders: []session.Folder{{Path: f.folder}}}
}
func (f *fakeSession) Sources() []string  { return f.sources }
func (f *fakeSession) Changed(...string)  {}
func (f *fakeSession) Reload(path string) { f.reloaded = append(f.reloaded, path) }

// A configuration of harnesses in any folder of the workspace may change what runs when another
// folder's file is saved. Clients that watch no files get the same.
func TestHarnessFilesInFolders(t *testing.T) {
	root := solctest.Write(t, "test/fuzz/T.sol", "", "test/fuzz/medusa.json", "{}", "test/fuzz/note.toml", "", "extra.toml", "", "src/echidna.yaml", "", "src/A.sol", "")
	f := &fakeSession{folder: root, sources: []string{filepath.Join(root, "test/fuzz/T.sol"), filepath.Join(filepath.Dir(root), "elsewhere", "B.sol")}}
	w := &watcher{session: f}
	seen := map[string]fileStamp{}
	if changed := w.scan(seen); len(changed) > 0 {
		t.Errorf("changed at first: %v", changed)
	}
	later := time.Now().Add(time.Hour)
	for _, name := range []string{"test/fuzz/medusa.json", "test/fuzz/note.toml", "src/echidna.yaml", "extra.toml"} { // nothing of src is compiled
		if err := os.Chtimes(filepath.Join(root, name), later, later); err != nil {
			t.Fatal(err)
		}
	}
	changed := w.scan(seen)
	slices.Sort(changed)
	if got := strings.ReplaceAll(filepath.ToSlash(strings.Join(changed, " ")), filepath.ToSlash(root)+"/", ""); got != "extra.toml test/fuzz/medusa.json" {
		t.Errorf("%s changed", got)
	}
	w.changed(changed)
	if !slices.Equal(f.reloaded, []string{root, root}) {
		t.Errorf("reloaded %v, want %s for each", f.reloaded, root)
	}
}
