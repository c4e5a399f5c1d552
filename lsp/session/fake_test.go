package session

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"leveret/engine"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/lsp/settings"
	"leveret/solc"
	"leveret/solc/srcmap"
)

// A lab is a session with a fake compiler and engine that a test controls. In
// its language "contract X" declares a contract, "import F" imports a file,
// "bug N" is a finding, "check N" the assertion of which it speaks, "error" does not compile, and "//" starts a comment. A
// contract's code is the text of its file and its imports without comments.
type lab struct {
	*Session
	t       testing.TB
	dir     string
	changed chan struct{}

	mu       sync.Mutex
	compiled []string // files, in order
	runs     []run    // campaigns, in order
	orders   orders
}

// orders control the next compilations and campaigns.
type orders struct {
	hold             chan struct{}                    // campaigns wait for it unless it is nil
	found            bool                             // campaigns report findings before they wait
	stats            func(campaign int) finding.Stats // of the n-th campaign; nil: zero
	note             string                           // of every campaign
	compiler, fuzzer func()                           // called when a compilation or campaign starts
	fails            error                            // of every campaign
	shrunk           chan struct{}                    // findings are found with long witnesses, and shrunk when it is closed; nil: at once
}

// order changes what the compiler and the engine do.
func (l *lab) order(f func(*orders)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	f(&l.orders)
}

// hold makes campaigns wait for the channel; nil: they do not wait.
func (l *lab) hold(c chan struct{}) { l.order(func(o *orders) { o.hold = c }) }

type run struct {
	contract string
	text     string // of its file
	options  engine.Options
	recheck  bool // of known findings only
	done     bool // it was not cancelled before its end
}

func newLab(t testing.TB, tune ...func(*Config)) *lab {
	l := &lab{t: t, dir: t.TempDir(), changed: make(chan struct{}, 1)}
	config := Config{
		Compiler: Compiler{Compile: l.compile},
		Engine:   Engine{Fuzz: l.fuzz, Recheck: l.recheck},
		Coalesce: time.Millisecond,
		Changed: func() {
			select {
			case l.changed <- struct{}{}:
			default:
			}
		},
	}
	for _, f := range tune {
		f(&config)
	}
	l.Session = New(config)
	t.Cleanup(l.Session.Close)
	l.set(func(s *settings.Settings) { s.Idle = false })
	return l
}

func (l *lab) set(f func(*settings.Settings)) {
	s := l.Snapshot().Settings
	f(&s)
	l.Configure(s, []Folder{{Path: l.dir, Settings: s}})
}

func (l *lab) path(name string) string { return filepath.Join(l.dir, name) }

func (l *lab) write(name, text string) {
	l.t.Helper()
	if err := os.WriteFile(l.path(name), []byte(text), 0o600); err != nil {
		l.t.Fatal(err)
	}
}

func (l *lab) open(name, text string) {
	l.t.Helper()
	l.write(name, text)
	l.Open("file://"+l.path(name), l.path(name), 1, text)
}

// edit replaces the whole text, as in a full document sync.
func (l *lab) edit(name, text string) {
	l.t.Helper()
	d := l.Snapshot().Documents[l.path(name)]
	if err := l.Change(l.path(name), d.Version+1, []TextChange{{Whole: true, Text: text}}); err != nil {
		l.t.Fatal(err)
	}
}

func (l *lab) save(name, text string) {
	l.t.Helper()
	l.edit(name, text)
	l.write(name, text)
	l.Save(l.path(name))
}

// until waits until ok holds for the Snapshot.
func (l *lab) until(what string, ok func(*Snapshot) bool) *Snapshot {
	l.t.Helper()
	deadline := time.After(2 * time.Minute) // only a test that fails waits so long
	for {
		s := l.Snapshot()
		if ok(s) {
			return s
		}
		select {
		case <-l.changed:
		case <-time.After(50 * time.Millisecond):
		case <-deadline:
			l.t.Fatalf("never: %s\nactivity %+v\nruns %d", what, s.Activity, len(l.ran()))
		}
	}
}

