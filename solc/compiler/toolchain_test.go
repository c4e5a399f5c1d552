package compiler

import (
	"path/filepath"
	"strings"
	"testing"

	"leveret/solc/solctest"
)

// A compiler name is found on the PATH. A relative path is resolved against
// SolcDir, or rejected in an untrusted workspace.
func TestNamedCompiler(t *testing.T) {
	bin, ws := t.TempDir(), t.TempDir()
	ran := solctest.Program(t, filepath.Join(ws, "solc"), "echo Version: 0.8.30\n")
	solctest.Program(t, filepath.Join(ws, "bin", "solc"), "echo Version: 0.8.30\n")
	solctest.Program(t, filepath.Join(bin, "solc"), "echo Version: 0.8.29\n")
	t.Chdir(ws)
	path := strings.Join([]string{"", ".", "bin", bin}, string(filepath.ListSeparator))
	for _, row := range []struct {
		solc, path string
		untrusted  bool
		want       string // version, or part of the error
	}{
		{"solc", path, false, "0.8.29"},
		{"solc", path, true, "0.8.29"},
		{"solc", "", false, "the compiler solc that was set is not on the PATH"},
		{"./solc", path, false, "0.8.30"},
		{"./solc", path, true, "its path is relative"},
		{"bin/solc", path, false, "0.8.30"},
		{"bin/solc", path, true, "its path is relative"},
		{"..", path, true, "its path is relative"},
		{filepath.Join(bin, "solc"), "", true, "0.8.29"},
	} {
		tools := NewToolchain(Env{Solc: row.solc, SolcDir: ws, Path: row.path, Untrusted: row.untrusted, Workspace: ws})
		list, err := tools.Installations(t.Context(), ws)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = list[0].Version.String()
		}
		if !strings.Contains(got, row.want) {
			t.Errorf("%q, untrusted %v: %q, want %q", row.solc, row.untrusted, got, row.want)
		}
		tools.Close()
	}
	if solctest.Runs(t, ran) != 1 {
		t.Errorf("./solc ran %d times", solctest.Runs(t, ran))
	}
}
