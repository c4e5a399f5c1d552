//go:build unix

package atomicfile_test

import (
	"os"
	"path/filepath"
	"testing"

	"leveret/solc/atomicfile"
	"leveret/solc/solctest/privileges"
)

// If a folder does not accept new files, its files are written in place.
func TestFolderWithoutWritePermission(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	if err := os.WriteFile(path, []byte("old, and longer"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o755)
	privileges.Drop(t, dir, path)
	if err := atomicfile.Check(path); err != nil {
		t.Error(err)
	}
	if err := atomicfile.WriteFile(path, []byte("new"), 0o644); err != nil {
		t.Error(err)
	}
	if got, err := os.ReadFile(path); string(got) != "new" {
		t.Errorf("%q, %v", got, err)
	}
	if atomicfile.Check(filepath.Join(dir, "other")) == nil {
		t.Error("created a new file")
	}
}
