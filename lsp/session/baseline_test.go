package session

import (
	"errors"
	"os/exec"
	"slices"
	"testing"

	"leveret/lsp/settings"
	"leveret/solc/change"
	"leveret/solc/solctest"
	"leveret/solc/srcmap"
)

// git runs git in the lab's directory with a neutral identity.
func (l *lab) git(arguments ...string) {
	l.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=nobody", "-c", "user.email=nobody@example.org", "-c", "init.defaultBranch=main"}, arguments...)...)
	cmd.Dir = l.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		l.t.Fatalf("git %v: %v\n%s", arguments, err, out)
	}
}

// With a git baseline a campaign targets all differences from the revision, not
// only those since the last save.
func TestGitBaseline(t *testing.T) {
	_, err := exec.LookPath("git")
	solctest.Need(t, err == nil, "there is no git")
	l := newLab(t)
	l.set(func(s *settings.Settings) { s.Baseline, s.Trusted = "git:HEAD", true })
	l.git("init", "-q")
	l.write("A.sol", "contract A\none\ntwo\n")
	l.git("add", "A.sol")
	l.git("commit", "-q", "-m", "first")
	l.open("A.sol", "contract A\nONE\ntwo\n")
	l.rest()
	l.save("A.sol", "contract A\nONE\nTWO\n")
	l.until("the second campaign", func(*Snapshot) bool { return len(l.ran()) == 2 })
	l.rest()
	l.git("commit", "-q", "-a", "-m", "second")
	l.save("A.sol", "contract A\nONE\nTWO\nthree\n")
	l.until("the third campaign", func(*Snapshot) bool { return len(l.ran()) == 3 })
	l.rest()
	if err := CheckBaseline(t.Context(), l.dir, "HEAD"); err != nil {
		t.Error(err)
	}
	if err := CheckBaseline(t.Context(), l.dir, "nowhere"); !errors.Is(err, change.ErrNoRevision) {
		t.Errorf("a revision that does not exist: %v", err)
	}
	for i, want := range [][]srcmap.Span{
		{{Start: 11, Length: 4}}, // ONE
		{{Start: 11, Length: 8}}, // ONE and TWO, though only TWO is new since the last save
		{{Start: 19, Length: 6}}, // three: the others were committed
	} {
		lines := l.ran()[i].options.Lines
		if len(lines) != 1 || !slices.Equal(lines[0].Spans, want) {
			t.Errorf("campaign %d targets %+v, want %+v", i+1, lines, want)
		}
	}
}

// The session does not run git in an untrusted workspace.
func TestUntrustedGitBaseline(t *testing.T) {
	_, err := exec.LookPath("git")
	solctest.Need(t, err == nil, "there is no git")
	l := newLab(t)
	l.set(func(s *settings.Settings) { s.Baseline = "git:HEAD" })
	l.git("init", "-q")
	l.write("A.sol", "contract A\none\n")
	l.git("add", "A.sol")
	l.git("commit", "-q", "-m", "first")
	l.open("A.sol", "contract A\nONE\n")
	l.rest()
	if lines := l.ran()[0].options.Lines; len(lines) > 0 {
		t.Errorf("targets %+v", lines)
	}
}

// A missing revision does not prevent fuzzing.
func TestMissingBaseline(t *testing.T) {
	l := newLab(t)
	l.set(func(s *settings.Settings) { s.Baseline, s.Trusted = "git:nowhere", true })
	l.open("A.sol", "contract A\nbug x\n")
	l.rest()
	l.wantMarks("A.sol", "2 A:x")
	if lines := l.ran()[0].options.Lines; len(lines) > 0 {
		t.Errorf("targets %+v", lines)
	}
}
