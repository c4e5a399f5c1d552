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

// toolchains compiles with the installed compilers, for each pair of compiler and
// trust in the folders' settings.
type toolchains struct {
	env   compiler.Env
	index importIndex
	fast  project.Fast

	mu   sync.Mutex
	open map[choice]*trio
}

type choice struct {
	solc    string
	trusted bool
}

// A trio is toolchains beside each other, so that no compilation which a save
// interrupts holds the compiler that the saved file needs.
type trio struct {
	first *compiler.Toolchain
	aside *compiler.Toolchain // for files that are not open
	own   *compiler.Toolchain // for the projects' own builds
}

func (l *trio) each() []*compiler.Toolchain {
	return []*compiler.Toolchain{l.own, l.aside, l.first}
}

func (t *toolchains) compile(ctx context.Context, source SourceFile) (*solc.Build, error) {
	three := t.trio(source)
	tools := three.first
	switch {
	case source.Own:
		tools = three.own
		defer tools.Stop() // an own build is rare
	case source.Aside:
		tools = three.aside
		defer context.AfterFunc(ctx, tools.Stop)() // the compiler must not run on beside what interrupts it
	}
	// Reading the project's small configuration each time is simpler than
	// detecting changes.
	p, err := project.OpenIn(tools, source.Root, source.File, source.Overlay)
	if err != nil {
		return nil, err
	}
	if source.Settings.Fast && !source.Own {
		p.Fast = &t.fast
	}
	return p.Compile(ctx, []string{source.File}, source.Overlay)
}

func (t *toolchains) trio(source SourceFile) *trio {
	with := choice{source.Settings.SolcPath, source.Settings.Trusted}
	if compiler.IsRelative(with.solc) && with.trusted {
		with.solc = filepath.Join(source.Root, with.solc)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if known := t.open[with]; known != nil {
		return known
	}
	env := t.env
	if with.solc != "" {
		env.Solc = with.solc
	}
	env.Untrusted = !with.trusted
	if t.open == nil {
		t.open = map[choice]*trio{}
	}
	first := compiler.NewToolchain(env)
	t.open[with] = &trio{first: first, aside: first.Beside(), own: first.Beside()}
	return t.open[with]
}

func (t *toolchains) all() []*compiler.Toolchain {
	t.mu.Lock()
	defer t.mu.Unlock()
	var list []*compiler.Toolchain
	for _, l := range t.open {
		list = append(list, l.each()...)
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
