package project

import (
	"os"
	"path/filepath"
	"testing"

	"leveret/solc"
	"leveret/solc/compiler"
	"leveret/solc/solctest"
)

// testMachine returns the machine of solctest.Machine and a folder in its
// workspace.
func testMachine(t *testing.T) (env compiler.Env, workspace string) {
	root := solctest.Machine(t)
	home := filepath.Join(root, "home")
	return compiler.Env{Home: home, CacheDir: filepath.Join(home, ".cache"), Path: filepath.Join(root, "bin"),
		ToolDirs: []string{filepath.Join(root, "tools")}}, filepath.Join(root, "ws", "sub")
}

// TestChoice checks the compiler and the settings for a pragma on that machine.
func TestChoice(t *testing.T) {
	const foundry = "[profile.default]\nsolc = '0.8.20'\n"
	const hardhat = `module.exports = { solidity: { compilers: [
		{ version: "0.7.6", settings: { optimizer: { enabled: true, runs: 76 } } },
		{ version: "0.8.19", settings: { optimizer: { enabled: true, runs: 819 } } } ] } }`
	for _, row := range []struct {
		config, text, pragma, version string
		runs                          int
		note                          bool
	}{
		{"", "", "^0.8.0", "0.8.30", 200, false},
		{"", "", "<0.8.25", "0.8.21", 200, false},
		{"", "", "0.8.20", "0.8.20", 200, false},
		{"foundry.toml", foundry, "^0.8.0", "0.8.20", 200, false},
		{"foundry.toml", foundry, "^0.7.0", "0.7.6", 200, false},
		{"foundry.toml", "[profile.default]\nsolc = '0.8.22'", "^0.8.0", "0.8.25", 200, true},
		{"foundry.toml", "[profile.default]\nsolc = '0.8.33'", "^0.8.0", "0.8.30", 200, true},
		{"hardhat.config.js", hardhat, "^0.8.0", "0.8.19", 819, false},
		{"hardhat.config.js", hardhat, ">=0.7.0", "0.8.19", 819, false},
		{"hardhat.config.js", hardhat, ">=0.7.0 <0.8.0", "0.7.6", 76, false},
		{"hardhat.config.js", hardhat, "^0.6.0", "0.6.12", 76, false},
	} {
		env, workspace := testMachine(t)
		if row.config != "" {
			if err := os.WriteFile(filepath.Join(workspace, row.config), []byte(row.text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		p := open(t, workspace, env)
		file := filepath.Join(workspace, "A.sol")
		c, err := p.imports.closure([]string{file}, map[string][]byte{file: []byte("pragma solidity " + row.pragma + ";")})
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.choose(t.Context(), c)
		if err != nil || got.Version.String() != row.version || got.settings.OptimizerRuns != row.runs || (got.note != "") != row.note {
			t.Errorf("%s, pragma %s: %s, runs %d, %q, %v, want %+v", row.config, row.pragma, got.Installation, got.settings.OptimizerRuns, got.note, err, row)
		}
		if i := got.Installation; i.Version.String() == "0.8.20" && i.Node {
			t.Errorf("chose %s instead of a binary", i)
		}
	}
}

// TestNamedCompilerDoesNotFit checks that only the user's compiler is tried.
func TestNamedCompilerDoesNotFit(t *testing.T) {
	env, workspace := testMachine(t)
	root := filepath.Dir(filepath.Dir(workspace))
	env.Solc = filepath.Join(root, "bin", "solc")
	p := open(t, solctest.Write(t, "A.sol", "pragma solidity 0.8.30; contract A {}"), env)
	_, err := p.Compile(t.Context(), []string{filepath.Join(p.Root, "A.sol")}, nil)
	solctest.DemandFailure(t, err, solc.VersionMismatch, "A.sol:1: this file needs solc 0.8.30; found 0.8.25 as set; leave out --solc")
}
