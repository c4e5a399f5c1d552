package engine

import (
	"context"
	"os"
	"testing"

	"leveret/engine/finding"
	"leveret/solc"
	"leveret/solc/compiler"
	"leveret/solc/project"
	"leveret/solc/solctest"
)

// toolEnv locates the compilers.
func toolEnv(t testing.TB) compiler.Env {
	t.Helper()
	return compiler.Env{Path: os.Getenv("PATH"), ToolDirs: []string{solctest.Tools(t)}, CacheDir: solctest.Cache(t)}
}

// compile compiles files as the command does.
func compile(t testing.TB, files ...string) *solc.Build {
	t.Helper()
	compilers := compiler.NewToolchain(toolEnv(t))
	defer compilers.Close()
	return compileWith(t, compilers, files...)
}

// compileWith is compile for many files, one after the other.
func compileWith(t testing.TB, compilers *compiler.Toolchain, files ...string) *solc.Build {
	t.Helper()
	p, err := project.Open(compilers, files[0])
	if err != nil {
		t.Fatal(err)
	}
	build, err := p.Compile(context.Background(), files, nil)
	if err != nil {
		t.Fatal(err)
	}
	return build
}

// contract returns the contract of a build with a name.
func contract(t testing.TB, b *solc.Build, name string) *solc.Contract {
	t.Helper()
	for _, c := range b.Contracts {
		if c.Name == name {
			return c
		}
	}
	t.Fatalf("no contract %s", name)
	return nil
}

// run fuzzes one contract of a build.
func run(t testing.TB, b *solc.Build, name string, options Options) *finding.Result {
	t.Helper()
	result, err := Run(context.Background(), contract(t, b, name), b.Contracts, options)
	if err != nil {
		t.Fatal(err)
	}
	return result
}
