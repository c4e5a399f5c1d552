// Package session is the state of the language server: open documents, builds,
// campaigns and findings. A save runs the pipeline; all other packages read
// immutable Snapshots.
//
// It knows no LSP types and calls no client: Config.Changed signals that there
// is a new Snapshot.
package session

import (
	"context"
	"time"

	"go.uber.org/zap"

	"leveret/engine"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/lsp/settings"
	"leveret/solc"
	"leveret/solc/compiler"
	"leveret/solc/srcmap"
	"leveret/solc/trust"
)

// Config configures a Session. All fields are optional.
type Config struct {
	Compiler Compiler
	Engine   Engine

	// Test returns the text old, which may be empty, with a regression test for
	// a finding added.
	Test func(old []byte, f *finding.Finding, contract *solc.Contract) ([]byte, error)
	// Doctor describes the set-up for a file. By default, package doctor does.
	Doctor func(context.Context, SourceFile) string
	// Install downloads a compiler, for example "0.8.30", for all projects of
	// the user, and reports progress in a few words. The session calls it only
	// if the user requested the download.
	Install func(ctx context.Context, version string, progress func(string)) error

	Oracles  []Oracle
	Version  string // of Leveret, for the doctor's report
	Cache    string // directory of corpora and traces; empty: nothing is kept on disk
	Changed  func() // called after each new Snapshot; must return quickly
	Log      *zap.Logger
	Now      func() time.Time
	Sleep    func(context.Context, time.Duration)
	Held     bool          // do nothing before Begin, because the settings are unknown
	Coalesce time.Duration // saves within this time are one; 0 means 50 ms
}

// A Compiler compiles files. Without Compile, it is the installed compilers
// that Env finds.
type Compiler struct {
	Env     compiler.Env
	Compile func(context.Context, SourceFile) (*solc.Build, error)
	Restart func()       // restarts running compilers
	Close   func() error // called once

	// Importers lists the files of a project that may import a file. Without
	// it, a given Compile has none.
	Importers func(SourceFile) []string
}

// A RunFunc has the contract of engine.Run.
type RunFunc func(ctx context.Context, contract *solc.Contract, project []*solc.Contract, options engine.Options) (*finding.Result, error)

// An Engine runs campaigns. Without Fuzz, it is package engine.
type Engine struct {
	Fuzz    RunFunc // engine.Run
	Recheck RunFunc // engine.Recheck; nil: Fuzz, which starts with the known findings
	// Replay executes a witness on another build of its contract and returns what
	// it shows, as engine.Replay does. Nil: findings are not checked on the
	// project's own build.
	Replay func(ctx context.Context, witness input.Sequence, contract *solc.Contract, project []*solc.Contract, out engine.Outside) (*finding.Result, error)
	// Trace returns a readable call trace of a finding's witness.
	Trace func(ctx context.Context, f *finding.Finding, contract *solc.Contract, project []*solc.Contract, out engine.Outside) ([]TraceLine, error)

	MaxInputs int           // limit of inputs for each campaign; 0: no limit
	Patience  time.Duration // wait for a campaign that does not end in time; 0 means 10 s
}

// An Oracle is the documentation of an oracle.
type Oracle struct {
	Name  string
	Title string
	Doc   string // markdown
	URL   string
}

// A SourceFile is a file to compile, with its surroundings.
type SourceFile struct {
	Root     string            // workspace folder, absolute; empty if the file is in none
	File     string            // absolute
	Overlay  map[string][]byte // texts of open buffers by absolute path
	Settings settings.Settings
	// Own requests the project's own settings whatever Settings say. The
	// compilation runs apart from others, so that these need not wait for it.
	Own bool
	// Aside requests that the compilation runs apart from others, too: a save may
	// interrupt it, and must find a compiler that is loaded.
	Aside bool
}

func (c *Config) fill() {
	if c.Doctor == nil {
		c.Doctor = c.doctor
	}
	c.Compiler.fill()
	c.Engine.fill()
	if c.Changed == nil {
		c.Changed = func() {}
	}
	if c.Log == nil {
		c.Log = zap.NewNop()
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Sleep == nil {
		c.Sleep = sleep
	}
	if c.Coalesce == 0 {
		c.Coalesce = 50 * time.Millisecond
	}
}

func (c *Compiler) fill() {
	if c.Compile == nil {
		t := &toolchains{env: c.Env}
		c.Compile, c.Restart, c.Close, c.Importers = t.compile, t.restart, t.close, t.importers
	}
	if c.Restart == nil {
		c.Restart = func() {}
	}
	if c.Close == nil {
		c.Close = func() error { return nil }
	}
	if c.Importers == nil {
		c.Importers = func(SourceFile) []string { return nil }
	}
}

func (e *Engine) fill() {
	if e.Fuzz == nil {
		e.Fuzz, e.Recheck = engine.Run, engine.Recheck
		if e.Replay == nil {
			e.Replay = engineReplay
		}
		if e.Trace == nil {
			e.Trace = engineTrace
		}
	}
	if e.Recheck == nil {
		e.Recheck = e.Fuzz
	}
	if e.Patience == 0 {
		e.Patience = defaultPatience
	}
}

// ReadSettings reads the settings file of a workspace folder. The file of an
// untrusted folder must not lead outside by a link.
func ReadSettings(folder, name string, trusted bool) ([]byte, error) {
	return trust.ReadWorkspaceFile(folder, name, trusted)
}

func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// Positions in texts, for packages that only pass them on.
type (
	Encoding = srcmap.Encoding // the negotiated unit of columns
	Point    = srcmap.Point
	Span     = srcmap.Span
)

// The encodings.
const (
	UTF8  = srcmap.UTF8
	UTF16 = srcmap.UTF16
)
