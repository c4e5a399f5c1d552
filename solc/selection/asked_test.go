package selection

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"leveret/solc"
	"leveret/solc/compiler"
	"leveret/solc/solctest"
)

// A name that no contract has gets the file that declares it, if that was not compiled. A name
// with a wrong file gets the list of contracts.
func TestNoSuchContract(t *testing.T) {
	root := solctest.Write(t, "foundry.toml", "", "src/A.sol", "contract A {}", "src/B.sol", "contract B {}", "test/C.t.sol", "contract C {}")
	tools := compiler.NewToolchain(compiler.Env{Path: os.Getenv("PATH"), ToolDirs: []string{solctest.Tools(t)}, CacheDir: t.TempDir()})
	defer tools.Close()
	batches, _, err := Open(tools, []string{filepath.Join(root, "src", "A.sol")})
	if err != nil {
		t.Fatal(err)
	}
	units, failures := batches[0].Compile(t.Context())
	if len(failures) > 0 {
		t.Fatal(failures)
	}
	for name, want := range map[string]string{
		"B":         "B: src/B.sol declares it and was not compiled; name this file, or fix the errors above",
		"x/C.sol:C": "x/C.sol:C: test/C.t.sol declares it and was not compiled; name this file, or fix the errors above",
		"x/A.sol:A": "x/A.sol:A: no such contract; the contracts are A",
		"D":         "D: no such contract; the contracts are A",
	} {
		if _, err := Choose(units, []string{name}); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// Where a file is asked for, one run of the compiler compiles it and what it imports.
// Other files of its project, which do not compile, need another compiler or would take
// long, neither fail nor delay it. The whole project is compiled when it is asked for.
func TestAskedFileAlone(t *testing.T) {
	root := solctest.Write(t,
		"foundry.toml", "",
		"src/Asked.sol", "pragma solidity ^0.8.0;\nimport './Base.sol';\ncontract Asked is Base {}",
		"src/Base.sol", "pragma solidity ^0.8.0;\ncontract Base {}",
		"src/Broken.sol", "pragma solidity ^0.8.0;\nimport './Base.sol';\ncontract Broken is Base { uint x = y; }",
		"src/Lost.sol", "pragma solidity ^0.8.0;\nimport './Nothing.sol';\ncontract Lost {}",
		"src/Ancient.sol", "pragma solidity 0.1.0;\ncontract Ancient {}",
		"src/Large.sol", "pragma solidity ^0.8.0;\n"+strings.Repeat("// a line of many\n", 10_000)+"contract Large {}")
	for _, row := range []struct {
		paths    []string
		sources  []string // of the builds
		failures int
	}{
		{[]string{"src/Asked.sol"}, []string{"src/Asked.sol", "src/Base.sol"}, 0},
		{[]string{"."}, []string{"src/Asked.sol", "src/Base.sol", "src/Large.sol"}, 3},
	} {
		var runs []int // sources of each
		tools := compiler.NewToolchain(compiler.Env{Path: os.Getenv("PATH"), ToolDirs: []string{solctest.Tools(t)}, CacheDir: t.TempDir(), Watch: func(r compiler.Run) func(error) {
			runs = append(runs, r.Files)
			return func(error) {}
		}})
		var paths []string
		for _, path := range row.paths {
			paths = append(paths, filepath.Join(root, path))
		}
		batches, failures, err := Open(tools, paths)
		if err != nil || len(failures) > 0 || len(batches) != 1 {
			t.Fatalf("%v: %d batches, %v, %v", row.paths, len(batches), failures, err)
		}
		units, failures := batches[0].Compile(context.Background())
		var sources []string
		for _, u := range units {
			for _, s := range u.Build.Sources {
				sources = append(sources, s.Name)
			}
		}
		slices.Sort(sources)
		if !slices.Equal(sources, row.sources) || len(failures) != row.failures {
			t.Errorf("%v: compiled %q, failures %v", row.paths, sources, failures)
		}
		if row.failures == 0 && !slices.Equal(runs, []int{2}) {
			t.Errorf("%v: the compiler ran on %v files", row.paths, runs)
		}
		for _, failure := range failures {
			if _, ok := failure.(*solc.Failure); !ok {
				t.Errorf("%v", failure)
			}
		}
		tools.Close()
	}
}
