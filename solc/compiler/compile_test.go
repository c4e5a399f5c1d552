package compiler

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"leveret/solc"
	"leveret/solc/solctest"
	"leveret/solc/version"
)

// installed returns an Env with the compilers that `make tools` installs and its
// own cache.
func installed(t testing.TB) Env {
	t.Helper()
	tools := solctest.Tools(t)
	return Env{Path: os.Getenv("PATH"), ToolDirs: []string{tools}, CacheDir: t.TempDir()}
}

// compileWith compiles one source by one compiler.
func compileWith(t *testing.T, tools *Toolchain, with Installation, text string, s solc.Settings) (*solc.Build, error) {
	t.Helper()
	output, err := tools.Compile(t.Context(), with, map[string][]byte{"A.sol": []byte(text)}, nil, s)
	if err != nil {
		return nil, err
	}
	return solc.ReadOutput(output, map[string]*solc.Source{"A.sol": {Name: "A.sol", Path: "/A.sol", Text: []byte(text)}})
}

// TestSettingsAreAccepted compiles with every EVM version of every compiler.
func TestSettingsAreAccepted(t *testing.T) {
	env := installed(t)
	tools := NewToolchain(env)
	defer tools.Close()
	const text = "contract A {}"
	for _, release := range []string{"0.4.26", "0.5.17", "0.8.19", "0.8.37"} {
		i, err := Named(t.Context(), filepath.Join(env.ToolDirs[0], "node_modules", "solc-"+release))
		if err != nil {
			t.Fatal(err)
		}
		for _, evm := range version.EVMNames() {
			settings := solc.Settings{Optimizer: true, OptimizerRuns: 1, ViaIR: true, EVMVersion: evm}
			b, err := compileWith(t, tools, i, text, settings)
			if err != nil || len(b.Errors()) > 0 {
				t.Errorf("%s, %s: %v, %+v", release, evm, err, b)
			}
		}
	}
}

// TestRawCompiler runs a soljson.js without its package, as Hardhat stores it.
func TestRawCompiler(t *testing.T) {
	env := installed(t)
	tools := NewToolchain(env)
	defer tools.Close()
	for _, release := range []string{"0.4.11", "0.4.26", "0.5.17", "0.6.12", "0.8.37"} {
		path := filepath.Join(t.TempDir(), "soljson-v"+release+"+commit.00000000.js")
		text, err := os.ReadFile(filepath.Join(env.ToolDirs[0], "node_modules", "solc-"+release, "soljson.js"))
		if err == nil {
			err = os.WriteFile(path, text, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		i, err := Named(t.Context(), path)
		if err != nil || i.Version.String() != release {
			t.Fatalf("%s: %v, %v", release, i, err)
		}
		b, err := compileWith(t, tools, i, "contract A { uint public x; }", solc.Settings{})
		if err != nil || b.Contract("A") == nil || !b.Contract("A").Deployable() {
			t.Errorf("%s: %v", release, err)
		}
	}
}

// Text of more than 1.3 million characters, which does not fit on the stack of soljson, compiles.
func TestLargeInput(t *testing.T) {
	env := installed(t)
	tools := NewToolchain(env)
	defer tools.Close()
	text := "contract A { string public x = \"" + strings.Repeat("-", 100) + "\"; }\n" + strings.Repeat("// Größe\n", 300_000)
	for _, release := range []string{"0.4.11", "0.4.26", "0.5.16", "0.6.6", "0.7.6", "0.8.0", "0.8.19", "0.8.30", "0.8.37"} {
		i, err := Named(t.Context(), filepath.Join(env.ToolDirs[0], "node_modules", "solc-"+release))
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if b, err := compileWith(t, tools, i, text, solc.Settings{}); err != nil || b.Contract("A") == nil || !b.Contract("A").Deployable() {
				t.Errorf("%s: %v", release, err)
			}
		}
	}
}

// A package whose other files fail, as 0.8.14 lacks one, compiles.
func TestPackageOfCompiler(t *testing.T) {
	env := installed(t)
	tools := NewToolchain(env)
	defer tools.Close()
	dir := solctest.Write(t, "package.json", `{"name": "solc", "version": "0.8.30"}`)
	missing := []byte("throw new Error('Cannot find module')")
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "index.js"), missing, 0o644),
		os.Symlink(filepath.Join(env.ToolDirs[0], "node_modules", "solc-0.8.30", "soljson.js"), filepath.Join(dir, "soljson.js"))); err != nil {
		t.Fatal(err)
	}
	i, err := Named(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := compileWith(t, tools, i, "contract A {}", solc.Settings{}); err != nil || len(b.Contracts) != 1 {
		t.Errorf("%+v, %v", b, err)
	}
}

// Compilers do not inherit variables that make node load modules, and do not run
// in the working directory of the process.
func TestCompilerEnvironment(t *testing.T) {
	env := installed(t)
	t.Setenv("NODE_OPTIONS", "--require ./evil.js")
	t.Setenv("NODE_PATH", ".")
	t.Chdir(solctest.Write(t, "evil.js", "throw new Error('evil')"))
	tools := NewToolchain(env)
	defer tools.Close()
	i, err := Named(t.Context(), filepath.Join(env.ToolDirs[0], "node_modules", "solc-0.8.30"))
	if err != nil {
		t.Fatal(err)
	}
	if b, err := compileWith(t, tools, i, "contract A {}", solc.Settings{}); err != nil || len(b.Contracts) != 1 {
		t.Errorf("%+v, %v", b, err)
	}
}

// The user's choice of how a compiler gets memory holds.
func TestCompilerMemory(t *testing.T) {
	t.Setenv("GLIBC_TUNABLES", "")
	os.Unsetenv("GLIBC_TUNABLES")
	environment := func() []string { return compilerChild(t.Context(), t.TempDir(), "solc").Environ() }
	if got := environment(); !slices.Contains(got, hugePages) {
		t.Errorf("without a choice: %q", got)
	}
	t.Setenv("GLIBC_TUNABLES", "glibc.malloc.hugetlb=0")
	if got := environment(); !slices.Contains(got, "GLIBC_TUNABLES=glibc.malloc.hugetlb=0") || slices.Contains(got, hugePages) {
		t.Errorf("with a choice: %q", got)
	}
}

// Node.js ends its complaint with its version; the exception says more.
func TestLastLine(t *testing.T) {
	for complaint, want := range map[string]string{
		"":                        "",
		"one\ntwo\n":              ": two",
		"Error: no\n\nlast words": ": last words",
		"Node.js v20.1.0":         ": Node.js v20.1.0",
		"a.js:1\n  throw err;\n  ^\n\nError: Cannot find module './x'\nRequire stack:\n- a.js\n    at b (a.js:1:2) {\n  code: 'E'\n}\n\nNode.js v20.20.2\n": ": Error: Cannot find module './x'",
		"TypeError: x is no function\n    at a: b\n\nNode.js v22.0.0":                                                                                       ": TypeError: x is no function",
	} {
		if got := lastLine(complaint); got != want {
			t.Errorf("%q: %q, want %q", complaint, got, want)
		}
	}
}