// campaign waits for the start of the n-th campaign.
func (l *lab) campaign(n int) {
	l.t.Helper()
	l.until("a campaign", func(*Snapshot) bool { return len(l.ran()) == n })
}

// rest waits until the session is idle.
func (l *lab) rest() *Snapshot {
	l.t.Helper()
	return l.until("idle", func(s *Snapshot) bool { return l.resting() && s.Activity.Kind == Resting })
}

func (l *lab) resting() bool {
	l.queue.mu.Lock()
	defer l.queue.mu.Unlock()
	if l.queue.cancel != nil || len(l.queue.waiting) > 0 {
		return false
	}
	for _, a := range l.Snapshot().Analyses {
		if a.Phase != Ready {
			return false
		}
	}
	return true
}

func (l *lab) ran() []run {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.runs)
}

func (l *lab) compilations() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.compiled)
}

var (
	contractWord = regexp.MustCompile(`(?m)^contract (\w+)`)
	importWord   = regexp.MustCompile(`(?m)^import (\S+)`)
	comment      = regexp.MustCompile(`//.*`)
	bugWord      = regexp.MustCompile(`bug (\w+)`)
	checkWord    = regexp.MustCompile(`check (\w+)`)
)

func (l *lab) compile(ctx context.Context, source SourceFile) (*solc.Build, error) {
	l.mu.Lock()
	l.compiled = append(l.compiled, filepath.Base(source.File))
	broken := l.orders.compiler
	l.mu.Unlock()
	if broken != nil {
		broken()
	}
	b := &solc.Build{}
	if err := l.gather(b, source, source.File); err != nil {
		return nil, err
	}
	var code strings.Builder
	for _, s := range b.Sources {
		code.Write(comment.ReplaceAll(s.Text, nil))
	}
	for _, s := range b.Sources {
		for _, m := range contractWord.FindAllSubmatch(s.Text, -1) {
			b.Contracts = append(b.Contracts, &solc.Contract{
				Name: string(m[1]), File: s.Name, Kind: solc.KindContract, Build: b,
				Creation: solc.Code{Object: []byte(code.String())},
			})
		}
	}
	return b, nil
}

func (l *lab) gather(b *solc.Build, source SourceFile, path string) error {
	if b.PathSource(path) != nil {
		return nil
	}
	text, ok := source.Overlay[path]
	if !ok {
		var err error
		if text, err = os.ReadFile(path); err != nil {
			return &solc.Failure{Kind: solc.ImportNotFound, File: source.File, Line: 1, Tried: []string{path}}
		}
	}
	if strings.Contains(string(text), "error") {
		return &solc.Failure{Kind: solc.CompileError, File: path, Line: 1, Sentence: "this is wrong"}
	}
	b.Sources = append(b.Sources, &solc.Source{ID: len(b.Sources), Name: filepath.Base(path), Path: path, Text: text})
	for _, m := range importWord.FindAllSubmatch(text, -1) {
		if err := l.gather(b, source, filepath.Join(filepath.Dir(path), string(m[1]))); err != nil {
			return err
		}
	}
	return nil
}

