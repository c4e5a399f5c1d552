package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"leveret/engine/fork/forktest"
	"leveret/solc/solctest"

	"github.com/rogpeppe/go-internal/testscript"
)

// compilers is the folder that `make tools` fills, the tool folder in scripts.
const compilers = root + "solc/testdata/npm"

// root is the folder of the module.
const root = "../../"

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"leveret": main})
}

// TestScripts runs the scripts in testdata/script with the test binary as the command.
func TestScripts(t *testing.T) {
	needCompilers(t)
	testscript.Run(t, testscript.Params{
		Dir:   "testdata/script",
		Setup: setup,
		Condition: func(name string) (bool, error) {
			if name == "root" {
				return os.Geteuid() == 0, nil
			}
			return false, fmt.Errorf("no condition %q", name)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":    exits,
			"sentence": sentence,
			"fill":     fill,
			"publish":  publish,
			"chain":    chain,
			"unplug":   unplug,
		},
	})
}

// needCompilers skips the test if the compilers are not installed, or fails if the
// environment requires them.
func needCompilers(t *testing.T) {
	t.Helper()
	_, err := os.Stat(filepath.Join(compilers, "node_modules", "solc-0.8.30", "soljson.js"))
	solctest.Need(t, err == nil, "the compilers are not installed; run make tools")
}

// aboutCompilers lists the scripts that must not use the cached compiler output of
// others.
var aboutCompilers = []string{"script-hostile_compiler", "script-solc_install"}

// setup gives a script the compilers, the examples, its own cache, and in $BIN the
// folder that contains only the command.
func setup(env *testscript.Env) error {
	tools, err := filepath.Abs(compilers)
	if err != nil {
		return err
	}
	examples, err := filepath.Abs(root + "docs/examples")
	if err != nil {
		return err
	}
	env.Setenv("LEVERET_TOOLS", tools)
	env.Setenv("EXAMPLES", examples)
	env.Setenv("ACTION", filepath.Join(examples, root, "action"))
	cache := filepath.Join(env.WorkDir, ".cache")
	env.Setenv("XDG_CACHE_HOME", cache)
	if !slices.Contains(aboutCompilers, filepath.Base(env.WorkDir)) {
		if err := solctest.ShareCache(cache); err != nil {
			return err
		}
	}
	env.Setenv("BIN", filepath.SplitList(env.Getenv("PATH"))[0])
	env.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	return nil
}

// exits runs a command and checks its exit code: exits 2 leveret fuzz A.sol
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND [ARG...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	code := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Check(err)
		}
		code = exit.ExitCode()
	}
	if code != want {
		ts.Fatalf("exit code %d, want %d", code, want)
	}
}

// sentence checks that the last command printed one error line, with the arguments in
// it and without usage or stack.
func sentence(ts *testscript.TestScript, neg bool, args []string) {
	var complaints []string
	text := ts.ReadFile("stderr")
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "leveret: ") {
			complaints = append(complaints, line)
		}
	}
	if neg || len(complaints) != 1 || strings.Contains(text, "goroutine ") || strings.Contains(text, "Usage:") {
		ts.Fatalf("want one line that starts with leveret:, got\n%s", text)
	}
	for _, want := range args {
		if !strings.Contains(complaints[0], want) {
			ts.Fatalf("%q is missing in %s", want, complaints[0])
		}
	}
}

// fill writes large or odd files: fill FILE COUNT TEXT [BEFORE [AFTER]]. Texts may
// have escapes of Go strings; {} is the number of the repetition.
func fill(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 || len(args) > 5 {
		ts.Fatalf("usage: fill FILE COUNT TEXT [BEFORE [AFTER]]")
	}
	count, err := strconv.Atoi(args[1])
	ts.Check(err)
	texts := make([]string, 3)
	for i, arg := range args[2:] {
		texts[i], err = strconv.Unquote(`"` + strings.ReplaceAll(arg, `"`, `\"`) + `"`)
		ts.Check(err)
	}
	var b strings.Builder
	b.WriteString(texts[1])
	for i := range count {
		b.WriteString(strings.ReplaceAll(texts[0], "{}", fmt.Sprint(i)))
	}
	b.WriteString(texts[2])
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(b.String()), 0o644))
}

// chain serves a chain of engine/fork/forktest to the following commands, at all
// hosts by a proxy: chain FILE
func chain(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: chain FILE")
	}
	c, err := forktest.Read([]byte(ts.ReadFile(args[0])))
	ts.Check(err)
	server := httptest.NewServer(forktest.New(c))
	ts.Defer(server.Close)
	ts.Setenv("HTTP_PROXY", server.URL)
}

// unplug cuts the following commands off: unplug
func unplug(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: unplug")
	}
	server := httptest.NewServer(nil)
	server.Close()
	ts.Setenv("HTTP_PROXY", server.URL)
}

// publish serves release lists with the installed compiler 0.8.30 to the following
// commands: publish [broken]. A broken one has a wrong checksum.
func publish(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 1 || len(args) == 1 && args[0] != "broken" {
		ts.Fatalf("usage: publish [broken]")
	}
	compiler, err := os.ReadFile(filepath.Join(compilers, "node_modules", "solc-0.8.30", "soljson.js"))
	ts.Check(err)
	sum := sha256.Sum256(compiler)
	if len(args) > 0 {
		sum[0]++
	}
	const name = "soljson-v0.8.30+commit.73712a01.js"
	pages := http.NewServeMux()
	pages.HandleFunc("GET /bin/list.json", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"builds": [{"path": %q, "version": "0.8.30", "sha256": "0x%x"}]}`, name, sum)
	})
	pages.HandleFunc("GET /bin/"+name, func(w http.ResponseWriter, _ *http.Request) { w.Write(compiler) })
	server := httptest.NewServer(pages)
	ts.Defer(server.Close)
	ts.Setenv("LEVERET_SOLC_OFFICIAL", server.URL)
	ts.Setenv("LEVERET_SOLC_REGISTRY", "")
}
