package present

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
	"pgregory.net/rapid"

	"leveret/engine/finding"
	"leveret/lsp/session"
	"leveret/lsp/settings"
)

// originals are the files of the workspace.
var originals = map[string]string{
	"A": "contract A {\n    function f() {\n        note first;\n        bug one;\n        bug two;\n    }\n    function g() {\n        leak three;\n    }\n}\n",
	"B": "import A;\n// naïve 😀 comment\ncontract B is A {\n    function h() {\n        bug four; /* 😀 */ leak five;\n    }\n}\ncontract Other {\n    function f() {\n        bug one;\n        bug two;\n    }\n}\n",
	"C": "contract C {\r\n    function f() {\r\n        bug one;\r\n    }\r\n}\r\ncontract D {\r\n    function f() {\r\n        bug one;\r\n        note why;\r\n    }\r\n}\r\n",
}

// A desk is an editor with a session.
type desk struct {
	*session.Session
	toy     *toy
	dir     string
	version int32
	news    chan struct{}
	clip    string
	set     settings.Settings
}

func newDesk(dir string, set settings.Settings) *desk {
	d := &desk{toy: new(toy), dir: dir, news: make(chan struct{}, 1), set: set}
	start := time.Now()
	d.Session = session.New(session.Config{
		Compiler: session.Compiler{Compile: d.toy.compile, Importers: d.importers},
		Engine:   session.Engine{Fuzz: d.toy.fuzz, Recheck: d.toy.recheck},
		Coalesce: time.Nanosecond, Now: func() time.Time { return start },
		Changed: func() {
			select {
			case d.news <- struct{}{}:
			default:
			}
		},
	})
	d.SetEncoding(session.UTF16)
	d.configure(func(*settings.Settings) {})
	return d
}

// importers lists the files whose text imports a file.
func (d *desk) importers(source session.SourceFile) (list []string) {
	name := strings.TrimSuffix(filepath.Base(source.File), ".sol")
	for _, other := range slices.Sorted(maps.Keys(originals)) {
		if strings.Contains(d.disk(other), "import "+name+";") {
			list = append(list, d.path(other))
		}
	}
	return list
}

func (d *desk) configure(f func(*settings.Settings)) {
	d.set.Oracles = maps.Clone(d.set.Oracles)
	f(&d.set)
	d.Configure(d.set, []session.Folder{{Path: d.dir, Settings: d.set}})
}

func (d *desk) path(name string) string { return filepath.Join(d.dir, name+".sol") }

func (d *desk) disk(name string) string {
	text, err := os.ReadFile(d.path(name))
	if err != nil {
		panic(err)
	}
	return string(text)
}

func (d *desk) write(name, text string) {
	if err := os.WriteFile(d.path(name), []byte(text), 0o600); err != nil {
		panic(err)
	}
}

func (d *desk) isOpen(name string) bool {
	doc := d.Snapshot().Document(d.path(name))
	return doc != nil && doc.Open
}

func (d *desk) text(name string) string { return string(d.Snapshot().Document(d.path(name)).Text) }

func (d *desk) open(name string) {
	d.Open(string(uri.File(d.path(name))), d.path(name), 1, d.disk(name))
}

func (d *desk) save(name string) {
	d.write(name, d.text(name))
	d.Save(d.path(name))
}

// replace sends an incremental edit of a byte range.
func (d *desk) replace(name string, from, to int, text string) {
	doc := d.Snapshot().Document(d.path(name))
	d.version++
	change := session.TextChange{Start: doc.Lines.OffsetPoint(from, session.UTF16), End: doc.Lines.OffsetPoint(to, session.UTF16), Text: text}
	if err := d.Change(d.path(name), d.version, []session.TextChange{change}); err != nil {
		panic(err)
	}
}

func (d *desk) setText(name, text string) { d.replace(name, 0, len(d.text(name)), text) }

// rest waits until the session is idle. It returns false after a timeout.
func (d *desk) rest() bool {
	deadline := time.Now().Add(time.Minute)
	for time.Now().Before(deadline) {
		s := d.Snapshot()
		ready := s.Activity.Kind == session.Resting
		for _, a := range s.Analyses {
			ready = ready && a.Phase == session.Ready
		}
		if ready {
			return true
		}
		select {
		case <-d.news:
		case <-time.After(time.Millisecond):
		}
	}
	return false
}

