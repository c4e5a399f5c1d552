// Package session is the state of the language server: what the editor holds,
// what was compiled of it, what is running, and what was found. A save goes
// through its pipeline; everybody else reads immutable Snapshots.
//
// It knows no LSP types and writes to no client: who presents a Snapshot is
// told that there is a new one.
package session

import (
	"context"
	"time"

	"go.uber.org/zap"

	"leveret/engine"
	"leveret/engine/finding"
	"leveret/lsp/settings"
	"leveret/solc"
	"leveret/solc/compiler"
	"leveret/solc/srcmap"
	"leveret/solc/trust"
)

// Config is what a Session is made of. Everything may be left out: without
// Compile, the compilers of Env are used, without Fuzz, the engine.
type Config struct {
	Env     compiler.Env
	Compile func(context.Context, Source) (*solc.Build, error)
	Restart func()       // the compiler
	Close   func() error // the compiler; called once

	// Importers lists the files of a project that may import a file, by a look
	// at what is on the disk. Without it, and with Compile, there are none.
	Importers func(Source) []string

	// Fuzz is engine.Run.
	Fuzz func(ctx context.Context, contract *solc.Contract, project []*solc.Contract, options engine.Options) (*finding.Result, error)

	// Trace renders a finding's witness as a readable call trace. Without it,
	// and with the real engine, engine.Trace does.
	Trace func(ctx context.Context, f *finding.Finding, contract *solc.Contract, project []*solc.Contract) (string, error)
	// Test returns the text old, which may be empty, with a regression test for
	// a finding in it. The root of the project is absolute.
	Test func(root string, old []byte, f *finding.Finding, contract *solc.Contract) ([]byte, error)
	// Doctor reports on the project of a path. Without it, package doctor does.
	Doctor func(context.Context, Source) string
	// Install downloads a compiler, "0.8.30", for all the user's projects. It is
	// called only if the user asked for it, and tells in a few words how far it
	// is. Without it nothing is offered.
	Install func(ctx context.Context, version string, progress func(string)) error
	// Oracles are the oracles there are.
	Oracles []Oracle

	Version string // of Leveret, for the doctor's report
	Cache   string // directory of corpus and traces; empty: keep nothing on disk
	Changed func() // there is a new Snapshot; must be quick
	Log     *zap.Logger
	Now     func() time.Time
	Sleep   func(context.Context, time.Duration)

	Inputs   int           // that a campaign may try, however much time it has; 0: no bound
	Held     bool          // nothing is done before Begin: the settings are not known yet
	Coalesce time.Duration // saves closer than this are one; 0 means 50 ms
	Poll     time.Duration // how often watched files are looked at; 0 means 2 s
	Patience time.Duration // for a campaign that does not end; 0 means 10 s
}

// An Oracle is what is to be told about one.
type Oracle struct {
	Name  string
	Title string
	Doc   string // markdown
	URL   string
}

// A Source is a file to compile.
type Source struct {
	Root     string            // workspace folder, absolute; empty if the file is in none
	File     string            // absolute
	Overlay  map[string][]byte // texts of open buffers by absolute path
	Settings settings.Settings
}

func (c *Config) fill() {
	if c.Doctor == nil {
		c.Doctor = c.doctor
	}
	if c.Compile == nil {
		t := &toolchains{env: c.Env}
		c.Compile, c.Restart, c.Close, c.Importers = t.compile, t.restart, t.close, t.importers
	}
	if c.Fuzz == nil {
		c.Fuzz = engine.Run
		if c.Trace == nil {
			c.Trace = engineTrace
		}
	}
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
	if c.Poll == 0 {
		c.Poll = 2 * time.Second
	}
	if c.Patience == 0 {
		c.Patience = defaultPatience
	}
}

// ReadSettings reads the file with the settings of a workspace folder, which
// must not lead outside of one that is not trusted.
func ReadSettings(folder, name string, trusted bool) ([]byte, error) {
	return trust.ReadWorkspaceFile(folder, name, trusted)
}

func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// What places in texts are made of, for those who only pass them on.
type (
	Encoding = srcmap.Encoding // the unit of columns that client and server agreed on
	Point    = srcmap.Point
	Span     = srcmap.Span
)

// The encodings.
const (
	UTF8  = srcmap.UTF8
	UTF16 = srcmap.UTF16
)
