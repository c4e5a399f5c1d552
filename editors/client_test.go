package editors

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// skipped lists the skipped tests with the reasons.
var skipped []string

// TestMain prints the skipped tests.
func TestMain(m *testing.M) {
	code := m.Run()
	if len(skipped) > 0 {
		fmt.Printf("skipped, missing:\n%s\n", strings.Join(skipped, "\n"))
	}
	for _, dir := range made {
		_ = os.RemoveAll(dir)
	}
	os.Exit(code)
}

// need skips a test whose prerequisite is missing, or fails it if the run must
// be complete.
func need(t testing.TB, why string) {
	t.Helper()
	if os.Getenv("LEVERET_REQUIRE_ALL") == "1" {
		t.Fatal("needed: " + why)
	}
	skipped = append(skipped, fmt.Sprintf("  %s: %s", why, t.Name()))
	t.Skip("skipped: " + why)
}

// newer is the folder where newer.sh installs programs.
const newer = "newer/bin/"

// program finds an editor in PATH or in the folder newer.
func program(t testing.TB, name string) string {
	t.Helper()
	for _, place := range []string{name, newer + filepath.Base(name)} {
		if path, err := exec.LookPath(place); err == nil {
			return absolute(t, path)
		}
	}
	need(t, name+", which is not installed")
	return ""
}

