package compiler

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"leveret/solc"
	"leveret/solc/solctest"
)

// machine creates a home directory with every kind of compiler.
func machine(t *testing.T) (env Env, workspace string) {
	root := solctest.Machine(t)
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
		"0.8.7 node_modules", "0.7.6 solc-select", "0.7.5 Leveret's tools", "0.6.12 Hardhat's cache", "0.4.26 Leveret's tools"}
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

func TestNamed(t *testing.T) {
	_, workspace := machine(t)
	root := filepath.Dir(filepath.Dir(workspace))
	for _, row := range []struct{ path, version, err string }{
		{"bin/solc", "0.8.25", ""},
		{"tools/node_modules/solc", "0.8.30", ""},
		{"tools", "0.8.30", ""},
		{"tools/node_modules/solc/soljson.js", "0.8.30", ""},
		{"home/.cache/hardhat-nodejs/compilers-v2/wasm/soljson-v0.6.12+commit.27d51765.js", "0.6.12", ""},
		{"nowhere", "", "nowhere: the compiler that was set does not exist; correct --solc"},
		{"ws", "0.8.20", ""},
		{"home", "", "home: this directory is not a solc package; name the directory"},
		{"home/.svm/0.8.20/solc-0.8.20", "", "this compiler does not work: "},
	} {
		i, err := Named(t.Context(), filepath.Join(root, filepath.FromSlash(row.path)))
		if row.err != "" {
			solctest.DemandFailure(t, err, solc.NoCompiler, row.err)
		} else if err != nil || i.Version.String() != row.version {
			t.Errorf("%s: %v, %v, want %s", row.path, i, err, row.version)
		}
	}
}

func TestEnvFrom(t *testing.T) {
	vars := map[string]string{"HOME": "/home/x", "PATH": "/bin", "LEVERET_TOOLS": "/a" + string(filepath.ListSeparator) + "/b", "XDG_CACHE_HOME": "/cache", "FOUNDRY_PROFILE": "ci"}
	env := EnvFrom(func(name string) string { return vars[name] })
	if env.Home != "/home/x" || env.Path != "/bin" || env.CacheDir != "/cache" || env.Profile != "ci" ||
		!slices.Equal(env.ToolDirs, []string{"/a", "/b", filepath.Join("/cache", "leveret", "tools")}) {
		t.Errorf("%+v", env)
	}
}

// Relative paths of user folders are ignored: they would be relative to the
// workspace.
func TestRelativeVariables(t *testing.T) {
	env := EnvFrom(func(string) string { return "here" })
	if env.Home != "" || env.CacheDir != "" || len(env.ToolDirs) > 0 {
		t.Errorf("%+v", env)
	}
}
