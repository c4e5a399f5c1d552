// Package compiler finds Solidity compilers on the machine, native and in
// JavaScript, runs them on standard JSON, and caches their output.
//
// It knows no projects: callers resolve imports and choose the compiler.
package compiler

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"leveret/solc"
	"leveret/solc/trust"
)

// maxWorkers bounds how many idle compilers stay loaded; each takes 100 to
// 500 MB.
const maxWorkers = 3

// A Toolchain finds compilers, keeps them loaded and caches their output.
// Projects share it. It is safe for concurrent use. Close ends its processes.
type Toolchain struct {
	*base
	trees astCache
	most  int // idle compilers that stay loaded

	mu      sync.Mutex
	runners []pooled // most recently used last
}

// A base is what toolchains beside each other share.
type base struct {
	env   Env
	store *store

	known   sync.Mutex                // locks the fields below
	roots   []string                  // of the projects and workspaces that were opened
	found   map[string][]Installation // by project root
	printed map[string]printed        // by command line
}

type pooled struct {
	path string
	*worker
}

// NewToolchain returns a toolchain for a machine. It starts nothing.
func NewToolchain(env Env) *Toolchain {
	b := &base{env: env, store: newStore(env), found: map[string][]Installation{}, printed: map[string]printed{}}
	return &Toolchain{base: b, most: maxWorkers}
}

// Beside returns a toolchain that knows and caches the same, but has processes of its
// own, and keeps one of them loaded. Its compilations do not delay those of t.
func (t *Toolchain) Beside() *Toolchain { return &Toolchain{base: t.base, most: 1} }

// Close ends all compiler processes and waits for pending writes to the cache.
func (t *Toolchain) Close() error {
	t.Restart()
	t.store.wait()
	t.trees.wait()
	return nil
}

// Restart ends all compiler processes and drops the lists of compilers, so that
// the next compilation looks for compilers again.
func (t *Toolchain) Restart() {
	t.known.Lock()
	clear(t.found)
	t.known.Unlock()
	t.Stop()
}

// Stop ends all compiler processes. The next compilation starts new ones.
func (t *Toolchain) Stop() {
	t.mu.Lock()
	old := t.runners
	t.runners = nil
	t.mu.Unlock()
	for _, r := range old {
		r.close()
	}
}

// Installations returns the compilers that a project rooted in dir may use,
// best first. The list is cached until Restart or Forget.
func (t *Toolchain) Installations(ctx context.Context, dir string) ([]Installation, error) {
	if t.env.Solc != "" {
		env := t.env
		env.Path = t.searchPath()
		path, err := env.named()
		if err != nil {
			return nil, err
		}
		i, err := Named(ctx, path)
		return []Installation{i}, err
	}
	t.known.Lock()
	list, ok := t.found[dir]
	t.known.Unlock()
	if ok {
		return list, nil
	}
	list = t.find(ctx, dir)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if len(list) > 0 {
		t.known.Lock()
		t.found[dir] = list
		t.known.Unlock()
	}
	return list, nil
}

// find looks for compilers. In an untrusted project it skips programs on the
// PATH that lie in the project.
func (t *Toolchain) find(ctx context.Context, dir string) []Installation {
	env := t.env
	env.Path = t.searchPath()
	return Find(ctx, env, dir)
}

// AddRoots notes the folders of a project that was opened. In an untrusted
// workspace no program in them is run.
func (t *Toolchain) AddRoots(roots ...string) {
	t.known.Lock()
	defer t.known.Unlock()
	for _, root := range roots {
		if root != "" && !slices.Contains(t.roots, root) {
			t.roots = append(t.roots, root)
		}
	}
}

// Env returns what the toolchain was made with.
func (t *Toolchain) Env() Env { return t.env }

// Node returns the path of node on the PATH. It is empty if there is none that
// may be run.
func (t *Toolchain) Node() string { return LookPath(t.searchPath(), "node") }

// searchPath returns the PATH. In an untrusted workspace it leaves out folders in
// the workspace, as `npm run` and direnv add them.
func (t *Toolchain) searchPath() string {
	if !t.env.Untrusted {
		return t.env.Path
	}
	t.known.Lock()
	roots := slices.Clone(t.roots)
	t.known.Unlock()
	return trust.ProgramDirs(t.env.Path, t.env.Home, roots)
}

// Forget drops the list of compilers that a project rooted in dir may use, so
// that Installations looks again.
func (t *Toolchain) Forget(dir string) {
	t.known.Lock()
	defer t.known.Unlock()
	delete(t.found, dir)
}

// execute runs a compiler on standard JSON.
func (t *Toolchain) execute(ctx context.Context, with Installation, input []byte) ([]byte, error) {
	output, err := t.run(ctx, with, input)
	switch {
	case err == nil:
	case ctx.Err() != nil || errors.As(err, new(*solc.Failure)):
		return nil, err
	case errors.Is(err, errTimeout):
		return nil, &solc.Failure{Kind: solc.CompilerTimeout, Sentence: fmt.Sprintf("%s did not finish within %v", with, t.env.timeout()),
			Remedy: "compile less at once, or switch off viaIR"}
	case errors.Is(err, errMemory):
		return nil, &solc.Failure{Kind: solc.CompilerFailed, Sentence: fmt.Sprintf("%s ran out of memory", with),
			Remedy: fmt.Sprintf("run leveret solc install %s for a native compiler, which may use more, or compile less at once", with.Version)}
	case errors.Is(err, errBrokeDown): // soljson breaks down on inputs that the native compiler of the same version takes
		return nil, &solc.Failure{Kind: solc.CompilerFailed, Sentence: fmt.Sprintf("%s failed: %v", with, err),
			Remedy: fmt.Sprintf("run leveret solc install %s for a native compiler, or compile less at once", with.Version)}
	default:
		return nil, &solc.Failure{Kind: solc.CompilerFailed, Sentence: fmt.Sprintf("%s failed: %v", with, err),
			Remedy: "try another version, or install this one again"}
	}
	return output, nil
}

// run runs a compiler. It tries again if another request stopped the compiler.
func (t *Toolchain) run(ctx context.Context, with Installation, input []byte) ([]byte, error) {
	var output []byte
	var err error
	for range 3 {
		var r runner
		if r, err = t.runner(with); err != nil {
			return nil, err
		}
		if output, err = r.run(ctx, input); !errors.Is(err, errWorkerStopped) {
			break
		}
	}
	return output, err
}

// runner returns the runner of an installation. It may not have started yet.
func (t *Toolchain) runner(with Installation) (runner, error) {
	if !with.Node {
		return &native{path: with.Path, timeout: t.env.timeout()}, nil
	}
	node := t.Node()
	if node == "" {
		return nil, &solc.Failure{Kind: solc.NoNode, Sentence: fmt.Sprintf("%s needs node, which is not on the PATH", with),
			Remedy: "install Node.js, or a native solc"}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for i, r := range t.runners {
		if r.path == with.Path {
			t.runners = append(slices.Delete(t.runners, i, i+1), r)
			return r, nil
		}
	}
	if len(t.runners) >= t.most {
		if i := slices.IndexFunc(t.runners, func(r pooled) bool { return r.closeIdle() }); i >= 0 {
			t.runners = slices.Delete(t.runners, i, i+1)
		}
	}
	r := pooled{with.Path, newWorker(node, with.Path, t.env.timeout())}
	t.runners = append(t.runners, r)
	return r, nil
}
