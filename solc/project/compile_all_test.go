package project

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"leveret/solc"
	"leveret/solc/solctest"
)

// TestCompileAll compiles a folder that needs three compilers, with one file for
// each kind of failure.
func TestCompileAll(t *testing.T) {
	root := solctest.Write(t,
		"A.sol", "pragma solidity ^0.8.0; import './Both.sol'; contract A is Both {}",
		"B.sol", "pragma solidity ^0.8.0; contract B {}",
		"Both.sol", "contract Both {}",
		"Old.sol", "pragma solidity 0.5.17; import './Both.sol'; contract Old is Both {}",
		"Older.sol", "pragma solidity 0.4.26; contract Older {}",
		"Blank.sol", "\n",
		"Ancient.sol", "pragma solidity 0.1.0; contract Ancient {}",
		"Lost.sol", "import './Nothing.sol'; contract Lost {}",
		"Wrong.sol", "pragma solidity ^0.8.0; contract Wrong { uint x = y; }",
		"NeedsWrong.sol", "pragma solidity ^0.8.0; import './Wrong.sol'; contract NeedsWrong is Wrong {}",
		"Broken.sol", "pragma solidity ^0.8.0; contract {")
	p := open(t, root, realTools(t))
	files, err := p.Files()
	if err != nil {
		t.Fatal(err)
	}
	builds, failed := p.CompileAll(t.Context(), files, nil)
	var got []string
	for _, b := range builds {
		for _, c := range b.Contracts {
			got = append(got, b.Version+" "+c.Name)
		}
	}
	slices.Sort(got)
	if want := []string{"0.4.26 Older", "0.5.17 Both", "0.5.17 Old", "0.8.37 A", "0.8.37 B", "0.8.37 Both"}; !slices.Equal(got, want) {
		t.Errorf("contracts %q, want %q", got, want)
	}
	wanted := map[solc.FailureKind]string{solc.VersionMismatch: "Ancient.sol:1: this file", solc.ImportNotFound: "Lost.sol:1: cannot find"}
	var refused []string
	for _, err := range failed {
		f := err.(*solc.Failure)
		if f.Kind == solc.CompileError {
			refused = append(refused, f.Name)
			continue
		}
		solctest.DemandFailure(t, err, f.Kind, wanted[f.Kind])
		delete(wanted, f.Kind)
	}
	slices.Sort(refused)
	if !slices.Equal(refused, []string{"Broken.sol", "Wrong.sol"}) || len(wanted) != 0 {
		t.Errorf("failed: %v", failed)
	}
}

