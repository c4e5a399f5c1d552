package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestProjectList(t *testing.T) {
	list, aliases, err := parseProjects(projectList)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) < 8 || len(aliases) == 0 {
		t.Errorf("%d projects, %d aliases", len(list), len(aliases))
	}
	names := map[string]bool{}
	for _, p := range list {
		if names[p.name] || len(p.origin.commit) != 40 || strings.Count(p.origin.repository, "/") != 1 {
			t.Errorf("bad row: %+v", p)
		}
		names[p.name] = true
	}
	for _, line := range []string{"name owner/name", "name owner/name commit folder=owner/name", "name owner/name commit folder"} {
		if _, _, err := parseProjects(line); err == nil {
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
	p := project{name: "p", origin: origin{"owner/parent", git(parent, "rev-parse", "HEAD")}, extra: map[string]origin{"lib/replaced": {"owner/other", other}}}
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
	p.origin.commit = strings.Repeat("0", 40)
	if err := m.layOut(p, dir+"2"); err == nil {
		t.Error("an unknown commit is accepted")
	}
}

const forgeJSON = `Compiling...
{"test/A.t.sol:A":{"duration":"1ms","test_results":{
"testSame()":{"status":"Success","reason":null,"kind":{"Unit":{"gas":1}},"duration":"2ms 500µs"},
"testOther()":{"status":"Failure","reason":"1 != 2","kind":{"Unit":{"gas":1}},"duration":"1m 2s 3ns"},
"testFuzz(uint256)":{"status":"Success","reason":null,"kind":{"Fuzz":{"runs":256}},"duration":"0s"},
"testSkip()":{"status":"Skipped","reason":"later","kind":{"Unit":{"gas":1}},"duration":"0s"}}},
"test/B.t.sol:B":{"duration":"1ms","test_results":{"constructor()":{"status":"Failure","reason":"no","kind":{"Unit":{"gas":0}},"duration":"0s"}}}}`

const leveretJSON = `{"version":1,"suites":[{"file":"test/A.t.sol","contract":"A","tests":[
{"name":"testSame()","kind":"unit","status":"passed","seconds":0.001},
{"name":"testOther()","kind":"unit","status":"passed"},
{"name":"testFuzz(uint256)","kind":"fuzz","status":"failed","reason":"found\nit"}]},
{"file":"test/B.t.sol","contract":"B","error":"constructor reverted","tests":[{"name":"testX()","kind":"unit","status":"failed"}]}]}`

func TestCompare(t *testing.T) {
	theirs, err := readForge([]byte(forgeJSON))
	if err != nil {
		t.Fatal(err)
	}
	ours, err := readLeveret([]byte(leveretJSON))
	if err != nil {
		t.Fatal(err)
	}
	if got := theirs[key{"test/A.t.sol:A", "testOther()"}].Seconds; got != 62.000000003 {
		t.Errorf("%v seconds", got)
	}
	tests := compare(theirs, ours)
	var got tally
	got.add(tests)
	if want := (tally{unit: 4, unitEqual: 2, searched: 1, found: 1, forge: 0.0025, leveret: 0.001, timed: 1}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	var out bytes.Buffer
	writeTables(&out, []result{{Project: "p", Repository: "o/p", Commit: "0123456789", Tests: tests}})
	for _, want := range []string{
		"| p | o/p@01234567 | 4 | 2 | 50.0 % | 1 | 0 | 1 | 2.50 | 1.00 |",
		"- test/A.t.sol:A testSkip() (unit)\n  - forge: skipped: later\n  - leveret: absent\n- test/A.t.sol:A testFuzz",
		"leveret: failed: found it",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	for _, bad := range []string{"", "{}x", `{"a:A":{"test_results":{"t()":{"status":"Odd","duration":"0s"}}}}`, `{"a:A":{"test_results":{"t()":{"status":"Success","duration":"soon"}}}}`} {
		if _, err := readForge([]byte(bad)); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
	if _, err := readLeveret([]byte("no report")); err == nil {
		t.Error("what is no report is accepted")
	}
}
