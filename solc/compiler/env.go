package compiler

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"leveret/solc"
)

// An Env describes the machine and its user to a Toolchain. The command fills
// it in: this package never reads the environment. An empty field disables the
// features that depend on it.
type Env struct {
	Solc      string              // compiler that the user set, the only one that is used: a name on Path, or a path to a binary, an npm package or a soljson.js
	SolcDir   string              // folder that a relative Solc starts from
	Home      string              // the user's home directory
	Path      string              // list of directories to search for solc and node
	CacheDir  string              // the user's cache directory; compiled output goes to leveret/ below it
	ToolDirs  []string            // Leveret's own tool folders: compilers in node_modules below them
	Profile   string              // of foundry.toml; empty: default
	Getenv    func(string) string // reads the variables that override keys of foundry.toml; nil: none
	Workspace string              // the folder that the user opened or works in; empty: the project's root
	Untrusted bool                // run no program and no script of the project, and read nothing outside the workspace

	// Watch is called before a compiler runs, from the goroutine that compiles, and
	// the returned function after it, with the error of a run that has no output. Results
	// from the cache run none. Nil: not called.
	Watch func(Run) (ended func(error))

	Timeout   time.Duration // of one compiler run; 0 means two minutes
	CacheSize int64         // bytes of compiled output to keep on disk; 0 means 256 MiB
}

// EnvFrom reads an Env from environment variables. LEVERET_TOOLS lists further
// tool folders, as PATH does. Relative folders are skipped: they depend on the
// working directory.
func EnvFrom(getenv func(string) string) Env {
	env := Env{
		Home:     absoluteOnly(getenv("HOME")),
		Path:     getenv("PATH"),
		CacheDir: absoluteOnly(getenv("XDG_CACHE_HOME")),
		Profile:  getenv("FOUNDRY_PROFILE"),
		ToolDirs: slices.DeleteFunc(filepath.SplitList(getenv("LEVERET_TOOLS")), func(dir string) bool { return !filepath.IsAbs(dir) }),
		Getenv:   getenv,
	}
	if env.Home == "" {
		env.Home = absoluteOnly(getenv("USERPROFILE"))
	}
	if env.CacheDir == "" && env.Home != "" {
		switch runtime.GOOS {
		case "darwin":
			env.CacheDir = filepath.Join(env.Home, "Library", "Caches")
		case "windows":
			env.CacheDir = getenv("LOCALAPPDATA")
		default:
			env.CacheDir = filepath.Join(env.Home, ".cache")
		}
	}
	if env.CacheDir != "" {
		env.ToolDirs = append(env.ToolDirs, filepath.Join(env.CacheDir, "leveret", "tools"))
	}
	return env
}

func absoluteOnly(dir string) string {
	if filepath.IsAbs(dir) {
		return dir
	}
	return ""
}

// IsRelative reports whether a compiler is set as a relative path, and neither
// as an absolute path nor as a name on the PATH.
func IsRelative(compiler string) bool {
	return compiler != "" && !filepath.IsAbs(compiler) && (filepath.Base(compiler) != compiler || compiler == "." || compiler == "..")
}

// CompilerDir returns the folder that Leveret installs compilers in. It is empty
// without a cache directory.
func (e Env) CompilerDir() string {
	if e.CacheDir == "" {
		return ""
	}
	return filepath.Join(e.CacheDir, "leveret", "compilers")
}

// HasNode reports whether compilers in JavaScript can run.
func (e Env) HasNode() bool { return LookPath(e.Path, "node") != "" }

// named returns the path of the compiler that the user set. A bare name is
// looked up on Path only, never in the working directory.
func (e Env) named() (string, error) {
	switch {
	case filepath.IsAbs(e.Solc):
		return e.Solc, nil
	case !IsRelative(e.Solc):
		if found := LookPath(e.Path, e.Solc); found != "" {
			return found, nil
		}
		return "", &solc.Failure{Kind: solc.NoCompiler, Sentence: fmt.Sprintf("the compiler %s that was set is not on the PATH", e.Solc),
			Remedy: "correct --solc or the setting leveret.solc.path; write ./ before the name of a file"}
	case e.Untrusted:
		return "", &solc.Failure{Kind: solc.NoCompiler, Sentence: fmt.Sprintf("the compiler %s that was set is not used: its path is relative, and the workspace is not trusted", e.Solc),
			Remedy: "set an absolute path, or trust the workspace"}
	case e.SolcDir == "":
		return filepath.Abs(e.Solc)
	}
	return filepath.Join(e.SolcDir, e.Solc), nil
}

func (e Env) timeout() time.Duration {
	if e.Timeout > 0 {
		return e.Timeout
	}
	return 2 * time.Minute
}
