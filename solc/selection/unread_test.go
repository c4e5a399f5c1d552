package selection

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"leveret/solc/compiler"
)

// A folder of tests that cannot be read is a failure, not a project without tests.
func TestUnreadableTests(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("foundry.toml", "[profile.default]\n")
	write("test/A.t.sol", "contract A {}")
	write("test/closed/B.t.sol", "contract B {}")
	closed := filepath.Join(root, "test", "closed")
	if err := os.Chmod(closed, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(closed, 0o755) })
	if _, err := os.ReadDir(closed); !errors.Is(err, fs.ErrPermission) {
		t.Skip("this user reads all folders")
	}
	tools := compiler.NewToolchain(compiler.Env{})
	defer tools.Close()
	_, failures, err := OpenTests(tools, []string{root})
	if err != nil {
		t.Fatal(err)
	}
	if len(failures) != 1 || !strings.Contains(failures[0].Error(), "closed") {
		t.Errorf("failures %v, want one of the folder", failures)
	}
}
