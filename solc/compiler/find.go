package compiler

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"leveret/solc"
	"leveret/solc/trust"
	"leveret/solc/version"
)

// An Installation is a compiler on the machine.
type Installation struct {
	Version version.Version
	Path    string // of the binary, the npm package or the soljson.js
	Node    bool   // written in JavaScript: needs node
	Origin  string // how it was found, for messages: "PATH", "svm", "node_modules", …
}

// String describes the compiler for messages.
func (i Installation) String() string {
	return "solc " + i.Version.String() + " (" + i.Origin + ", " + i.Path + ")"
}

// A toolFolder is a folder in which another tool keeps compilers: a glob below a
// base directory. The name of the file or of its directory has the version.
type toolFolder struct {
	origin string
	base   func(Env) string
	glob   string
	node   bool
}

func home(e Env) string  { return e.Home }
func cache(e Env) string { return e.CacheDir }

var toolFolders = []toolFolder{
	{"svm", home, ".svm/*/solc-*", false},
	{"svm", home, ".local/share/svm/*/solc-*", false},
	{"svm", home, "Library/Application Support/svm/*/solc-*", false},
	{"svm", home, "AppData/Roaming/svm/*/solc-*", false},
	{"solc-select", home, ".solc-select/artifacts/solc-*/solc-*", false},
	{"Hardhat's cache", cache, "hardhat-nodejs/compilers-v*/" + hardhatPlatform() + "/solc-*", false},
	{"Hardhat's cache", cache, "hardhat-nodejs/compilers-v*/wasm/soljson-*.js", true},
	{"Truffle's cache", home, ".config/truffle/compilers/node_modules/soljson-*.js", true},
}

func hardhatPlatform() string {
	switch runtime.GOOS {
	case "darwin":
		return "macosx-*"
	case "windows":
		return "windows-*"
	}
	if runtime.GOARCH == "arm64" {
		return "linux-arm64"
	}
	return "linux-amd64"
}

// Find returns the compilers that a project in dir may use, the highest
// version first and native before JavaScript. The only program it runs is
// `solc --version`, if solc is on the PATH.
func Find(ctx context.Context, env Env, dir string) []Installation {
	found := InstalledIn(env.CompilerDir())
	for _, p := range toolFolders {
		found = append(found, p.find(env)...)
	}
	if bin := LookPath(env.Path, "solc"); bin != "" {
		if v, err := BinaryVersion(ctx, bin); err == nil {
			found = append(found, Installation{Version: v, Path: bin, Origin: "PATH"})
		}
	}
	if !env.Untrusted {
		for dir = filepath.Clean(dir); ; dir = filepath.Dir(dir) {
			found = append(found, packagesIn(dir, "node_modules")...)
			if dir == filepath.Dir(dir) {
				break
			}
		}
	}
	for _, tools := range env.ToolDirs {
		found = append(found, packagesIn(tools, "Leveret's tools")...)
	}
	slices.SortStableFunc(found, better)
	return slices.CompactFunc(found, func(a, b Installation) bool { return a.Path == b.Path })
}

// better orders installations: the highest version first, and native before
// JavaScript.
func better(a, b Installation) int {
	if c := b.Version.Compare(a.Version); c != 0 {
		return c
	}
	switch {
	case a.Node == b.Node:
		return 0
	case a.Node:
		return 1
	}
	return -1
}

// InstalledIn returns the compilers that Leveret installed in dir, best first.
func InstalledIn(dir string) []Installation {
	if dir == "" {
		return nil
	}
	var found []Installation
	for _, p := range []toolFolder{{glob: "solc-v*"}, {glob: "soljson-v*.js", node: true}} {
		p.origin, p.base = "installed by Leveret", func(Env) string { return dir }
		found = append(found, p.find(Env{})...)
	}
	slices.SortStableFunc(found, better)
	return found
}

func (p toolFolder) find(env Env) []Installation {
	base := p.base(env)
	if base == "" {
		return nil
	}
	paths, _ := filepath.Glob(filepath.Join(base, filepath.FromSlash(p.glob)))
	var found []Installation
	for _, path := range paths {
		v, ok := version.Parse(filepath.Base(path))
		if !ok {
			continue
		}
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() || !p.node && !executable(info) {
			continue
		}
		found = append(found, Installation{Version: v, Path: path, Node: p.node, Origin: p.origin})
	}
	return found
}

