package searchtest

import (
	"bytes"
	"os"
	"sync"
	"testing"

	"leveret/solc"
	"leveret/solc/compiler"
	"leveret/solc/project"
	"leveret/solc/solctest"
	"leveret/solc/srcmap"
)

// Env returns the environment of the compilers that `make tools` installs.
func Env(t testing.TB) compiler.Env {
	t.Helper()
	return compiler.Env{Path: os.Getenv("PATH"), ToolDirs: []string{solctest.Tools(t)}, CacheDir: solctest.Cache(t)}
}

// loaded has the Toolchains of Compile by where they find and keep things. They end
// with the test's process: loading a compiler takes ten times as long as compiling a
// small contract.
var loaded sync.Map

// Compile compiles files as the command does.
func Compile(t testing.TB, files ...string) *solc.Build {
	t.Helper()
	env := Env(t)
	key := env.Path + "\x00" + env.CacheDir
	compilers, there := loaded.Load(key)
	if !there {
		compilers, _ = loaded.LoadOrStore(key, compiler.NewToolchain(env))
	}
	return CompileWith(t, compilers.(*compiler.Toolchain), files...)
}

// CompileWith is Compile with compilers that the caller closes.
func CompileWith(t testing.TB, compilers *compiler.Toolchain, files ...string) *solc.Build {
	t.Helper()
	p, err := project.Open(compilers, files[0])
	if err != nil {
		t.Fatal(err)
	}
	build, err := p.Compile(t.Context(), files, nil)
	if err != nil {
		t.Fatal(err)
	}
	return build
}

// Contract returns the contract of a build with a name.
func Contract(t testing.TB, b *solc.Build, name string) *solc.Contract {
	t.Helper()
	for _, c := range b.Contracts {
		if c.Name == name {
			return c
		}
	}
	t.Fatalf("no contract %s", name)
	return nil
}

// Find returns where a text stands first in the sources of a build: the name of
// the source, and the span in it.
func Find(t testing.TB, b *solc.Build, text string) (file string, span srcmap.Span) {
	t.Helper()
	for _, source := range b.Sources {
		if at := bytes.Index(source.Text, []byte(text)); at >= 0 {
			return source.Name, srcmap.Span{Source: source.ID, Start: at, Length: len(text)}
		}
	}
	t.Fatalf("no source has %q", text)
	return "", srcmap.Span{}
}
