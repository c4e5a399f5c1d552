package server

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// need skips a test whose prerequisite is missing, or fails it if the run must
// be complete.
func need(t testing.TB, why string) {
	t.Helper()
	if os.Getenv("LEVERET_REQUIRE_ALL") == "1" {
		t.Fatal("needed: " + why)
	}
	t.Skip("skipped: " + why)
}

// repository returns the root of the module.
func repository(t testing.TB) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// compilers returns the tool folder with the pinned compilers.
func compilers(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(repository(t), "solc", "testdata", "npm")
	if _, err := os.Stat(filepath.Join(dir, "node_modules", "solc-0.8.30")); err != nil {
		need(t, "the compilers that make tools installs")
	}
	return dir
}

// binary builds the command.
func binary(t testing.TB) string {
	t.Helper()
	if path := os.Getenv("LEVERET_BINARY"); path != "" {
		return path
	}
	path := filepath.Join(t.TempDir(), "leveret")
	cmd := exec.Command("go", "build", "-o", path, "leveret/cmd/leveret")
	cmd.Dir = repository(t)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return path
}

// neovimSession is the output of session.lua.
type neovimSession struct {
	Error      string
	Diagnostic struct {
		Line, Column, Severity int
		Message                string
		LSP                    struct {
			Code               string
			RelatedInformation []protocol.DiagnosticRelatedInformation
		}
	}
	Blamed  string
	Actions []string
	Trace   uri.URI
	Hover   string
	Lenses  int
	Fixed   bool
}

// A user opens a faulty contract in Neovim, reads the diagnostic and its
// related places, replays the finding, and fixes it.
func TestNeovim(t *testing.T) {
	nvim, err := exec.LookPath("nvim")
	if err != nil {
		need(t, "nvim")
	}
	tools, leveret := compilers(t), binary(t)
	root := t.TempDir()
	faulty, err := os.ReadFile("testdata/neovim/Wallet.sol")
	if err != nil {
		t.Fatal(err)
	}
	file, fixed := filepath.Join(root, "Wallet.sol"), filepath.Join(t.TempDir(), "Fixed.sol")
	fixedText := strings.Replace(string(faulty), "assert(step == 0)", "assert(step <= 1)", 1)
	for path, text := range map[string]string{file: string(faulty), fixed: fixedText} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	script, err := filepath.Abs("testdata/neovim/session.lua")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, nvim, "--clean", "--headless", "-c", "luafile "+script, file)
	home := t.TempDir()
	cmd.Env = append(os.Environ(), "LEVERET="+leveret, "ROOT="+root, "FIXED="+fixed, "LEVERET_TOOLS="+tools,
		"HOME="+home, "XDG_CACHE_HOME="+filepath.Join(home, "cache"), "XDG_STATE_HOME="+home, "XDG_DATA_HOME="+home)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	output, err := cmd.Output()
	if err != nil {
		t.Fatalf("nvim: %v\n%s", err, stderr.String())
	}
	var s neovimSession
	if err := json.Unmarshal(output, &s); err != nil {
		t.Fatalf("%v in %s", err, output)
	}
	if s.Error != "" {
		t.Fatalf("%s\n%s\n%s", s.Error, output, stderr.String())
	}
	s.check(t, file)
}

func (s *neovimSession) check(t *testing.T, file string) {
	d := s.Diagnostic
	if d.Line != 12 || strings.TrimSpace(s.Blamed) != "assert(step == 0);" || d.Severity != 1 || d.LSP.Code != "assertion" {
		t.Errorf("diagnostic %+v on %q", d, s.Blamed)
	}
	lines := []uint32{7, 11} // begin, then finish
	if len(d.LSP.RelatedInformation) != len(lines) {
		t.Errorf("related information %+v", d.LSP.RelatedInformation)
	} else {
		for i, r := range d.LSP.RelatedInformation {
			if r.Location.Range.Start.Line+1 != lines[i] || r.Location.URI.FsPath() != file {
				t.Errorf("entry %d: %+v", i+1, r)
			}
		}
	}
	if !strings.Contains(d.Message, "begin(31337)") || !strings.Contains(s.Hover, "begin(31337)") {
		t.Errorf("message %q, hover %q", d.Message, s.Hover)
	}
	text, err := os.ReadFile(s.Trace.FsPath())
	if err != nil || !strings.Contains(string(text), "begin(code: 31337)") || !strings.Contains(string(text), "assert(step == 0)") {
		t.Errorf("trace %s: %v\n%s", s.Trace, err, text)
	}
	if len(s.Actions) < 4 || s.Lenses != 3 || !s.Fixed {
		t.Errorf("actions %q, %d lenses, fixed %v", s.Actions, s.Lenses, s.Fixed)
	}
}