// absolute returns the absolute form of a path relative to this folder.
func absolute(t testing.TB, path string) string {
	t.Helper()
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// compilers returns the tool folder with the pinned compilers.
func compilers(t testing.TB) string {
	t.Helper()
	dir := absolute(t, "../solc/testdata/npm")
	if _, err := os.Stat(filepath.Join(dir, "node_modules", "solc-0.8.30")); err != nil {
		need(t, "the compilers that make tools installs")
	}
	return dir
}

// binary returns the path of the command: LEVERET_BINARY, or a new build.
func binary(t testing.TB) string {
	t.Helper()
	path, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

var made []string // folders that TestMain removes

// workshop makes a folder that TestMain removes.
func workshop(name string) (string, error) {
	dir, err := os.MkdirTemp("", name)
	if err == nil {
		made = append(made, dir)
	}
	return dir, err
}

var built = sync.OnceValues(func() (string, error) {
	if path := os.Getenv("LEVERET_BINARY"); path != "" {
		return path, nil
	}
	dir, err := workshop("leveret-binary-")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "leveret")
	cmd := exec.Command("go", "build", "-o", path, "leveret/cmd/leveret")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return path, nil
})

// A seen is the JSON that a script in an editor writes.
type seen struct {
	Error   string
	Line    int // of the finding
	Text    string
	Actions []string
	Calls   []int // lines of the related places
	Trace   string
	Test    string // trace of a test that passed
	Lenses  int
	Status  string
	Health  string
	Fixed   bool

	Adapter  adapter          // of debugging
	Launched []map[string]any // what the debugger would have started: of the finding, of a test
}

// desk is the environment of an editor: a workspace with a faulty contract, and
// a separate home.
type desk struct {
	file, fixed, home, out, leveret string
	env                             []string
}

const faultyLine = 18

// passingTest is a test contract, whose line 4 has a test.
const passingTest = `pragma solidity ^0.8.0;
contract AddsTest {
    bool public constant IS_TEST = true;
    function testAdds() external view { assert(this.sum(2, 3) == 5); }
    function sum(uint256 a, uint256 b) external pure returns (uint256) { return a + b; }
}
`

// set prepares a desk.
func set(t *testing.T) desk {
	t.Helper()
	tools, leveret := compilers(t), binary(t)
	root, home := t.TempDir(), t.TempDir()
	if err := os.CopyFS(root, os.DirFS("e2e/workspace")); err != nil {
		t.Fatal(err)
	}
	d := desk{
		file: filepath.Join(root, "src", "Wallet.sol"), fixed: filepath.Join(home, "Fixed.sol"),
		home: home, out: filepath.Join(home, "seen.json"), leveret: leveret,
	}
	text, err := os.ReadFile(d.file)
	if err != nil {
		t.Fatal(err)
	}
	tests := filepath.Join(root, "test", "Adds.t.sol")
	if err := os.MkdirAll(filepath.Dir(tests), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(tests, []byte(passingTest), 0o600); err != nil {
		t.Fatal(err)
	}
	fixed := bytes.Replace(text, []byte("assert(step == 0)"), []byte("assert(step <= 1)"), 1)
	if err := os.WriteFile(d.fixed, fixed, 0o600); err != nil {
		t.Fatal(err)
	}
	d.env = append(os.Environ(), "LEVERET="+leveret, "LEVERET_TOOLS="+tools, "FIXED="+d.fixed, "OUT="+d.out, "FILE="+d.file, "TESTS="+tests,
		"EDITORS="+absolute(t, "."), "HOME="+home, "XDG_CACHE_HOME="+filepath.Join(home, "cache"), "XDG_CONFIG_HOME="+home,
		"XDG_STATE_HOME="+home, "XDG_DATA_HOME="+home, "TERM=dumb")
	return d
}

// run runs an editor with a script and returns the script's output.
func (d desk) run(t *testing.T, name string, args ...string) seen {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env, cmd.Dir = d.env, filepath.Dir(d.file)
	output, err := cmd.CombinedOutput()
	d.awaitServer(ctx, t)
	result, missing := os.ReadFile(d.out)
	if missing != nil {
		t.Fatalf("%s: %v\n%s", name, err, output)
	}
	var s seen
	if err := json.Unmarshal(result, &s); err != nil {
		t.Fatalf("%v in %s", err, result)
	}
	if s.Error != "" {
		t.Fatalf("%s\n%s\n%s", s.Error, result, output)
	}
	return s
}

// awaitServer waits for the server, which ends after its editor. Until then it
// writes to its cache.
func (d desk) awaitServer(ctx context.Context, t *testing.T) {
	t.Helper()
	for ; d.served(); time.Sleep(20 * time.Millisecond) {
		if ctx.Err() != nil {
			t.Fatal("the server outlives its editor")
		}
	}
}

// served reports whether a server of this desk runs.
func (d desk) served() bool {
	processes, _ := filepath.Glob("/proc/[0-9]*")
	return slices.ContainsFunc(processes, func(p string) bool {
		program, _ := os.Readlink(p + "/exe")
		environ, _ := os.ReadFile(p + "/environ")
		return program == d.leveret && bytes.Contains(environ, []byte("XDG_CACHE_HOME="+d.home+"/"))
	})
}

// check checks what all editors must show.
func (s seen) check(t *testing.T) {
	t.Helper()
	if s.Line != faultyLine || !strings.Contains(s.Text, "this assertion can fail") || !strings.Contains(s.Text, "begin(31337)") {
		t.Errorf("on line %d: %q", s.Line, s.Text)
	}
	if !s.Fixed {
		t.Error("the finding is still shown in the fixed contract")
	}
}

// checkActions checks the actions of a finding.
func (s seen) checkActions(t *testing.T) {
	t.Helper()
	all := strings.Join(s.Actions, "\n")
	for _, title := range []string{"Replay", "Silence here", "Explain", "Copy witness", "Fuzz this function longer"} {
		if !strings.Contains(all, title) {
			t.Errorf("no %q among the actions:\n%s", title, all)
		}
	}
}

// checkTest checks the trace of passingTest.
func (s seen) checkTest(t *testing.T) {
	t.Helper()
	if !strings.Contains(s.Test, "testAdds(): passed") || !strings.Contains(s.Test, "sum(a: 2, b: 3) → 5") {
		t.Errorf("the trace of a test: %s", s.Test)
	}
}

func (s seen) checkTrace(t *testing.T) {
	t.Helper()
	if !strings.Contains(s.Trace, "begin(code: 31337)") || !strings.Contains(s.Trace, "assert(step == 0)") {
		t.Errorf("the trace: %s", s.Trace)
	}
}
