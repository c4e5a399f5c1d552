package project

import (
	"bytes"
	"path/filepath"
	"testing"

	"leveret/solc/compiler"
	"leveret/solc/solctest"
)

// benchmarks lists the compiled closures: one file of 60 lines, and OpenZeppelin
// 5's Governor with its imports.
var benchmarks = []struct{ name, file string }{
	{"Vault", cases + "/Vault.sol"},
	{"Governor", "../testdata/npm/node_modules/@openzeppelin/contracts/governance/Governor.sol"},
}

// BenchmarkCompile measures the time from files to Build with a new process each
// time, with a loaded process, and from the disk cache.
func BenchmarkCompile(b *testing.B) {
	for _, row := range benchmarks {
		path, err := filepath.Abs(row.file)
		if err != nil {
			b.Fatal(err)
		}
		solctest.Need(b, solctest.Exists(path), "no "+path)
		b.Run(row.name+"/cold", func(b *testing.B) { compileRepeatedly(b, path, func(p *Project) { p.tools.Restart() }, false) })
		b.Run(row.name+"/warm", func(b *testing.B) { compileRepeatedly(b, path, func(*Project) {}, false) })
		b.Run(row.name+"/cached", func(b *testing.B) { compileRepeatedly(b, path, func(*Project) {}, true) })
	}
}

// compileRepeatedly compiles a file and changes it before each run unless cached
// is set.
func compileRepeatedly(b *testing.B, path string, before func(*Project), cached bool) {
	env := realTools(b)
	if !cached {
		env.CacheDir = ""
	}
	env.Solc = filepath.Join(env.ToolDirs[0], "node_modules", "solc-0.8.30")
	p := open(b, path, env)
	text, err := readSource(path, nil)
	if err != nil {
		b.Fatal(err)
	}
	overlay := map[string][]byte{}
	compile := func() {
		text = append(bytes.Clone(text), '\n')
		if !cached {
			overlay[path] = text
		}
		before(p)
		if _, err := p.Compile(b.Context(), []string{path}, overlay); err != nil {
			b.Fatal(err)
		}
	}
	compile()
	p.tools.Close()
	for b.Loop() {
		compile()
	}
}

// BenchmarkClosures reads the closure of every file of OpenZeppelin 5
// separately, as in projects whose files need different compilers.
func BenchmarkClosures(b *testing.B) {
	root, err := filepath.Abs("../testdata/npm/node_modules/@openzeppelin/contracts")
	if err != nil {
		b.Fatal(err)
	}
	solctest.Need(b, isDir(root), "no "+root)
	p := open(b, root, compiler.Env{})
	files, err := p.Files()
	if err != nil {
		b.Fatal(err)
	}
	sources := 0
	for b.Loop() {
		sources = 0
		for _, file := range files {
			c, err := p.imports.closure([]string{file}, nil)
			if err != nil {
				b.Fatal(err)
			}
			sources += len(c.order)
		}
	}
	b.ReportMetric(float64(len(files)), "files")
	b.ReportMetric(float64(sources), "sources")
}