func executable(info os.FileInfo) bool {
	return runtime.GOOS == "windows" || info.Mode()&0o111 != 0
}

// packagesIn returns the solc packages in dir/node_modules, named solc or by an
// alias that starts with solc.
func packagesIn(dir, origin string) []Installation {
	paths, _ := filepath.Glob(filepath.Join(dir, "node_modules", "solc*"))
	var found []Installation
	for _, path := range paths {
		if i, ok := readPackage(path, origin); ok {
			found = append(found, i)
		}
	}
	return found
}

// readPackage reads an installed npm package of the compiler.
func readPackage(dir, origin string) (Installation, bool) {
	text, err := trust.ReadRegular(filepath.Join(dir, "package.json"), trust.MaxConfig)
	if err != nil {
		return Installation{}, false
	}
	var manifest struct{ Name, Version string }
	if json.Unmarshal(text, &manifest) != nil || manifest.Name != "solc" {
		return Installation{}, false
	}
	v, ok := version.Parse(manifest.Version)
	if !ok || !v.AtLeast(0, 4, 11) {
		return Installation{}, false
	}
	if _, err := os.Stat(filepath.Join(dir, "soljson.js")); err != nil {
		return Installation{}, false
	}
	if manifest.Version == "0.8.7" { // the package contains 0.7.5; 0.8.7-fixed contains 0.8.7
		v.Minor, v.Patch = 7, 5
	}
	v.Pre = ""
	return Installation{Version: v, Path: dir, Node: true, Origin: origin}, true
}

// Named returns the compiler at a path that the user set. Errors are of type
// *solc.Failure.
func Named(ctx context.Context, path string) (Installation, error) {
	const origin = "as set"
	info, err := os.Stat(path)
	if err != nil {
		return Installation{}, &solc.Failure{Kind: solc.NoCompiler, File: path, Sentence: "the compiler that was set does not exist",
			Remedy: "correct --solc or the setting leveret.solc.path"}
	}
	if info.IsDir() {
		for _, dir := range []string{path, filepath.Join(path, "node_modules", "solc")} {
			if i, ok := readPackage(dir, origin); ok {
				return i, nil
			}
		}
		return Installation{}, &solc.Failure{Kind: solc.NoCompiler, File: path, Sentence: "this directory is not a solc package",
			Remedy: "name the directory that contains soljson.js and package.json"}
	}
	if strings.HasSuffix(path, ".js") {
		return namedScript(path, origin)
	}
	v, err := BinaryVersion(ctx, path)
	if err != nil {
		return Installation{}, &solc.Failure{Kind: solc.NoCompiler, File: path, Sentence: "this compiler does not work: " + err.Error(),
			Remedy: "correct --solc or the setting leveret.solc.path"}
	}
	return Installation{Version: v, Path: path, Origin: origin}, nil
}

// namedScript returns the compiler in a soljson.js of a package, or in one that
// has its version in its name.
func namedScript(path, origin string) (Installation, error) {
	if i, ok := readPackage(filepath.Dir(path), origin); ok {
		return i, nil
	}
	v, ok := version.Parse(filepath.Base(path))
	if !ok {
		return Installation{}, &solc.Failure{Kind: solc.NoCompiler, File: path, Sentence: "the version of this compiler is unknown",
			Remedy: "keep the file's released name, such as soljson-v0.8.30+commit.73712a01.js"}
	}
	return Installation{Version: v, Path: path, Node: true, Origin: origin}, nil
}

// LookPath finds a program in list, directories as in PATH. Relative ones are
// skipped: they depend on the working directory. It is empty if there is none.
func LookPath(list, name string) string {
	if runtime.GOOS == "windows" && filepath.Ext(name) == "" {
		name += ".exe"
	}
	for _, dir := range filepath.SplitList(list) {
		if !filepath.IsAbs(dir) {
			continue
		}
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && executable(info) {
			return path
		}
	}
	return ""
}
