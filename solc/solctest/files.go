package solctest

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"leveret/solc"
)

// Need skips a test that lacks an expensive dependency. In continuous
// integration, with LEVERET_REQUIRE_ALL=1, the test fails instead.
func Need(t testing.TB, ok bool, why string) {
	t.Helper()
	switch {
	case ok:
	case os.Getenv("LEVERET_REQUIRE_ALL") == "1":
		t.Fatal(why)
	default:
		t.Skip(why)
	}
}

// Write writes files to a new folder and returns its path. files alternates
// paths, with slashes, and texts.
func Write(t testing.TB, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	WriteIn(t, dir, files...)
	return dir
}

// WriteIn writes files to a folder, as Write does.
func WriteIn(t testing.TB, dir string, files ...string) {
	t.Helper()
	for i := 0; i+1 < len(files); i += 2 {
		path := filepath.Join(dir, filepath.FromSlash(files[i]))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(files[i+1]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// DemandFailure checks an error's kind, and that it is one sentence that
// contains parts.
func DemandFailure(t testing.TB, err error, kind solc.FailureKind, parts ...string) {
	t.Helper()
	var f *solc.Failure
	if !errors.As(err, &f) {
		t.Fatalf("error is %T: %v", err, err)
	}
	if f.Kind != kind {
		t.Errorf("kind is %q, want %q: %v", f.Kind, kind, err)
	}
	if f.File != "" && !filepath.IsAbs(f.File) {
		t.Errorf("file is %q", f.File)
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error %q lacks %q", err, part)
		}
	}
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("error has several lines: %q", err)
	}
}

// Exists reports whether a file exists at a path.
func Exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
