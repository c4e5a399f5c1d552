// Package solctest provides the compilers that `make tools` installs to tests,
// and caches their output across tests, packages and runs.
package solctest

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"leveret/solc/atomicfile"
)

// root returns the folder of the module: the nearest parent with a go.mod.
var root = sync.OnceValues(func() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("no go.mod above the test's folder")
		}
		dir = parent
	}
})

// Tools returns the folder with the compilers, for compiler.Env.ToolDirs. Without
// compilers or node the test is skipped, or fails if LEVERET_REQUIRE_ALL is 1.
func Tools(t testing.TB) string {
	t.Helper()
	dir, err := root()
	if err != nil {
		t.Fatal(err)
	}
	tools := filepath.Join(dir, "solc", "testdata", "npm")
	_, err = os.Stat(filepath.Join(tools, "node_modules", ".package-lock.json"))
	if err == nil {
		_, err = exec.LookPath("node")
	}
	switch {
	case err == nil:
	case os.Getenv("LEVERET_REQUIRE_ALL") == "1":
		t.Fatalf("the compilers are missing; run make tools: %v", err)
	default:
		t.Skipf("the compilers are missing; run make tools: %v", err)
	}
	return tools
}

// Cache returns a folder for compiler.Env.CacheDir that all tests share. It
// stores compiler output by compiler and input. Tests of how compilers run need
// their own folder.
func Cache(t testing.TB) string {
	t.Helper()
	dir, err := os.UserCacheDir()
	if err != nil { // no home folder
		return t.TempDir()
	}
	dir = filepath.Join(dir, "leveret-tests")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Long skips a long variant of another test unless LEVERET_LONG is 1. Names of
// such tests end in Long, which `make test-long` selects.
func Long(t testing.TB) {
	t.Helper()
	if os.Getenv("LEVERET_LONG") != "1" {
		t.Skip("a larger form of another test; make test-long runs it")
	}
}

// ShareCache makes a command with home as XDG_CACHE_HOME use the folder of
// Cache.
func ShareCache(home string) error {
	dir, err := os.UserCacheDir()
	if err != nil { // no home folder
		return nil
	}
	shared := filepath.Join(dir, "leveret-tests", "leveret", "solc")
	own := filepath.Join(home, "leveret")
	return errors.Join(os.MkdirAll(shared, 0o755), os.MkdirAll(own, 0o755), os.Symlink(shared, filepath.Join(own, "solc")))
}

// Node runs a script with node in the test's folder, and caches and returns its
// output. The output may depend on the arguments, the standard input, the files
// named here, and the packages that `make tools` installs.
func Node(t testing.TB, args []string, stdin []byte, files ...string) []byte {
	t.Helper()
	installed := filepath.Join(Tools(t), "node_modules", ".package-lock.json")
	key := sha256.New()
	fmt.Fprintf(key, "%q%q", args, stdin)
	for _, name := range append(files, installed) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(key, "%q", text)
	}
	kept := filepath.Join(Cache(t), "node", fmt.Sprintf("%x", key.Sum(nil)[:16]))
	if output, err := os.ReadFile(kept); !errors.Is(err, fs.ErrNotExist) {
		if err != nil {
			t.Fatal(err)
		}
		return output
	}
	cmd := exec.Command("node", args...)
	cmd.Stdin = bytes.NewReader(stdin)
	cmd.Stderr = os.Stderr
	output, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(kept), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := atomicfile.WriteFile(kept, output, 0o600); err != nil {
		t.Fatal(err)
	}
	return output
}
