package change

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"leveret/solc"
	"leveret/solc/solctest"
)

// A lab is a repository created by the git command.
type lab struct {
	t   *testing.T
	dir string
}

func newLab(t *testing.T) *lab {
	t.Helper()
	_, missing := exec.LookPath("git")
	solctest.Need(t, missing == nil, "there is no git")
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	l := &lab{t, dir}
	l.git("init", "-q", "-b", "main")
	return l
}

func (l *lab) git(arguments ...string) string {
	l.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=nobody", "-c", "user.email=nobody@example.org", "-c", "protocol.file.allow=always"}, arguments...)...)
	cmd.Dir = l.dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		l.t.Fatalf("git %v: %v\n%s", arguments, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (l *lab) write(name, text string) {
	l.t.Helper()
	path := filepath.Join(l.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		l.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		l.t.Fatal(err)
	}
}

func (l *lab) commit(message string) {
	l.git("add", "-A")
	l.git("commit", "-q", "--allow-empty", "-m", message)
}

// source reads a file as a source without a syntax tree.
func (l *lab) source(name string) *solc.Source {
	l.t.Helper()
	path := filepath.Join(l.dir, filepath.FromSlash(name))
	text, err := os.ReadFile(path)
	if err != nil {
		l.t.Fatal(err)
	}
	return &solc.Source{Name: name, Path: path, Text: text}
}

// changed returns the changes in some files: "A.sol: one|two".
func (l *lab) changed(revision string, names ...string) string {
	l.t.Helper()
	var sources []*solc.Source
	for _, name := range names {
		sources = append(sources, l.source(name))
	}
	files, err := Since(l.t.Context(), l.dir, revision, sources)
	if err != nil {
		return err.Error()
	}
	var all []string
	for _, f := range files {
		source := sources[slices.IndexFunc(sources, func(s *solc.Source) bool { return s.Path == f.Path })]
		var lines []string
		for _, s := range f.Lines(source) {
			lines = append(lines, string(source.Text[s.Start:s.End()]))
		}
		all = append(all, source.Name+": "+strings.Join(lines, "|"))
	}
	return strings.Join(all, "; ")
}

func (l *lab) want(got, want string) {
	l.t.Helper()
	if got != want {
		l.t.Errorf("got %q, want %q", got, want)
	}
}

func TestSince(t *testing.T) {
	l := newLab(t)
	l.write("A.sol", "one\ntwo\nthree\nfour\n")
	l.write("src/B.sol", "same\n")
	l.write(".gitignore", "/out/\n*.gen.sol\n!src/kept.gen.sol\n")
	l.commit("first")
	l.want(l.changed("HEAD", "A.sol", "src/B.sol"), "")

	l.write("A.sol", "one\nTWO\nthree\nfour\nfive\n")
	l.want(l.changed("HEAD", "A.sol", "src/B.sol"), "A.sol: TWO|five")
	l.write("A.sol", "one\nfour\n") // the line after the deleted one
	l.want(l.changed("HEAD", "A.sol"), "A.sol: four")
	l.write("A.sol", "one\ntwo\n") // no line follows
	l.want(l.changed("HEAD", "A.sol"), "A.sol: ")
	l.write("A.sol", "one\r\ntwo\r\nTHREE\r\nfour\r\n") // Windows line ends
	l.want(l.changed("HEAD", "A.sol"), "A.sol: THREE")

	l.write("src/New.sol", "a\nb\n")
	l.write("out/Built.sol", "a\n")
	l.write("src/X.gen.sol", "a\n")
	l.write("src/kept.gen.sol", "a")
	l.want(l.changed("HEAD", "src/New.sol", "out/Built.sol", "src/X.gen.sol", "src/kept.gen.sol"), "src/New.sol: a\nb\n; src/kept.gen.sol: a")
	l.git("add", "-f", "src/X.gen.sol")
	l.want(l.changed("HEAD", "src/X.gen.sol"), "src/X.gen.sol: a\n")
	l.write(".git/info/exclude", "New.sol\n")
	l.want(l.changed("HEAD", "src/New.sol"), "")
}

// Revisions have the syntax of git and resolve as in git.
func TestRevisions(t *testing.T) {
	l := newLab(t)
	for i := range 5 {
		l.write("A.sol", strings.Repeat("x\n", i+1))
		l.commit(fmt.Sprint("commit ", i))
	}
	l.git("tag", "light", "HEAD~3")
	l.git("tag", "-a", "-m", "annotated", "heavy", "HEAD~2")
	l.git("branch", "feature/x", "HEAD~1")
	l.git("update-ref", "refs/remotes/origin/main", "HEAD~2")
	l.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
	l.git("checkout", "-q", "-b", "side", "HEAD~2")
	l.commit("side")
	l.git("checkout", "-q", "main")
	l.git("merge", "-q", "--no-ff", "-m", "merge", "side")
	revisions := []string{"HEAD", "@", "main", "refs/heads/main", "heads/main", "light", "tags/light", "heavy", "heavy^{}", "feature/x", "feature/x~1", "origin/main", "origin",
		"HEAD~2", "HEAD~", "HEAD^", "HEAD^2", "HEAD^2~1", "HEAD^^", "HEAD~1^1", "HEAD^0", "@~3", l.git("rev-parse", "HEAD~1"), l.git("rev-parse", "--short=7", "HEAD~1"), l.git("rev-parse", "HEAD~2")[:9],
		"nowhere", "HEAD~99", "HEAD^3", "", "~1", "^", "HEAD^x", "../main", "-x", "--output=x", "HEAD:A.sol", "main@{1}", "0000000000000000000000000000000000000000", "abcd", "HEAD~99999999999999999999"}
	for _, packed := range []bool{false, true} {
		if packed {
			l.git("gc", "-q")
		}
		r, err := openRepository(l.dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, revision := range revisions {
			out, failed := exec.Command("git", "-C", l.dir, "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}").Output()
			want := strings.TrimSpace(string(out))
			if unread := revision == "heavy^{}" || revision == "main@{1}" || revision == ""; unread || failed != nil {
				want = ""
			}
			got := ""
			if c, err := r.commit(t.Context(), revision); err == nil {
				got = c.Hash.String()
			}
			if revision == "" || revision == "~1" || revision == "^" { // HEAD, in this package
				continue
			}
			if got != want {
				t.Errorf("packed %v: %q is %q, want %q", packed, revision, got, want)
			}
		}
		r.close()
	}
	l.want(l.changed("nowhere", "A.sol"), ErrNoRevision.Error())
}

// Linked work trees, submodules and clones with shared objects are supported.
func TestLinkedRepositories(t *testing.T) {
	l := newLab(t)
	l.write("A.sol", "one\n")
	l.commit("first")
	other := &lab{t, filepath.Join(t.TempDir(), "linked")}
	l.git("worktree", "add", "-q", "-b", "other", other.dir)
	other.write("A.sol", "ONE\n")
	other.want(other.changed("main", "A.sol"), "A.sol: ONE")
	other.commit("second")
	other.want(other.changed("HEAD", "A.sol"), "")
	other.want(other.changed("main", "A.sol"), "A.sol: ONE")

	shared := &lab{t, filepath.Join(t.TempDir(), "shared")}
	l.git("clone", "-q", "--shared", l.dir, shared.dir)
	shared.write("A.sol", "two\n")
	shared.want(shared.changed("origin/main", "A.sol"), "A.sol: two")

	l.git("submodule", "--quiet", "add", shared.dir, "lib/shared")
	l.commit("submodule")
	l.write("lib/shared/A.sol", "three\n")
	l.want(l.changed("HEAD", "A.sol", "lib/shared/A.sol"), "") // the submodule has its own history
	texts, err := Texts(t.Context(), []string{filepath.Join(l.dir, "A.sol"), filepath.Join(l.dir, "lib/shared/A.sol")}, "HEAD")
	if err != nil || len(texts) != 2 {
		t.Errorf("texts %q, %v", texts, err)
	}
}

// An unreadable repository returns a one-line error.
func TestUnreadRepositories(t *testing.T) {
	l := newLab(t)
	l.write("A.sol", "one\n")
	l.commit("first")
	l.write("A.sol", "two\n")
	l.commit("second")

	shallow := &lab{t, filepath.Join(t.TempDir(), "shallow")}
	l.git("clone", "-q", "--depth=1", "file://"+l.dir, shallow.dir)
	shallow.want(shallow.changed("HEAD~1", "A.sol"), "objects are missing, as in a shallow or partial clone; run git fetch --unshallow, or git fetch --refetch --no-filter")

	for name, arguments := range map[string][]string{
		"sha256":   {"init", "-q", "--object-format=sha256"},
		"reftable": {"init", "-q", "--ref-format=reftable"},
	} {
		other := &lab{t, filepath.Join(t.TempDir(), name)}
		if exec.Command("git", append(arguments, other.dir)...).Run() != nil {
			continue // an older git
		}
		other.write("A.sol", "one\n")
		if got := other.changed("HEAD", "A.sol"); !strings.Contains(got, name) || !strings.HasPrefix(got, "the git repository cannot be read: ") {
			t.Errorf("%s: %q", name, got)
		}
	}

	none := &lab{t, t.TempDir()}
	none.write("A.sol", "one\n")
	none.want(none.changed("HEAD", "A.sol"), ErrNoRepository.Error())
	l.git("clone", "-q", "--bare", l.dir, filepath.Join(none.dir, "looks-like-git"))
	inside := &lab{t, filepath.Join(none.dir, "looks-like-git")}
	inside.write("A.sol", "one\n")
	inside.want(inside.changed("HEAD", "A.sol"), ErrNoRepository.Error())
}

// Damaged files of git return an error and never crash the process.
func TestDamagedRepositories(t *testing.T) {
	l := newLab(t)
	for i := range 30 {
		l.write("A.sol", strings.Repeat(fmt.Sprintln("line", i), 200))
		l.write(fmt.Sprintf("src/%d.sol", i), "x\n")
		l.commit(fmt.Sprint(i))
	}
	l.git("gc", "-q")
	packs, err := filepath.Glob(filepath.Join(l.dir, ".git/objects/pack/*"))
	if err != nil || len(packs) == 0 {
		t.Fatal("no packs", err)
	}
	source := l.source("A.sol")
	for _, pack := range packs {
		text, err := os.ReadFile(pack)
		if err != nil {
			t.Fatal(err)
		}
		os.Chmod(pack, 0o600)
		for i := 0; i < len(text); i += max(1, len(text)/50) {
			for _, b := range []byte{0, 0x7f, 0xff} {
				damaged := bytes.Clone(text)
				damaged[i] = b
				if err := os.WriteFile(pack, damaged, 0o600); err != nil {
					t.Fatal(err)
				}
				_, _ = Since(context.Background(), l.dir, "HEAD~20", []*solc.Source{source})
			}
		}
		if err := os.WriteFile(pack, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
