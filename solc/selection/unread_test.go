package selection

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"leveret/solc/compiler"
	"leveret/solc/solctest"
	"leveret/solc/solctest/privileges"
)

// A folder of tests that cannot be read is a failure, not a project without tests.
func TestUnreadableTests(t *testing.T) {
	root := solctest.Write(t, "foundry.toml", "[profile.default]\n", "test/A.t.sol", "contract A {}", "test/closed/B.t.sol", "contract B {}")
	closed := filepath.Join(root, "test", "closed")
	if err := os.Chmod(closed, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(closed, 0o755) })
	privileges.Drop(t, root)
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
