package project

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"leveret/solc/compiler"
	"leveret/solc/solctest"
)

const forgeText = `case $1 in
config) echo '{"src":"told","test":"test","script":"script","libs":["lib"],"remappings":["x/=lib/x/"],"solc":null,"auto_detect_solc":true,"evm_version":"cancun","optimizer":true,"optimizer_runs":4711,"via_ir":false,"fuzz":{"runs":256}}' ;;
remappings) printf 'lib/y/:x/=lib/y/lib/x/src/\nx/=lib/x/src/\n' ;;
esac
`

// TestForgeConfiguration checks that the user's forge runs in a trusted workspace,
// once per change of the configuration.
func TestForgeConfiguration(t *testing.T) {
	home := t.TempDir()
	ran := solctest.Program(t, filepath.Join(home, ".foundry", "bin", "forge"), forgeText)
	root := solctest.Write(t, "foundry.toml", "[profile.default]\nsrc='read'\n", "remappings.txt", "x/=elsewhere/\n", "told/A.sol", "", "read/B.sol", "")
	tools := compiler.NewToolchain(compiler.Env{Home: home, Path: "/bin:/usr/bin"})
	defer tools.Close()
	for range 3 {
		p, err := Open(tools, root)
		if err != nil {
			t.Fatal(err)
		}
		if s := p.Settings; p.sourceDirs[0] != "told" || !s.Optimizer || s.OptimizerRuns != 4711 || s.EVMVersion != "cancun" || p.compilers[0].version != nil {
			t.Errorf("%q, %+v, notes %q", p.sourceDirs, s, p.Notes)
		}
		if want := []string{"lib/y/:x/=lib/y/lib/x/src/", "x/=lib/x/src/"}; !slices.Equal(p.Remappings(), want) {
			t.Errorf("remappings %q, want %q", p.Remappings(), want)
		}
	}
	if n := solctest.Runs(t, ran); n != 2 {
		t.Errorf("forge ran %d times, want 2", n)
	}
	if err := os.WriteFile(filepath.Join(root, "foundry.toml"), []byte("[profile.default]\nsrc='anew'\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(tools, root); err != nil || solctest.Runs(t, ran) != 4 {
		t.Errorf("forge ran %d times after a change, want 4: %v", solctest.Runs(t, ran), err)
	}
}

// TestWorkspaceForgeNeverRuns checks that a forge in the workspace never runs,
// and that no forge runs in an untrusted workspace.
func TestWorkspaceForgeNeverRuns(t *testing.T) {
	root := solctest.Write(t, "foundry.toml", "[profile.default]\nsrc='read'\n", "read/B.sol", "")
	ran := solctest.Program(t, filepath.Join(root, "bin", "forge"), forgeText)
	home := t.TempDir()
	trusted := solctest.Program(t, filepath.Join(home, ".foundry", "bin", "forge"), forgeText)
	linked := t.TempDir()
	if err := os.Symlink(filepath.Join(root, "bin", "forge"), filepath.Join(linked, "forge")); err != nil {
		t.Skip(err)
	}
	for name, env := range map[string]compiler.Env{
		"on the path":   {Path: filepath.Join(root, "bin")},
		"by a link":     {Path: linked},
		"not trusted":   {Home: home, Path: "/bin:/usr/bin", Untrusted: true},
		"no forge":      {Home: t.TempDir()},
		"relative path": {Path: "bin"},
	} {
		if p := open(t, root, env); p.sourceDirs[0] != "read" || solctest.Runs(t, ran)+solctest.Runs(t, trusted) > 0 {
			t.Errorf("%s: %q", name, p.sourceDirs)
		}
	}
}

// TestForgeFails checks that foundry.toml is read if forge fails.
func TestForgeFails(t *testing.T) {
	for text, want := range map[string]string{
		"echo 'Error: boom' >&2; exit 1\n": "forge config failed: Error: boom",
		"echo hello\n":                     "forge config --json gave no JSON",
	} {
		home := t.TempDir()
		solctest.Program(t, filepath.Join(home, ".foundry", "bin", "forge"), text)
		root := solctest.Write(t, "foundry.toml", "[profile.default]\nsrc='read'\n", "read/B.sol", "")
		p := open(t, root, compiler.Env{Home: home, Path: "/bin:/usr/bin"})
		if p.sourceDirs[0] != "read" || len(p.Notes) != 1 || !strings.Contains(p.Notes[0], "foundry.toml was read without it: "+want) {
			t.Errorf("%q, notes %q", p.sourceDirs, p.Notes)
		}
	}
}

// openConfigs lists configurations with computed values, and the results of
// their evaluation.
var openConfigs = []struct {
	name  string
	files []string
}{
	{"hardhat 2", []string{
		"hardhat.config.js", "require('fs').writeFileSync(process.env.MARK || 'ran', ''); module.exports = { solidity: require('./versions'), paths: { sources: ['a', 'b'].join('') } };",
		"versions.js", "module.exports = { compilers: [{ version: '0.8.20', settings: { viaIR: true } }] };",
		"node_modules/hardhat/package.json", `{"name":"hardhat","main":"index.js"}`,
		"node_modules/hardhat/index.js", "console.log('welcome'); const c = require('../../hardhat.config.js'); module.exports = { config: { solidity: c.solidity, paths: { sources: __dirname + '/../../' + c.paths.sources } } };",
		"ab/A.sol", "",
	}},
	{"hardhat 3", []string{
		"hardhat.config.ts", "import { solidity } from './versions'; export default { solidity };",
		"node_modules/hardhat/package.json", `{"name":"hardhat","type":"module","exports":"./index.js"}`,
		"node_modules/hardhat/index.js", "import fs from 'node:fs'; fs.writeFileSync('ran', ''); export default { config: { solidity: { profiles: { default: { compilers: [{ version: '0.8.20', settings: { viaIR: true } }], overrides: {} } } }, paths: { sources: { solidity: [process.cwd() + '/ab'] }, tests: { solidity: [] } } } };",
		"ab/A.sol", "",
	}},
	{"truffle", []string{
		"truffle-config.js", "require('fs').writeFileSync('ran', ''); const v = () => '0.8.20'; module.exports = { contracts_directory: './a' + 'b', compilers: { solc: { version: v(), settings: { viaIR: true } } } };",
		"ab/A.sol", "",
	}},
}

// TestEvaluation checks that only configurations with computed values are
// evaluated, and only in a trusted workspace.
func TestEvaluation(t *testing.T) {
	node, err := exec.LookPath("node")
	solctest.Need(t, err == nil, "no node on the PATH")
	for _, row := range openConfigs {
		for _, untrusted := range []bool{false, true} {
			root := solctest.Write(t, row.files...)
			p := open(t, root, compiler.Env{Path: filepath.Dir(node), Untrusted: untrusted})
			evaluated := p.Settings.ViaIR && len(p.compilers) == 1 && p.compilers[0].version != nil && p.compilers[0].version.String() == "0.8.20" && slices.Equal(p.sourceDirs, []string{"ab"})
			if ran := solctest.Exists(filepath.Join(root, "ran")); ran == untrusted || evaluated == untrusted {
				t.Errorf("%s, untrusted %v: ran %v, %q %+v, notes %q", row.name, untrusted, ran, p.sourceDirs, p.compilers, p.Notes)
			}
		}
	}
	root := solctest.Write(t, "hardhat.config.js", "require('fs').writeFileSync('ran', ''); module.exports = { solidity: '0.8.20' };", "contracts/A.sol", "")
	if p := open(t, root, compiler.Env{Path: filepath.Dir(node)}); solctest.Exists(filepath.Join(root, "ran")) || p.compilers[0].version == nil {
		t.Error("a configuration with literal values was evaluated")
	}
}

// If the evaluation of a configuration fails, the project has a note and uses
// the literal values.
func TestEvaluationFails(t *testing.T) {
	node, err := exec.LookPath("node")
	solctest.Need(t, err == nil, "no node on the PATH")
	root := solctest.Write(t, "hardhat.config.js", "module.exports = { solidity: { version: '0.8.20', settings: require('./nowhere') } };", "contracts/A.sol", "")
	p := open(t, root, compiler.Env{Path: filepath.Dir(node)})
	if len(p.Notes) != 1 || !strings.Contains(p.Notes[0], "hardhat.config.js could not be evaluated") || p.compilers[0].version.String() != "0.8.20" {
		t.Errorf("%+v, notes %q", p.compilers, p.Notes)
	}
}

// TestConfigurationMatchesForge checks that a Foundry project is configured as by forge. One
// difference is intended: if the project and a library have a library of the
// same name, forge uses the project's for both.
func TestConfigurationMatchesForge(t *testing.T) {
	forge, err := filepath.Abs("../testdata/npm/node_modules/@foundry-rs/forge-linux-amd64/bin/forge")
	if err != nil {
		t.Fatal(err)
	}
	solctest.Need(t, solctest.Exists(forge), "no forge: run make tools")
	archives, err := filepath.Glob("testdata/projects/foundry_*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no workspaces", err)
	}
	for _, path := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			w := lay(t, archive)
			t.Setenv("HOME", w.home)
			for line := range strings.Lines(string(archive.Comment)) {
				if name, ok := strings.CutPrefix(strings.TrimSpace(line), "profile "); ok {
					t.Setenv("FOUNDRY_PROFILE", name)
				}
				if key, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok && !strings.HasPrefix(line, "#") {
					t.Setenv(key, value)
				}
			}
			own := w.describe(t)
			w.env.Path = filepath.Dir(forge)
			told := w.describe(t)
			remapped := func(line string) bool { return strings.HasPrefix(line, "remapping: ") }
			a := slices.DeleteFunc(strings.Split(own, "\n"), remapped)
			b := slices.DeleteFunc(strings.Split(told, "\n"), remapped)
			for i := range a {
				a[i] = strings.ReplaceAll(a[i], "lib/token/lib/math/src/Math.sol, ", "")
			}
			if !slices.Equal(a, b) {
				t.Errorf("without forge\n%s\nwith forge\n%s", own, told)
			}
		})
	}
}
