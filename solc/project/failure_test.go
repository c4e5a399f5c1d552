package project

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"leveret/solc"
	"leveret/solc/compiler"
	"leveret/solc/solctest"
)

// failures lists projects that do not compile. The error must be one sentence
// with the file and the remedy.
var failures = []struct {
	name  string
	files []string
	open  string
	kind  solc.FailureKind
	want  []string
}{
	{"wrong pragma", []string{"A.sol", "pragma solidity ^0.3.0;\ncontract A {}"}, "A.sol",
		solc.VersionMismatch, []string{"A.sol:1: this file needs solc ^0.3.0; found 0.8.", "; compilers before 0.4.11 cannot be used; allow a later one"}},
	{"pragma of an import", []string{"A.sol", "import './B.sol';\ncontract A {}", "B.sol", "// old\npragma solidity 0.7.2;"}, "A.sol",
		solc.VersionMismatch, []string{"B.sol:2: this file needs solc 0.7.2; found", "; run leveret solc install 0.7.2, or put a solc on the PATH"}},
	{"conflict", []string{"A.sol", "pragma solidity ^0.8.0;\nimport './B.sol';\ncontract A {}", "B.sol", "\npragma solidity <0.8.0;"}, "A.sol",
		solc.VersionConflict, []string{"B.sol:2: pragma solidity <0.8.0 conflicts with pragma solidity ^0.8.0 of A.sol:1", "; change one of them"}},
	{"impossible pragma", []string{"A.sol", "pragma solidity >0.8.0 <0.7.0;"}, "A.sol",
		solc.VersionConflict, []string{"A.sol:1: pragma solidity >0.8.0 <0.7.0 allows no version at all; correct it"}},
	{"three pragmas", []string{"A.sol", "pragma solidity ^0.7.0 || ^0.8.0;\npragma solidity ^0.6.0 || ^0.7.0;\npragma solidity ^0.6.0 || ^0.8.0;"}, "A.sol",
		solc.VersionConflict, []string{"A.sol:3: pragma solidity ^0.6.0 || ^0.8.0 allows no version that the other"}},
	{"broken pragma", []string{"A.sol", "\n\npragma solidity latest;"}, "A.sol",
		solc.BadPragma, []string{`A.sol:3: "latest" is not a version range`, "; write it like ^0.8.20"}},
	{"syntax error", []string{"src/A.sol", "pragma solidity ^0.8.0;\ncontract A {\n  function f( {}\n}"}, "src/A.sol",
		solc.CompileError, []string{"A.sol:3:15: Expected"}},
	{"type errors", []string{"A.sol", "pragma solidity ^0.8.0;\ncontract A { uint x = true; uint y = false; }"}, "A.sol",
		solc.CompileError, []string{"A.sol:2:23: Type bool is not implicitly convertible", "(and 1 more)"}},
	{"error in an import", []string{"A.sol", "import './B.sol'; contract A {}", "B.sol", "contract B { uint x = y; }"}, "A.sol",
		solc.CompileError, []string{"B.sol:1:23: Undeclared identifier"}},
	{"error of an old compiler", []string{"A.sol", "pragma solidity 0.4.11;\ncontract A { uint x = y; }"}, "A.sol",
		solc.CompileError, []string{"A.sol:2:23: Undeclared identifier"}},
	{"missing import", []string{"A.sol", "contract A {}\n\nimport './lib/B.sol';"}, "A.sol",
		solc.ImportNotFound, []string{`A.sol:3: cannot find the import "./lib/B.sol"; tried lib/B.sol; check the path`}},
	{"missing package", []string{"A.sol", "import '@openzeppelin/contracts/Nothing.sol';"}, "A.sol",
		solc.ImportNotFound, []string{"A.sol:1: cannot find", "tried @openzeppelin/contracts/Nothing.sol, node_modules/@openzeppelin", "; run npm install @openzeppelin/contracts, or add a remapping"}},
	{"missing library", []string{"foundry.toml", "", "src/A.sol", "import 'solmate/tokens/ERC20.sol';"}, "src/A.sol",
		solc.ImportNotFound, []string{"src/A.sol:1: cannot find", "; install the library under lib/"}},
	{"import from the network", []string{"A.sol", "import 'https://example.org/A.sol';"}, "A.sol",
		solc.ImportNotFound, []string{"A.sol:1: cannot find", "nothing is fetched from the network"}},
	{"import of a directory", []string{"A.sol", "import './B.sol';", "B.sol/C.sol", ""}, "A.sol",
		solc.ImportNotFound, []string{"A.sol:1: cannot find"}},
	{"empty file", []string{"A.sol", "\n\t\n"}, "A.sol",
		solc.Empty, []string{"A.sol: this file is empty; write a contract"}},
	{"comments", []string{"A.sol", "\n// nothing\n"}, "A.sol",
		solc.Empty, []string{"A.sol: there are only comments in this file; write a contract"}},
	{"large file", []string{"A.sol", strings.Repeat("// 32 bytes of comment, and more\n", 2<<20/33)}, "A.sol",
		solc.TooLarge, []string{"A.sol: this file has 2.0 MB and the limit is 1 MB; split it"}},
	{"not UTF-8", []string{"A.sol", "contract A {\n string s = \"\xff\";\n}"}, "A.sol",
		solc.NotUTF8, []string{"A.sol:2: this file is not UTF-8: byte 0xff is invalid; save it as UTF-8"}},
	{"NUL bytes", []string{"A.sol", "pragma solidity ^0.8.0;\n\x00\x01\x00"}, "A.sol",
		solc.CompileError, []string{"A.sol:2:1: Expected pragma", " (the file is not text: line 2 has a NUL byte); save it as UTF-8"}},
	{"byte order mark", []string{"A.sol", "\ufeffcontract A {}"}, "A.sol",
		solc.NotUTF8, []string{"A.sol:1: this file begins with a byte order mark", "; save it as UTF-8 without one"}},
	{"directory", []string{"A.sol/B.sol", ""}, "A.sol",
		solc.IsDirectory, []string{"A.sol: this is a directory, not a source file"}},
	{"no file", []string{"B.sol", ""}, "A.sol",
		solc.NotFound, []string{"A.sol: this file does not exist"}},
}

