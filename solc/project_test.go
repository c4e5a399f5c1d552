package solc

import (
	"os"
	"path/filepath"
	"testing"
)

// realTools returns an Env with the compilers that `make tools` installs, and
// a cache of its own.
func realTools(t testing.TB) Env {
	t.Helper()
	tools, err := filepath.Abs("testdata/npm")
	if err != nil {
		t.Fatal(err)
	}
	env := Env{Path: os.Getenv("PATH"), ToolDirs: []string{tools}, CacheDir: t.TempDir()}
	need(t, exists(filepath.Join(tools, "node_modules", "solc-0.8.30", "soljson.js"), nil), "no compilers: run make tools")
	need(t, lookPath(env.Path, "node") != "", "no node on the PATH")
	return env
}

// need skips a test that lacks something expensive; in CI it fails.
func need(t testing.TB, ok bool, why string) {
	t.Helper()
	switch {
	case ok:
	case os.Getenv("LEVERET_REQUIRE_ALL") == "1":
		t.Fatal(why)
	default:
		t.Skip(why)
	}
}

// open opens a project that the test ends.
func open(t testing.TB, path string, env Env) *Project {
	t.Helper()
	p, err := OpenProject(path, env)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// write lays out files below a new directory: name, text, name, text, ….
func write(t testing.TB, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	writeIn(t, dir, files...)
	return dir
}

func writeIn(t testing.TB, dir string, files ...string) {
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

const cases = "../../shared/cases"

func TestCasesCompile(t *testing.T) {
	need(t, exists(filepath.Join(cases, "Vault.sol"), nil), "no shared cases beside the repository")
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
			if c.Kind != KindInterface && !c.Deployable() {
				t.Errorf("%s: %s has no code", file, c.Name)
			}
			if c.Node == nil || c.Node.Span.Source != b.Source(c.File).ID {
				t.Errorf("%s: %s has no definition", file, c.Name)
			}
		}
	}
}
