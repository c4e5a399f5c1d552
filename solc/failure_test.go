package solc

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// failures lays out a project, compiles a file of it and demands one sentence
// that names the file and the remedy.
var failures = []struct {
	name  string
	files []string
	open  string
	kind  FailureKind
	want  []string
}{
	{"wrong pragma", []string{"A.sol", "pragma solidity ^0.3.0;\ncontract A {}"}, "A.sol",
		VersionMismatch, []string{"A.sol:1: this file wants solc ^0.3.0; found 0.8.", "0.4.11; compilers before 0.4.11 cannot be used; allow a later one"}},
	{"pragma of an import", []string{"A.sol", "import './B.sol';\ncontract A {}", "B.sol", "// old\npragma solidity 0.7.2;"}, "A.sol",
		VersionMismatch, []string{"B.sol:2: this file wants solc 0.7.2; found", "; run leveret solc install 0.7.2, or put a solc on the PATH"}},
	{"conflict", []string{"A.sol", "pragma solidity ^0.8.0;\nimport './B.sol';\ncontract A {}", "B.sol", "\npragma solidity <0.8.0;"}, "A.sol",
		VersionConflict, []string{"B.sol:2: pragma solidity <0.8.0 conflicts with pragma solidity ^0.8.0 of A.sol:1", "; change one of them"}},
	{"impossible pragma", []string{"A.sol", "pragma solidity >0.8.0 <0.7.0;"}, "A.sol",
		VersionConflict, []string{"A.sol:1: pragma solidity >0.8.0 <0.7.0 allows no version at all; correct it"}},
	{"three pragmas", []string{"A.sol", "pragma solidity ^0.7.0 || ^0.8.0;\npragma solidity ^0.6.0 || ^0.7.0;\npragma solidity ^0.6.0 || ^0.8.0;"}, "A.sol",
		VersionConflict, []string{"A.sol:3: pragma solidity ^0.6.0 || ^0.8.0 allows no version that all other"}},
	{"broken pragma", []string{"A.sol", "\n\npragma solidity latest;"}, "A.sol",
		BadPragma, []string{`A.sol:3: "latest" is no version range`, "; write it like ^0.8.20"}},
	{"syntax error", []string{"src/A.sol", "pragma solidity ^0.8.0;\ncontract A {\n  function f( {}\n}"}, "src/A.sol",
		CompileError, []string{"A.sol:3:15: Expected"}},
	{"type errors", []string{"A.sol", "pragma solidity ^0.8.0;\ncontract A { uint x = true; uint y = false; }"}, "A.sol",
		CompileError, []string{"A.sol:2:23: Type bool is not implicitly convertible", "(and 1 more)"}},
	{"error in an import", []string{"A.sol", "import './B.sol'; contract A {}", "B.sol", "contract B { uint x = y; }"}, "A.sol",
		CompileError, []string{"B.sol:1:23: Undeclared identifier"}},
	{"error of an old compiler", []string{"A.sol", "pragma solidity 0.4.11;\ncontract A { uint x = y; }"}, "A.sol",
		CompileError, []string{"A.sol:2:23: Undeclared identifier"}},
	{"missing import", []string{"A.sol", "contract A {}\n\nimport './lib/B.sol';"}, "A.sol",
		ImportNotFound, []string{`A.sol:3: cannot find the import "./lib/B.sol"; tried lib/B.sol; check the path`}},
	{"missing package", []string{"A.sol", "import '@openzeppelin/contracts/Nothing.sol';"}, "A.sol",
		ImportNotFound, []string{"A.sol:1: cannot find", "tried @openzeppelin/contracts/Nothing.sol, node_modules/@openzeppelin", "; run npm install @openzeppelin/contracts, or add a remapping"}},
	{"missing library", []string{"foundry.toml", "", "src/A.sol", "import 'solmate/tokens/ERC20.sol';"}, "src/A.sol",
		ImportNotFound, []string{"src/A.sol:1: cannot find", "; install the library under lib/"}},
	{"import from the network", []string{"A.sol", "import 'https://example.org/A.sol';"}, "A.sol",
		ImportNotFound, []string{"A.sol:1: cannot find", "nothing is fetched from the network"}},
	{"import of a directory", []string{"A.sol", "import './B.sol';", "B.sol/C.sol", ""}, "A.sol",
		ImportNotFound, []string{"A.sol:1: cannot find"}},
	{"empty file", []string{"A.sol", "\n\t\n"}, "A.sol",
		Empty, []string{"A.sol: this file is empty; write a contract"}},
	{"comments", []string{"A.sol", "\n// nothing\n"}, "A.sol",
		Empty, []string{"A.sol: there are only comments in this file; write a contract"}},
	{"large file", []string{"A.sol", strings.Repeat("// 32 bytes of comment, and more\n", 2<<20/33)}, "A.sol",
		TooLarge, []string{"A.sol: this file has 2.0 MB and sources are read up to 1 MB; split it"}},
	{"not UTF-8", []string{"A.sol", "contract A {\n string s = \"\xff\";\n}"}, "A.sol",
		NotUTF8, []string{"A.sol:2: this file is not UTF-8: byte 0xff stands for no character; save it as UTF-8"}},
	{"byte order mark", []string{"A.sol", "\ufeffcontract A {}"}, "A.sol",
		NotUTF8, []string{"A.sol:1: this file begins with a byte order mark", "; save it as UTF-8 without one"}},
	{"directory", []string{"A.sol/B.sol", ""}, "A.sol",
		IsDirectory, []string{"A.sol: this is a directory, not a source file"}},
	{"no file", []string{"B.sol", ""}, "A.sol",
		NotFound, []string{"A.sol: this file does not exist"}},
}

