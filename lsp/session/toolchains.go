package session

import (
	"context"
	"errors"
	"path/filepath"
	"sync"

	"leveret/solc"
	"leveret/solc/compiler"
	"leveret/solc/project"
)

// toolchains compiles with the installed compilers. It has a toolchain for
// each pair of compiler and trust in the folders' settings, and others for the
// projects' own builds.
type toolchains struct {
	env   compiler.Env
	index importIndex
	fast  project.Fast

	mu   sync.Mutex
	open map[choice]*compiler.Toolchain
}

type choice struct {
	solc    string
	trusted bool
	own     bool
}

func (t *toolchains) compile(ctx context.Context, source SourceFile) (*solc.Build, error) {
	// Reading the project's small configuration each time is simpler than
	// detecting changes.
	tools := t.toolchain(source)
	p, err := project.OpenIn(tools, source.Root, source.File, source.Overlay)
	if err != nil {
		return nil, err
	}
	if source.Own {
		defer tools.Stop() // an own build is rare, and must not run on after it was cancelled
	} else if source.Settings.Fast {
		p.Fast = &t.fast
	}
	return p.Compile(ctx, []string{source.File}, source.Overlay)
}

func (t *toolchains) toolchain(source SourceFile) *compiler.Toolchain {
	with := choice{source.Settings.SolcPath, source.Settings.Trusted, source.Own}
	if compiler.IsRelative(with.solc) && with.trusted {
		with.solc = filepath.Join(source.Root, with.solc)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if chain := t.open[with]; chain != nil {
		return chain
	}
	env := t.env
	if with.solc != "" {
		env.Solc = with.solc
	}
	env.Untrusted = !with.trusted
	if t.open == nil {
		t.open = map[choice]*compiler.Toolchain{}
	}
	t.open[with] = compiler.NewToolchain(env)
	return t.open[with]
}

func (t *toolchains) all() []*compiler.Toolchain {
	t.mu.Lock()
	defer t.mu.Unlock()
	var list []*compiler.Toolchain
	for _, chain := range t.open {
		list = append(list, chain)
	}
	return list
}

func (t *toolchains) restart() {
	t.fast.Forget()
	for _, chain := range t.all() {
		chain.Restart()
	}
}

func (t *toolchains) close() error {
	var err error
	for _, chain := range t.all() {
		err = errors.Join(err, chain.Close())
	}
	return err
}
