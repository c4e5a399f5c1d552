package server

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"leveret/engine"
	"leveret/engine/finding"
	"leveret/lsp/session"
	"leveret/solc"
)

// A ledger counts compilations and campaigns by file.
type ledger struct {
	mu               sync.Mutex
	compiled, fuzzed map[string]int // by file name
	importers        int            // number of searches for importers
}

func (l *ledger) watch(config Config) Config {
	compile, fuzz := config.Session.Compiler.Compile, config.Session.Engine.Fuzz
	l.compiled, l.fuzzed = map[string]int{}, map[string]int{}
	config.Session.Compiler.Compile = func(ctx context.Context, source session.SourceFile) (*solc.Build, error) {
		l.mu.Lock()
		l.compiled[filepath.Base(source.File)]++
		l.mu.Unlock()
		return compile(ctx, source)
	}
	config.Session.Engine.Fuzz = func(ctx context.Context, c *solc.Contract, project []*solc.Contract, o engine.Options) (*finding.Result, error) {
		l.mu.Lock()
		l.fuzzed[filepath.Base(c.File)]++
		l.mu.Unlock()
		return fuzz(ctx, c, project, o)
	}
	config.Session.Compiler.Importers = func(source session.SourceFile) []string {
		l.mu.Lock()
		l.importers++
		l.mu.Unlock()
		var all []string
		for i := range workspaceFiles {
			all = append(all, filepath.Join(source.Root, fmt.Sprintf("F%d.sol", i)))
		}
		return all // each file imports all others
	}
	return config
}

func (l *ledger) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return fmt.Sprintf("compiled %v, fuzzed %v", l.compiled, l.fuzzed)
}

func (l *ledger) names() (compiled, fuzzed int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.compiled), len(l.fuzzed)
}

// of returns how often a file was compiled and fuzzed.
func (l *ledger) of(name string) (compiled, fuzzed int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.compiled[name], l.fuzzed[name]
}

const workspaceFiles = 500

// large opens a workspace of many files and none of the files.
func large(t *testing.T, l *ledger, text func(i int) string) *editor {
	w := new(workshop)
	config := l.watch(w.config(""))
	config.Session.Coalesce = time.Millisecond
	e := connect(t, config)
	for i := range workspaceFiles {
		e.write(fmt.Sprintf("F%d.sol", i), text(i))
	}
	e.start(allCapabilities, `{"notifications":true,"idle":false}`)
	return e
}

// In a large workspace the server compiles and fuzzes open files only and,
// after a save, a few files that import the saved one.
func TestLargeWorkspace(t *testing.T) {
	l := new(ledger)
	e := large(t, l, func(int) string { return "contract\n" })
	e.until("idle", e.calm)
	if compiled, fuzzed := l.names(); compiled+fuzzed > 0 {
		t.Errorf("before anything is open: %v", l)
	}
	e.open("F7.sol", "contract\nbug x\n")
	e.until("the finding", func() bool { return len(e.found("F7.sol")) == 1 })
	e.until("idle", e.calm)
	compiled, fuzzed := l.names()
	if _, own := l.of("F7.sol"); compiled != 1 || fuzzed != 1 || own != 1 {
		t.Errorf("with one file open: %v", l)
	}
	e.open("F8.sol", "contract\nbug y\n")
	e.until("the finding", func() bool { return len(e.found("F8.sol")) == 1 })
	e.until("idle", e.calm)
	compiled, fuzzed = l.names()
	if other, _ := l.of("F7.sol"); compiled != 2 || fuzzed != 2 || other != 1 {
		t.Errorf("with two files open: %v", l)
	}
	e.save("F7.sol", 2, "contract\n\nbug x\n")
	e.until("it moved", func() bool { return len(e.found("F7.sol")) == 1 && e.found("F7.sol")[0].Range.Start.Line == 2 })
	e.until("idle", e.calm)
	compiled, fuzzed = l.names()
	if other, _ := l.of("F8.sol"); compiled > 2+8 || fuzzed > 2+8 || other != 1 {
		t.Errorf("after a save: %v", l)
	}
}

// Closing a file frees its memory: the open files bound memory, not all files
// that were ever open.
func TestClosedFilesAreFreed(t *testing.T) {
	l := new(ledger)
	const kilobyte = 1 << 10
	text := "contract\n" + strings.Repeat("// "+strings.Repeat("x", kilobyte-4)+"\n", 256)
	e := large(t, l, func(int) string { return "contract\n" })
	visit := func(from, to int) {
		for i := from; i < to; i++ {
			name := fmt.Sprintf("F%d.sol", i)
			e.open(name, text)
			e.until(name, func() bool { return strings.Contains(string(e.mail.Custom("leveret/symbolStatus")), name) })
			e.close(name)
		}
		e.until("idle", e.calm)
	}
	visit(0, 20)
	before := heap()
	visit(20, 120)
	// 100 files of 256 KB take 25 MB, and as much again for their texts, lines
	// and builds.
	if after := heap(); after > before+10<<20 {
		t.Errorf("the heap grew from %d to %d MB", before>>20, after>>20)
	}
}

func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