// shown returns all that a client shows, without versions.
func (d *desk) shown() string {
	s := d.Snapshot()
	c := Client{Encoding: session.UTF16, Related: true, Literals: true, Data: true, Markdown: true}
	all := map[string]any{"status": StatusOf(s)}
	for _, path := range s.Paths() {
		symbols := c.Symbols(s, path)
		symbols.Version = 0
		show := map[string]any{
			"diagnostics": c.Diagnostics(s, path), "lenses": c.Lenses(s, path), "symbols": symbols,
			"hints": c.Hints(s, path, protocol.Range{End: protocol.Position{Line: 1000}}),
		}
		if coverage, known := c.Coverage(s, path); known {
			coverage.Version = 0
			show["coverage"] = coverage
		}
		var hovers []any
		for _, symbol := range symbols.Symbols {
			hovers = append(hovers, c.Hover(s, path, symbol.Range.Start))
		}
		show["hovers"] = hovers
		all[filepath.Base(path)] = show
	}
	raw, err := json.Marshal(all)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

// waits lists the pending states, which must be gone when the session is idle.
func (d *desk) waits() (list []string) {
	for path, a := range d.Snapshot().Analyses {
		for _, c := range a.Contracts {
			if c.State == session.StateQueued || c.State == session.StateStale || c.State == session.StateRunning {
				list = append(list, fmt.Sprintf("%s in %s is %s", c.Name, filepath.Base(path), c.State))
			}
		}
	}
	return list
}

// A step is an action of a user.
type step struct {
	name string
	do   func(t *rapid.T, d *desk, file string)
}

var words = []string{"x", "}", "{", ";", "bug new;", "leak one;", "note other;", "\n", "\n\n", " ", "// 😀 why\n", "// leveret-disable-next-line bug\n", "/* é */", "contract E {\n}\n", "import C;\n", "\r\n"}

// steps repeats entries to give them more weight.
var steps = []step{
	{"type", func(t *rapid.T, d *desk, file string) {
		at := boundary(d.text(file), rapid.IntRange(0, len(d.text(file))).Draw(t, "at"))
		d.replace(file, at, at, rapid.SampledFrom(words).Draw(t, "word"))
	}},
	{"typo and back", func(t *rapid.T, d *desk, file string) {
		at := boundary(d.text(file), rapid.IntRange(0, len(d.text(file))).Draw(t, "at"))
		d.replace(file, at, at, "z")
		d.replace(file, at, at+1, "")
	}},
	{"delete", func(t *rapid.T, d *desk, file string) {
		text := d.text(file)
		from := boundary(text, rapid.IntRange(0, len(text)).Draw(t, "from"))
		to := boundary(text, min(len(text), from+rapid.IntRange(0, 12).Draw(t, "length")))
		d.replace(file, from, max(from, to), "")
	}},
	{"cut line", func(t *rapid.T, d *desk, file string) {
		from, to := line(t, d.text(file))
		d.clip = d.text(file)[from:to]
		d.replace(file, from, to, "")
	}},
	{"paste", func(t *rapid.T, d *desk, file string) {
		from, _ := line(t, d.text(file))
		d.replace(file, from, from, d.clip)
	}},
	{"comment", func(t *rapid.T, d *desk, file string) {
		from, _ := line(t, d.text(file))
		d.replace(file, from, from, rapid.SampledFrom([]string{"// why\n", "/*\n        bug one;\n*/\n", "\n", "    // 😀\r\n"}).Draw(t, "comment"))
	}},
	{"undo all", func(_ *rapid.T, d *desk, file string) { d.setText(file, originals[file]) }},
	{"undo all", func(_ *rapid.T, d *desk, file string) { d.setText(file, originals[file]) }},
	{"undo to the disk", func(_ *rapid.T, d *desk, file string) { d.setText(file, d.disk(file)) }},
	{"empty", func(_ *rapid.T, d *desk, file string) { d.setText(file, "") }},
	{"save", func(_ *rapid.T, d *desk, file string) { d.save(file) }},
	{"save", func(_ *rapid.T, d *desk, file string) { d.save(file) }},
	{"save", func(_ *rapid.T, d *desk, file string) { d.save(file) }},
	{"close", func(_ *rapid.T, d *desk, file string) { d.CloseFile(d.path(file)) }},
	{"reopen", func(_ *rapid.T, d *desk, file string) {
		d.CloseFile(d.path(file))
		d.open(file)
	}},
	{"wait", func(t *rapid.T, d *desk, _ string) { d.settle(t) }},
	{"wait", func(t *rapid.T, d *desk, _ string) { d.settle(t) }},
	{"campaigns hang", func(_ *rapid.T, d *desk, _ string) { d.toy.shut(true) }},
	{"campaigns end", func(_ *rapid.T, d *desk, _ string) { d.toy.shut(false) }},
	{"a moment", func(*rapid.T, *desk, string) { time.Sleep(200 * time.Microsecond) }},
	{"leaks off", func(_ *rapid.T, d *desk, _ string) {
		d.configure(func(s *settings.Settings) { s.Oracles["leak"] = finding.Off })
	}},
	{"leaks on", func(_ *rapid.T, d *desk, _ string) {
		d.configure(func(s *settings.Settings) { delete(s.Oracles, "leak") })
	}},
	{"bugs are errors", func(_ *rapid.T, d *desk, _ string) {
		d.configure(func(s *settings.Settings) { s.Oracles["bug"] = finding.Error })
	}},
}

// onClosed are the steps for a closed file.
var onClosed = []step{
	{"open", func(_ *rapid.T, d *desk, file string) { d.open(file) }},
	{"open", func(_ *rapid.T, d *desk, file string) { d.open(file) }},
	{"change on disk", func(t *rapid.T, d *desk, file string) {
		from, to := line(t, d.disk(file))
		d.write(file, d.disk(file)[:from]+d.disk(file)[to:])
		d.Changed(d.path(file))
	}},
	{"restore on disk", func(_ *rapid.T, d *desk, file string) {
		d.write(file, originals[file])
		d.Changed(d.path(file))
	}},
}

// boundary moves an offset back to the start of a UTF-8 character.
func boundary(text string, at int) int {
	for at < len(text) && !utf8.RuneStart(text[at]) {
		at--
	}
	return at
}

// line draws a line of a text.
func line(t *rapid.T, text string) (from, to int) {
	lines := strings.SplitAfter(text, "\n")
	n := rapid.IntRange(0, len(lines)-1).Draw(t, "line")
	from = len(strings.Join(lines[:n], ""))
	return from, from + len(lines[n])
}

// settle lets campaigns end and waits until the session is idle.
func (d *desk) settle(t *rapid.T) {
	d.toy.shut(false)
	if !d.rest() {
		t.Fatalf("the session does not become idle: %s", d.shown())
	}
}

// After any sequence of edits, saves and interruptions a session shows the same
// as a fresh session with the same texts.
func TestShownDependsOnlyOnText(t *testing.T) {
	for name, value := range map[string]string{"rapid.checks": fmt.Sprint(sequences), "rapid.seed": "1", "rapid.nofailfile": "true"} {
		if err := flag.Set(name, value); err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		d := newDesk(dir, settings.Settings{Budget: time.Second, CodeLens: true, InlayHints: true, Oracles: map[string]finding.Severity{}})
		defer d.Close()
		names := slices.Sorted(maps.Keys(originals))
		for _, name := range names {
			d.write(name, originals[name])
			d.open(name)
		}
		if rapid.Bool().Draw(t, "settled") {
			d.settle(t)
		}
		for range rapid.IntRange(0, 15).Draw(t, "steps") {
			file := rapid.SampledFrom(names).Draw(t, "file")
			choice := onClosed
			if d.isOpen(file) {
				choice = steps
			}
			s := choice[rapid.IntRange(0, len(choice)-1).Draw(t, "step")]
			t.Logf("%s: %s", file, s.name)
			s.do(t, d, file)
		}
		compare(t, d, names)
	})
}

