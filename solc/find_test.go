package solc

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

const manifest = `{"name":"solc","version":"VERSION"}`

// machine lays out a home directory with every kind of compiler.
func machine(t *testing.T) (env Env, workspace string) {
	t.Helper()
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("the layout is that of Linux on amd64")
	}
	pack := func(version string) string { return strings.Replace(manifest, "VERSION", version, 1) }
	root := write(t,
		"home/.svm/0.8.20/solc-0.8.20", "",
		"home/.local/share/svm/0.8.21/solc-0.8.21", "",
		"home/.solc-select/artifacts/solc-0.7.6/solc-0.7.6", "",
		"home/.solc-select/artifacts/solc-0.7.5", "a file where a directory belongs",
		"home/.cache/hardhat-nodejs/compilers-v2/linux-amd64/solc-linux-amd64-v0.8.19+commit.7dd6d404", "",
		"home/.cache/hardhat-nodejs/compilers-v2/linux-amd64/list.json", "",
		"home/.cache/hardhat-nodejs/compilers-v2/wasm/soljson-v0.6.12+commit.27d51765.js", "",
		"bin/solc", "#!/bin/sh\necho Version: 0.8.25+commit.b61c2a91.Linux.g++\n",
		"tools/node_modules/solc/package.json", pack("0.8.30"), "tools/node_modules/solc/soljson.js", "",
		"tools/node_modules/solc-old/package.json", pack("0.4.26"), "tools/node_modules/solc-old/soljson.js", "",
		"tools/node_modules/solc-ancient/package.json", pack("0.4.10"), "tools/node_modules/solc-ancient/soljson.js", "",
		"tools/node_modules/solc-torn/package.json", pack("0.8.1"),
		"tools/node_modules/solc-other/package.json", `{"name":"solc-other","version":"0.8.2"}`, "tools/node_modules/solc-other/soljson.js", "",
		"ws/node_modules/solc/package.json", pack("0.8.20"), "ws/node_modules/solc/soljson.js", "",
		"ws/sub/node_modules/solc-fixed/package.json", pack("0.8.7-fixed"), "ws/sub/node_modules/solc-fixed/soljson.js", "",
		"ws/sub/A.sol", "")
	filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if strings.HasPrefix(d.Name(), "solc") && !d.IsDir() {
			return os.Chmod(path, 0o755)
		}
		return nil
	})
	home := filepath.Join(root, "home")
	return Env{Home: home, CacheDir: filepath.Join(home, ".cache"), Path: filepath.Join(root, "bin"),
		ToolDirs: []string{filepath.Join(root, "tools")}}, filepath.Join(root, "ws", "sub")
}

func TestFind(t *testing.T) {
	env, workspace := machine(t)
	list := func(env Env) []string {
		var found []string
		for _, i := range Find(t.Context(), env, workspace) {
			found = append(found, i.Version.String()+" "+i.Origin)
		}
		return found
	}
	all := []string{"0.8.30 Leveret's tools", "0.8.25 PATH", "0.8.21 svm", "0.8.20 svm", "0.8.20 node_modules", "0.8.19 Hardhat's cache",
		"0.8.7 node_modules", "0.7.6 solc-select", "0.6.12 Hardhat's cache", "0.4.26 Leveret's tools"}
	if got := list(env); !slices.Equal(got, all) {
		t.Errorf("found %q, want %q", got, all)
	}
	env.Untrusted = true
	own := slices.DeleteFunc(slices.Clone(all), func(s string) bool { return strings.HasSuffix(s, "node_modules") })
	if got := list(env); !slices.Equal(got, own) {
		t.Errorf("untrusted: found %q, want %q", got, own)
	}
	if got := list(Env{Untrusted: true}); len(got) != 0 {
		t.Errorf("found %q on an empty machine", got)
	}
}

// TestChoice: which compiler and settings a pragma gets on that machine.
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
		env, workspace := machine(t)
		if row.config != "" {
			if err := os.WriteFile(filepath.Join(workspace, row.config), []byte(row.text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		p := open(t, workspace, env)
		file := filepath.Join(workspace, "A.sol")
		c, err := p.closure([]string{file}, map[string][]byte{file: []byte("pragma solidity " + row.pragma + ";")})
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.choose(t.Context(), c)
		if err != nil || got.Version.String() != row.version || got.settings.OptimizerRuns != row.runs || (got.note != "") != row.note {
			t.Errorf("%s, pragma %s: %s, runs %d, %q, %v, want %+v", row.config, row.pragma, got.Installation, got.settings.OptimizerRuns, got.note, err, row)
		}
		if i := got.Installation; i.Version.String() == "0.8.20" && i.Node {
			t.Errorf("%s is preferred to a binary", i)
		}
	}
}

func TestNamed(t *testing.T) {
	env, workspace := machine(t)
	root := filepath.Dir(filepath.Dir(workspace))
	for _, row := range []struct{ path, version, err string }{
		{"bin/solc", "0.8.25", ""},
		{"tools/node_modules/solc", "0.8.30", ""},
		{"tools", "0.8.30", ""},
		{"tools/node_modules/solc/soljson.js", "0.8.30", ""},
		{"home/.cache/hardhat-nodejs/compilers-v2/wasm/soljson-v0.6.12+commit.27d51765.js", "0.6.12", ""},
		{"nowhere", "", "nowhere: the compiler that was set does not exist; correct --solc"},
		{"ws", "0.8.20", ""},
		{"home", "", "home: this directory is no solc package; name the directory"},
		{"home/.svm/0.8.20/solc-0.8.20", "", "this is no working compiler: "},
	} {
		i, err := Named(t.Context(), filepath.Join(root, filepath.FromSlash(row.path)))
		if row.err != "" {
			demand(t, err, NoCompiler, row.err)
		} else if err != nil || i.Version.String() != row.version {
			t.Errorf("%s: %v, %v, want %s", row.path, i, err, row.version)
		}
	}
	env.Solc = filepath.Join(root, "bin", "solc")
	p := open(t, write(t, "A.sol", "pragma solidity 0.8.30; contract A {}"), env)
	_, err := p.Compile(t.Context(), []string{filepath.Join(p.Root, "A.sol")}, nil)
	demand(t, err, VersionMismatch, "A.sol:1: this file wants solc 0.8.30; found 0.8.25 as set; leave out --solc")
}

func TestEnvFrom(t *testing.T) {
	vars := map[string]string{"HOME": "/home/x", "PATH": "/bin", "LEVERET_TOOLS": "/a" + string(filepath.ListSeparator) + "/b", "XDG_CACHE_HOME": "/cache", "FOUNDRY_PROFILE": "ci"}
	env := EnvFrom(func(name string) string { return vars[name] })
	if env.Home != "/home/x" || env.Path != "/bin" || env.CacheDir != "/cache" || env.Profile != "ci" ||
		!slices.Equal(env.ToolDirs, []string{"/a", "/b", filepath.Join("/cache", "leveret", "tools")}) {
		t.Errorf("%+v", env)
	}
}
