package project

import (
	"os"
	"path/filepath"
	"testing"

	"leveret/solc"
	"leveret/solc/compiler"
	"leveret/solc/solctest"
)

// realTools returns an Env with the compilers that `make tools` installs and its
// own cache.
func realTools(t testing.TB) compiler.Env {
	t.Helper()
	tools := solctest.Tools(t)
	return compiler.Env{Path: os.Getenv("PATH"), ToolDirs: []string{tools}, CacheDir: t.TempDir()}
}

// open opens a project and closes it when the test ends.
func open(t testing.TB, path string, env compiler.Env) *Project {
	t.Helper()
	p, err := tryOpen(t, path, env)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// tryOpen opens a project with a toolchain that is closed when the test ends.
func tryOpen(t testing.TB, path string, env compiler.Env) (*Project, error) {
	t.Helper()
	tools := compiler.NewToolchain(env)
	t.Cleanup(func() { tools.Close() })
	return Open(tools, path)
}

const cases = "../../../shared/cases"

func TestCasesCompile(t *testing.T) {
	solctest.Need(t, solctest.Exists(filepath.Join(cases, "Vault.sol")), "no shared cases beside the repository")
	p := open(t, cases, realTools(t))
	files, err := p.Files()
	if err != nil || len(files) < 9 {
		t.Fatalf("Files: %v, %v", files, err)
	}
	for _, file := range files {
		b, err := p.Compile(t.Context(), []string{file}, nil)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, c := range b.Contracts {
			if c.Kind != solc.KindInterface && !c.Deployable() {
				t.Errorf("%s: %s has no code", file, c.Name)
			}
			if c.Node == nil || c.Node.Span.Source != b.Source(c.File).ID {
				t.Errorf("%s: %s has no definition", file, c.Name)
			}
		}
	}
}