// TestStackTooDeep checks that a folder without configuration gets the settings
// that its sources need.
func TestStackTooDeep(t *testing.T) {
	const text = `pragma solidity ^0.8.0; contract A { function f(uint a, uint b, uint c, uint d, uint e, uint f_, uint g, uint h) public pure returns (uint) {
		uint i = a * b; uint j = b * c; uint k = c * d; uint l = d * e; uint m = e * f_; uint n = f_ * g; uint o = g * h; uint p = h * i; uint q = i * j;
		return a + b + c + d + e + f_ + g + h + i + j + k + l + m + n + o + p + q; } }`
	root := solctest.Write(t, "A.sol", text)
	file := filepath.Join(root, "A.sol")
	b, err := open(t, root, realTools(t)).Compile(t.Context(), []string{file}, nil)
	if err != nil || !b.Settings.ViaIR {
		t.Fatalf("%v", err)
	}
	if note := b.Messages[len(b.Messages)-1]; note.Severity != "info" {
		t.Errorf("no note: %+v", b.Messages)
	}
	if err := os.WriteFile(filepath.Join(root, "foundry.toml"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	_, err = open(t, root, realTools(t)).Compile(t.Context(), []string{file}, nil)
	solctest.DemandFailure(t, err, solc.CompileError, "Stack too deep; set optimizer = true and via_ir = true in foundry.toml, or use fewer local variables")
}

// TestStackTooDeepWithoutOptimizer checks that a foundry.toml which does not mention the
// optimiser gets it where it is needed, as from forge before 1.0, for all files.
func TestStackTooDeepWithoutOptimizer(t *testing.T) {
	const deep = `pragma solidity ^0.8.0;
interface I { function g(uint, uint, uint, uint, uint, uint, uint, uint, uint, uint, uint, uint, uint) external; }
contract A { I other; function f(uint a) external { other.g(a, a, a, a, a, a, a, a, a, a, a, a, a); } }`
	const deepViaIR = `pragma solidity ^0.8.0; contract A {
function f(uint a, uint b, uint c, uint d, uint e, uint g, uint h, uint i, uint j, uint k, uint l, uint m, uint n, uint o, uint p, uint q, uint r)
external pure returns (bytes memory) { return abi.encode(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r); } }`
	for config, optimized := range map[string]bool{"": true, "via_ir = true": true, "via_ir = false": true, "optimizer = false": false, "optimizer_runs = 0": false, "via_ir = true\noptimizer = false": false} {
		viaIR, text := strings.Contains(config, "via_ir = true"), deep
		if viaIR {
			text = deepViaIR
		}
		root := solctest.Write(t, "foundry.toml", "[profile.default]\n"+config, "src/A.sol", text, "src/B.sol", "pragma solidity ^0.8.0; contract B {}")
		files := []string{filepath.Join(root, "src/A.sol"), filepath.Join(root, "src/B.sol")}
		builds, failed := open(t, root, realTools(t)).CompileAll(t.Context(), files, nil)
		if !optimized {
			if len(failed) != 1 || !strings.Contains(failed[0].Error(), "too deep") {
				t.Errorf("%q: %v", config, failed)
			}
			continue
		}
		if len(failed) > 0 || len(builds) != 1 || !builds[0].Settings.Optimizer || builds[0].Settings.ViaIR != viaIR {
			t.Errorf("%q: %d builds, %v", config, len(builds), failed)
			continue
		}
		note := builds[0].Messages[len(builds[0].Messages)-1]
		if want := "which foundry.toml does not mention; compiled with it"; note.Severity != "info" || !strings.Contains(note.Text, want) {
			t.Errorf("%q: no note %q: %+v", config, want, builds[0].Messages)
		}
	}
}

// TestInstalledCompilerIsFound checks that a compiler installed after an error is found
// without a restart.
func TestInstalledCompilerIsFound(t *testing.T) {
	env := realTools(t)
	modules := filepath.Join(env.ToolDirs[0], "node_modules")
	env.ToolDirs = nil
	root := solctest.Write(t, "A.sol", "pragma solidity ^0.7.0; contract A {}", "node_modules/solc-new/package.json", "")
	if err := os.Symlink(filepath.Join(modules, "solc-0.8.30"), filepath.Join(root, "node_modules", "solc")); err != nil {
		t.Skip(err)
	}
	p := open(t, root, env)
	file := filepath.Join(root, "A.sol")
	_, err := p.Compile(t.Context(), []string{file}, nil)
	solctest.DemandFailure(t, err, solc.VersionMismatch, "found 0.8.30; run leveret solc install 0.7.6")
	if err := os.Symlink(filepath.Join(modules, "solc-0.7.6"), filepath.Join(root, "node_modules", "solc-0.7.6")); err != nil {
		t.Fatal(err)
	}
	if b, err := p.Compile(t.Context(), []string{file}, nil); err != nil || b.Version != "0.7.6" {
		t.Error(err)
	}
}

// A build says what of the configuration it does not follow.
func TestUnmet(t *testing.T) {
	root := solctest.Write(t, "foundry.toml", "[profile.default]\nsolc = \"0.8.1\"\noptimizer_runs = \"many\"\n", "src/A.sol", "pragma solidity ^0.8.0; contract A {}")
	b, err := open(t, root, realTools(t)).Compile(t.Context(), []string{filepath.Join(root, "src/A.sol")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Join(b.Unmet, "\n")
	for _, want := range []string{"foundry.toml: the value of optimizer_runs has the wrong type", "foundry.toml configures solc 0.8.1, which is not installed; compiled with 0.8."} {
		if !strings.Contains(all, want) {
			t.Errorf("nothing says %q: %q", want, b.Unmet)
		}
	}
}