// compare makes all texts compile and compares the session with a fresh one:
// when idle, after an unsaved edit, and after the save of that edit.
func compare(t *rapid.T, d *desk, names []string) {
	keep := rapid.Bool().Draw(t, "keep")
	for _, name := range names {
		if !d.isOpen(name) {
			d.open(name)
		}
		d.save(name)
	}
	d.settle(t)
	broken := false
	for _, a := range d.Snapshot().Analyses {
		broken = broken || a.Failure != nil
	}
	if !keep || broken {
		for _, name := range names {
			d.setText(name, originals[name])
			d.save(name)
		}
		d.settle(t)
	}
	fresh := newDesk(d.dir, d.set)
	defer fresh.Close()
	for _, name := range names {
		fresh.open(name)
	}
	fresh.settle(t)
	for _, list := range [][]string{d.waits(), fresh.waits()} {
		if len(list) > 0 {
			t.Fatalf("pending while idle: %q", list)
		}
	}
	same(t, "when idle", d, fresh)

	file := rapid.SampledFrom(names).Draw(t, "last file")
	for range 3 {
		step := steps[rapid.IntRange(0, 7).Draw(t, "last step")]
		step.do(t, d, file)
	}
	fresh.setText(file, d.text(file))
	d.settle(t)
	fresh.settle(t)
	same(t, "after an edit", d, fresh)

	d.save(file)
	fresh.save(file)
	d.settle(t)
	fresh.settle(t)
	same(t, "after a save", d, fresh)

	for _, one := range []*desk{d, fresh} { // B becomes a dependent of A
		one.CloseFile(one.path("B"))
		one.setText("A", "\n"+originals["A"])
		one.save("A")
		one.settle(t)
	}
	same(t, "with a dependent", d, fresh)
}

func same(t *rapid.T, when string, d, fresh *desk) {
	got, want := d.shown(), fresh.shown()
	for i := range got {
		if i >= len(want) || got[i] != want[i] {
			from := max(0, i-400)
			t.Fatalf("%s the session shows\n…%s…\na fresh session shows\n…%s…", when, got[from:min(i+400, len(got))], want[from:min(i+400, len(want))])
		}
	}
}
