package solc

import (
	"path/filepath"
	"runtime"
	"time"
)

// An Env is what a Toolchain may know of the machine and its user. The command
// fills it in; this package never reads the environment. Empty fields switch
// off what depends on them.
type Env struct {
	Solc      string         // compiler named by the user: a binary, an npm package or a soljson.js; looked at first and alone
	Home      string         // the user's home directory
	Path      string         // list of directories to search for solc and node
	CacheDir  string         // the user's cache directory; compiled output goes to leveret/ below it
	ToolDirs  []string       // Leveret's own tool folders: compilers in node_modules below them
	Profile   string         // of foundry.toml; empty: default
	Foundry   map[string]any // keys of foundry.toml that the user's environment overrides
	Untrusted bool           // run no program and no script that the project brings along

	Timeout   time.Duration // of one compiler run; 0 means two minutes
	CacheSize int64         // bytes of compiled output to keep on disk; 0 means 256 MiB
}

// EnvFrom reads an Env from environment variables. LEVERET_TOOLS names further
// tool folders, as a list like PATH.
func EnvFrom(getenv func(string) string) Env {
	env := Env{
		Home:     getenv("HOME"),
		Path:     getenv("PATH"),
		CacheDir: getenv("XDG_CACHE_HOME"),
		Profile:  getenv("FOUNDRY_PROFILE"),
		ToolDirs: filepath.SplitList(getenv("LEVERET_TOOLS")),
		Foundry:  foundryOverrides(getenv),
	}
	if env.Home == "" {
		env.Home = getenv("USERPROFILE")
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

// CompilerDir is the folder that compilers are installed in on demand; empty
// without a cache directory.
func (e Env) CompilerDir() string {
	if e.CacheDir == "" {
		return ""
	}
	return filepath.Join(e.CacheDir, "leveret", "compilers")
}

// HasNode reports whether compilers in JavaScript can run.
func (e Env) HasNode() bool { return lookPath(e.Path, "node") != "" }

func (e Env) timeout() time.Duration {
	if e.Timeout > 0 {
		return e.Timeout
	}
	return 2 * time.Minute
}