func TestFailures(t *testing.T) {
	env := realTools(t)
	tools := NewToolchain(env)
	defer tools.Close()
	for _, row := range failures {
		t.Run(row.name, func(t *testing.T) {
			root := write(t, row.files...)
			p, err := tools.OpenProject(root)
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(root, filepath.FromSlash(row.open))
			b, err := p.Compile(t.Context(), []string{file}, nil)
			demand(t, err, row.kind, row.want...)
			if (b != nil) != (row.kind == CompileError) {
				t.Errorf("Build: %v", b)
			}
		})
	}
}

// demand checks an error's kind and that it is one sentence with some parts.
func demand(t *testing.T, err error, kind FailureKind, parts ...string) {
	t.Helper()
	var f *Failure
	if !errors.As(err, &f) {
		t.Fatalf("error is %T: %v", err, err)
	}
	if f.Kind != kind {
		t.Errorf("kind is %q, want %q: %v", f.Kind, kind, err)
	}
	if f.File != "" && !filepath.IsAbs(f.File) {
		t.Errorf("file is %q", f.File)
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error %q lacks %q", err, part)
		}
	}
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("error has several lines: %q", err)
	}
}

func TestNoCompiler(t *testing.T) {
	root := write(t, "A.sol", "pragma solidity ^0.7.0; contract A {}")
	p := open(t, root, Env{})
	_, err := p.Compile(t.Context(), []string{filepath.Join(root, "A.sol")}, nil)
	demand(t, err, NoCompiler, "A.sol: no Solidity compiler was found; run leveret solc install 0.7.6, or put a solc on the PATH")
}

// What is advised is what the project asks for, where it does.
func TestNoCompilerForProject(t *testing.T) {
	root := write(t, "foundry.toml", "[profile.default]\nsolc = '0.8.27'\n", "src/A.sol", "pragma solidity ^0.8.0; contract A {}", "src/B.sol", "pragma solidity ^0.7.0; contract B {}")
	p := open(t, root, Env{})
	for name, version := range map[string]string{"A": "0.8.27", "B": "0.7.6"} {
		_, err := p.Compile(t.Context(), []string{filepath.Join(root, "src", name+".sol")}, nil)
		demand(t, err, NoCompiler, "run leveret solc install "+version+", or put a solc on the PATH")
		if f := new(Failure); !errors.As(err, &f) || f.Install != version {
			t.Errorf("installing %q is said to help", f.Install)
		}
	}
}

func TestNoNode(t *testing.T) {
	env := realTools(t)
	env.Path = ""
	root := write(t, "A.sol", "contract A {}")
	p := open(t, root, env)
	_, err := p.Compile(t.Context(), []string{filepath.Join(root, "A.sol")}, nil)
	demand(t, err, NoNode, "is JavaScript and there is no node on the PATH; install Node.js")
}

func TestNothingToCompile(t *testing.T) {
	root := t.TempDir()
	p := open(t, root, Env{})
	_, err := p.Compile(t.Context(), nil, nil)
	demand(t, err, NotFound, fmt.Sprintf("%s: there is no Solidity file here", root))
	_, err = OpenProject(filepath.Join(root, "nothing"), Env{})
	demand(t, err, NotFound, "nothing: this file does not exist")
}

func TestImportCycle(t *testing.T) {
	root := write(t,
		"A.sol", "import './b/B.sol'; contract A { B b; }",
		"b/B.sol", "import '../A.sol'; import './B.sol'; contract B { A a; }")
	p := open(t, root, realTools(t))
	b, err := p.Compile(t.Context(), []string{filepath.Join(root, "A.sol")}, nil)
	if err != nil || len(b.Contracts) != 2 {
		t.Fatalf("%v, %v", b, err)
	}
}