func TestFailures(t *testing.T) {
	env := realTools(t)
	tools := compiler.NewToolchain(env)
	defer tools.Close()
	for _, row := range failures {
		t.Run(row.name, func(t *testing.T) {
			root := solctest.Write(t, row.files...)
			p, err := Open(tools, root)
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(root, filepath.FromSlash(row.open))
			b, err := p.Compile(t.Context(), []string{file}, nil)
			solctest.DemandFailure(t, err, row.kind, row.want...)
			if (b != nil) != (row.kind == solc.CompileError) {
				t.Errorf("Build: %v", b)
			}
		})
	}
}

func TestNoCompiler(t *testing.T) {
	root := solctest.Write(t, "A.sol", "pragma solidity ^0.7.0; contract A {}")
	p := open(t, root, compiler.Env{})
	_, err := p.Compile(t.Context(), []string{filepath.Join(root, "A.sol")}, nil)
	solctest.DemandFailure(t, err, solc.NoCompiler, "A.sol: no Solidity compiler was found; run leveret solc install 0.7.6, or put a solc on the PATH")
}

// The advice follows the compiler version of the project, if it has one.
func TestNoCompilerForProject(t *testing.T) {
	root := solctest.Write(t, "foundry.toml", "[profile.default]\nsolc = '0.8.27'\n", "src/A.sol", "pragma solidity ^0.8.0; contract A {}", "src/B.sol", "pragma solidity ^0.7.0; contract B {}")
	p := open(t, root, compiler.Env{})
	for name, version := range map[string]string{"A": "0.8.27", "B": "0.7.6"} {
		_, err := p.Compile(t.Context(), []string{filepath.Join(root, "src", name+".sol")}, nil)
		solctest.DemandFailure(t, err, solc.NoCompiler, "run leveret solc install "+version+", or put a solc on the PATH")
		if f := new(solc.Failure); !errors.As(err, &f) || f.Install != version {
			t.Errorf("the advice is to install %q", f.Install)
		}
	}
}

func TestNoNode(t *testing.T) {
	env := realTools(t)
	env.Path = ""
	root := solctest.Write(t, "A.sol", "contract A {}")
	p := open(t, root, env)
	_, err := p.Compile(t.Context(), []string{filepath.Join(root, "A.sol")}, nil)
	solctest.DemandFailure(t, err, solc.NoNode, "needs node, which is not on the PATH; install Node.js")
}

func TestNothingToCompile(t *testing.T) {
	root := t.TempDir()
	p := open(t, root, compiler.Env{})
	_, err := p.Compile(t.Context(), nil, nil)
	solctest.DemandFailure(t, err, solc.NotFound, fmt.Sprintf("%s: no Solidity files here", root))
	_, err = tryOpen(t, filepath.Join(root, "nothing"), compiler.Env{})
	solctest.DemandFailure(t, err, solc.NotFound, "nothing: this file does not exist")
}

func TestImportCycle(t *testing.T) {
	root := solctest.Write(t,
		"A.sol", "import './b/B.sol'; contract A { B b; }",
		"b/B.sol", "import '../A.sol'; import './B.sol'; contract B { A a; }")
	p := open(t, root, realTools(t))
	b, err := p.Compile(t.Context(), []string{filepath.Join(root, "A.sol")}, nil)
	if err != nil || len(b.Contracts) != 2 {
		t.Fatalf("%v, %v", b, err)
	}
}
