package projects

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestProjectList(t *testing.T) {
	list, aliases, err := parse(projectList)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) < 8 || len(aliases) == 0 {
		t.Errorf("%d projects, %d aliases", len(list), len(aliases))
	}
	names := map[string]bool{}
	for _, p := range list {
		if names[p.Name] || len(p.Origin.Commit) != 40 || strings.Count(p.Origin.Repository, "/") != 1 {
			t.Errorf("bad row: %+v", p)
		}
		names[p.Name] = true
	}
	for _, line := range []string{"name owner/name", "name owner/name commit folder=owner/name", "name owner/name commit folder"} {
		if _, _, err := parse(line); err == nil {
			t.Errorf("%q is accepted", line)
		}
	}
}

// A work tree has the files of the commit, of submodules at the recorded commit,
// and of what replaces a submodule.
func TestLayOut(t *testing.T) {
	clones := t.TempDir()
	git := func(dir string, args ...string) string {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always"}, args...)...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	commit := func(dir, file, text string) string {
		t.Helper()
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(filepath.Join(dir, ".git")); err != nil {
			git(dir, "init", "-q")
		}
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		git(dir, "add", "-A")
		git(dir, "commit", "-qm", file)
		return git(dir, "rev-parse", "HEAD")
	}
	library := filepath.Join(clones, "Owner+library", "repo")
	old := commit(library, "a.sol", "old")
	commit(library, "a.sol", "new")
	other := commit(filepath.Join(clones, "owner+other"), "b.sol", "other")
	parent := filepath.Join(clones, "owner+parent")
	commit(parent, "c.sol", "parent")
	modules := ""
	for path, url := range map[string]string{"lib/library": "https://github.com/former/library.git", "lib/replaced": "https://github.com/owner/huge", "lib/absent": "git@github.com:owner/absent"} {
		git(parent, "update-index", "--add", "--cacheinfo", "160000,"+old+","+path)
		modules += "[submodule \"" + path + "\"]\n\tpath = " + path + "\n\turl = " + url + "\n"
	}
	if err := os.WriteFile(filepath.Join(parent, ".gitmodules"), []byte(modules), 0o644); err != nil {
		t.Fatal(err)
	}
	git(parent, "add", ".gitmodules")
	git(parent, "commit", "-qm", "modules")
	m := &mirrors{dir: clones, aliases: map[string]string{"former/library": "owner/library"}}
	p := Project{Name: "p", Origin: Origin{"owner/parent", git(parent, "rev-parse", "HEAD")}, extra: map[string]Origin{"lib/replaced": {"owner/other", other}}}
	dir := filepath.Join(t.TempDir(), "p")
	if err := m.layOut(p, dir); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{"c.sol": "parent", "lib/library/a.sol": "old", "lib/replaced/b.sol": "other"} {
		if text, err := os.ReadFile(filepath.Join(dir, file)); err != nil || string(text) != want {
			t.Errorf("%s: %q, %v", file, text, err)
		}
	}
	if want := []string{"lib/absent: no clone of owner/absent"}; !slices.Equal(m.missing, want) {
		t.Errorf("missing: %q", m.missing)
	}
	if err := m.layOut(p, dir); err == nil {
		t.Error("an existing folder is written over")
	}
	p.Origin.Commit = strings.Repeat("0", 40)
	if err := m.layOut(p, dir+"2"); err == nil {
		t.Error("an unknown commit is accepted")
	}
}