// bugs returns the findings in the sources of a contract.
func bugs(c *solc.Contract) map[string]*finding.Finding {
	found := map[string]*finding.Finding{}
	for _, s := range c.Build.Sources {
		for _, m := range bugWord.FindAllSubmatchIndex(comment.ReplaceAllFunc(s.Text, func(b []byte) []byte {
			return []byte(strings.Repeat(" ", len(b)))
		}), -1) {
			id := string(s.Text[m[2]:m[3]])
			found[id] = &finding.Finding{
				ID: c.Name + ":" + id, Oracle: "assertion", Severity: finding.Error, Message: "bug " + id, Contract: c.Name,
				Place:   finding.Place{File: s.Name, Path: s.Path, Span: srcmap.Span{Source: s.ID, Start: m[0], Length: m[1] - m[0]}},
				Witness: input.Sequence{Txs: []input.Tx{{Data: []byte(id)}}},
			}
		}
	}
	for _, s := range c.Build.Sources {
		for _, m := range checkWord.FindAllSubmatchIndex(s.Text, -1) {
			if f := found[string(s.Text[m[2]:m[3]])]; f != nil {
				at := finding.Place{File: s.Name, Path: s.Path, Span: srcmap.Span{Source: s.ID, Start: m[0], Length: m[1] - m[0]}}
				f.Related = append(f.Related, finding.Related{Place: at, Asserts: true})
			}
		}
	}
	return found
}

func (l *lab) fuzz(ctx context.Context, c *solc.Contract, _ []*solc.Contract, o engine.Options) (*finding.Result, error) {
	return l.execute(ctx, c, o, false)
}

func (l *lab) recheck(ctx context.Context, c *solc.Contract, _ []*solc.Contract, o engine.Options) (*finding.Result, error) {
	return l.execute(ctx, c, o, true)
}

func (l *lab) execute(ctx context.Context, c *solc.Contract, o engine.Options, recheck bool) (*finding.Result, error) {
	l.mu.Lock()
	at := len(l.runs)
	l.runs = append(l.runs, run{contract: c.Name, text: string(c.Build.Source(c.File).Text), options: o, recheck: recheck})
	orders := l.orders
	l.mu.Unlock()
	if orders.fuzzer != nil {
		orders.fuzzer()
	}
	if orders.fails != nil {
		return nil, orders.fails
	}
	var stats finding.Stats
	if orders.stats != nil {
		stats = orders.stats(at + 1)
	}

	there := bugs(c)
	for i, k := range o.Known {
		if there[string(k.Txs[0].Data)] == nil {
			o.Observe(engine.Event{Kind: engine.EventGone, Index: i, Contract: c})
		}
	}
	result := &finding.Result{Name: c.Name, File: c.File, Stats: stats, Note: orders.note}
	tell := func() {
		for _, id := range slices.Sorted(maps.Keys(there)) {
			first := *there[id]
			if orders.shrunk != nil {
				first.Message += " at length"
			}
			o.Observe(engine.Event{Kind: engine.EventFound, Contract: c, Finding: &first})
			if orders.shrunk != nil {
				<-orders.shrunk
				o.Observe(engine.Event{Kind: engine.EventShrunk, Contract: c, Finding: there[id]})
			}
			result.Findings = append(result.Findings, *there[id])
		}
	}
	if recheck {
		return result, ctx.Err()
	}
	if orders.found {
		tell()
	}
	if orders.hold != nil {
		select {
		case <-orders.hold:
		case <-ctx.Done():
			return result, nil
		}
	}
	if ctx.Err() != nil {
		return result, nil
	}
	if !orders.found {
		tell()
	}
	o.Observe(engine.Event{Kind: engine.EventDone, Contract: c, Stats: stats})
	l.mu.Lock()
	l.runs[at].done = true
	l.mu.Unlock()
	return result, nil
}

// marks returns the marks in a file as "line id", with a star if stale.
func marks(s *Snapshot, path string) []string {
	list := []string{}
	for _, m := range s.Marks(path) {
		stale := ""
		if m.Stale {
			stale = "*"
		}
		line := s.Documents[path].Lines.OffsetPosition(m.Span.Start).Line
		list = append(list, fmt.Sprintf("%d %s%s", line, m.Finding.ID, stale))
	}
	slices.Sort(list)
	return list
}

func (l *lab) wantMarks(name string, want ...string) {
	l.t.Helper()
	got := marks(l.Snapshot(), l.path(name))
	if !slices.Equal(got, want) && len(got)+len(want) > 0 {
		l.t.Errorf("marks in %s: %q, want %q", name, got, want)
	}
}
