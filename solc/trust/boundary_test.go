package trust

import (
	"os"
	"path/filepath"
	"testing"
)

// TestLeadsOut checks circular links and links to missing files, which resolve
// to the file that a write would create.
func TestLeadsOut(t *testing.T) {
	root := t.TempDir()
	for _, dir := range []string{"out", "ws/p"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range map[string]string{
		"in": "p", "new": "../out/new", "again": "new", "round": "round", "deep": "../out/no/such/folder", "there": "p/new",
	} {
		if err := os.Symlink(filepath.FromSlash(target), filepath.Join(root, "ws", link)); err != nil {
			t.Skip(err)
		}
	}
	for name, want := range map[string]bool{
		"in/A.sol": false, "in": false, "new": true, "again": true, "again/x": true, "round": false, "deep": true, "deep/x": true,
		"there": false, "missing": false,
	} {
		if got := LeadsOut(filepath.Join(root, "ws"), filepath.Join(root, "ws", name)); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestReadRegular checks the size limit and that folders are rejected.
func TestReadRegular(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("12345"), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, err := ReadRegular(file, 5); err != nil || string(text) != "12345" {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := ReadRegular(file, 4); err == nil {
		t.Error("read a file that is too large")
	}
	if _, err := ReadRegular(dir, 5); err == nil {
		t.Error("read a folder")
	}
}
