package forge

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func run(t *testing.T, args []string) (string, error) {
	t.Helper()
	out, err := exec.CommandContext(context.Background(), args[0], args[1:]...).CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

// A limit ends the program that exceeds it, and does not hold for the compilers
// that the program starts.
func TestLimited(t *testing.T) {
	if out, err := run(t, Limited(1, "sh", "-c", "while :; do :; done")); err == nil {
		t.Errorf("an endless loop ends by itself: %s", out)
	}

	dir := t.TempDir()
	node := filepath.Join(dir, "bin", "node")
	solc := filepath.Join(dir, "solc")
	if err := os.MkdirAll(filepath.Dir(node), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(node, []byte("#!/bin/sh\nulimit -S -t\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := WriteSolc(solc, dir, "soljson.js"); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", filepath.Dir(node)+string(os.PathListSeparator)+os.Getenv("PATH"))
	hard, err := run(t, []string{"sh", "-c", "ulimit -H -t"})
	if err != nil {
		t.Fatal(err)
	}
	for _, seconds := range []int{0, 7} {
		if limit, err := run(t, Limited(seconds, solc, "--version")); err != nil || limit != hard {
			t.Errorf("with %d s: the compiler's limit is %s, %v", seconds, limit, err)
		}
	}
}
