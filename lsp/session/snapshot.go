package session

import (
	"cmp"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"leveret/engine/finding"
	"leveret/lsp/settings"
	"leveret/solc"
	"leveret/solc/srcmap"
)

// A Snapshot is all that the session knows at a moment. It is immutable, and
// so is everything below it.
type Snapshot struct {
	Documents map[string]*Document // by path; not open ones too, where findings are in them
	Analyses  map[string]*Analysis // by path of the analysed file
	Folders   []Folder
	Settings  settings.Settings // where no folder says otherwise
	Activity  Activity
	Oracles   []Oracle
}

// A Folder is a folder of the workspace.
type Folder struct {
	Path     string
	Settings settings.Settings
}

// An Analysis is what is known about one file and the contracts declared in it.
type Analysis struct {
	Path       string
	Guest      bool   // not open, but its contracts have code of an open file
	SourceName string // what the compiler calls the file
	Phase      Phase
	Build      *solc.Build // the last one without errors; nil if there was none
	Failure    *Failure    // of the last compilation
	Messages   []solc.Message
	Contracts  []*Contract // in source order

	texts map[string][]byte // what was last compiled, by path, failed or not
	past  []*knowledge      // of codes that the contracts had before, newest first
}

// Phase is where an Analysis is in its pipeline.
type Phase string

// The phases.
const (
	Queued    Phase = "queued"
	Compiling Phase = "compiling"
	Ready     Phase = "ready" // compiled; its contracts have states of their own
)

// A Failure says in a sentence why nothing of a file is fuzzed.
type Failure struct {
	Text string
	Path string // of the file to blame; the analysed one if empty
	Line int    // 1-based; 0 if none is to blame

	Install string // the compiler whose installation would help, "0.8.30"; empty if none would
}

// A Contract is a contract under test and what its campaigns came to.
type Contract struct {
	*solc.Contract
	State State  // follows from what is below
	Marks []Mark // follow from what is known and the present texts

	Explored *finding.CoverageReport // by its last campaign, in the texts of its Build; nil before the first

	knowledge
	sources *sources // of its Build
	skipped bool
	running bool
}

// State is what is to be said about a contract at a glance.
type State string

// The states.
const (
	StateQueued   State = "queued"
	StateRunning  State = "running"
	StateFindings State = "findings"
	StateClean    State = "clean"
	StateStale    State = "stale" // edited since
	StateSkipped  State = "skipped"
)

// A Mark is a finding where it is in the present text.
type Mark struct {
	Finding  *finding.Finding
	Path     string
	Span     srcmap.Span // bytes of the present text; Source means nothing
	Severity finding.Severity
	Stale    bool // its lines were edited, or its code was, since it was seen

	sources *sources // that it was found in
}

// Activity is what the session does.
type Activity struct {
	Kind     ActivityKind
	Path     string
	Contract string
	Budget   time.Duration
	Left     time.Duration
	Stats    finding.Stats
	Serial   int // tells one activity from the next
}

// ActivityKind tells activities apart.
type ActivityKind string

// The kinds of activities. The zero value is doing nothing.
const (
	Resting     ActivityKind = ""
	Compilation ActivityKind = "compiling"
	Validation  ActivityKind = "checking known findings"
	Campaign    ActivityKind = "fuzzing"
	Deepening   ActivityKind = "fuzzing deeper"
)

// Folder returns the innermost folder that holds path.
func (s *Snapshot) Folder(path string) (Folder, bool) {
	var best Folder
	for _, f := range s.Folders {
		if within(path, f.Path) && len(f.Path) > len(best.Path) {
			best = f
		}
	}
	return best, best.Path != ""
}

// SettingsFor returns the settings in force for a file.
func (s *Snapshot) SettingsFor(path string) settings.Settings {
	if f, ok := s.Folder(path); ok {
		return f.Settings
	}
	return s.Settings
}

// Place is a Mark with the contract it belongs to.
type Place struct {
	Mark
	Contract *Contract
	Analysis *Analysis
}

// Marks returns the marks in a file, most severe first, then by place. Where
// two analyses found the same thing, one of them counts: one that is not
// stale, if there is one.
func (s *Snapshot) Marks(path string) []Place {
	var places []Place
	for _, name := range slices.Sorted(maps.Keys(s.Analyses)) {
		a := s.Analyses[name]
		for _, c := range a.Contracts {
			for _, m := range c.Marks {
				if m.Path == path {
					places = append(places, Place{m, c, a})
				}
			}
		}
	}
	slices.SortStableFunc(places, func(a, b Place) int {
		return cmp.Or(
			cmp.Compare(b.Severity, a.Severity),
			cmp.Compare(a.Span.Start, b.Span.Start),
			cmp.Compare(a.Span.End(), b.Span.End()),
			cmp.Compare(a.Finding.ID, b.Finding.ID),
		)
	})
	best := map[string]Place{}
	for _, p := range places {
		if b, seen := best[p.Finding.ID]; !seen || b.Stale && !p.Stale {
			best[p.Finding.ID] = p
		}
	}
	return slices.DeleteFunc(places, func(p Place) bool { return best[p.Finding.ID].Contract != p.Contract })
}

// Find returns the mark of a finding by its id.
func (s *Snapshot) Find(id string) (Place, bool) {
	for _, name := range slices.Sorted(maps.Keys(s.Analyses)) {
		a := s.Analyses[name]
		for _, c := range a.Contracts {
			for _, m := range c.Marks {
				if m.Finding.ID == id {
					return Place{m, c, a}, true
				}
			}
		}
	}
	return Place{}, false
}

// Paths returns all files that there is something to say about.
func (s *Snapshot) Paths() []string {
	paths := map[string]bool{}
	for path, d := range s.Documents {
		if d.Open {
			paths[path] = true
		}
	}
	for path, a := range s.Analyses {
		paths[path] = true
		for _, c := range a.Contracts {
			for _, m := range c.Marks {
				paths[m.Path] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(paths))
}

// Document returns a file's present text, nil if the session has none.
func (s *Snapshot) Document(path string) *Document { return s.Documents[path] }

// Move returns where a range of the compiled text of a file is now; false if
// its lines were deleted or there is no such text.
func (s *Snapshot) Move(a *Analysis, path string, span srcmap.Span) (srcmap.Span, bool) {
	compiled, ok := a.built(path)
	if !ok {
		return span, false
	}
	now, f := s.follow(path, compiled, span)
	return now, f != gone
}

// MoveOf is Move for a range of a text that a finding was found in.
func (s *Snapshot) MoveOf(m Mark, path string, span srcmap.Span) (srcmap.Span, bool) {
	text, ok := m.sources.texts[path]
	if !ok {
		return span, false
	}
	now, f := s.follow(path, text, span)
	return now, f != gone
}

// MoveMessage is Move for a range of the text that was last compiled, be it
// without success.
func (s *Snapshot) MoveMessage(a *Analysis, path string, span srcmap.Span) (srcmap.Span, bool) {
	text, ok := a.texts[path]
	if !ok || span.Start < 0 || span.End() > len(text) {
		return span, false
	}
	now, f := s.follow(path, text, span)
	return now, f != gone
}

// MoveLine is MoveMessage for a line, counted from 1.
func (s *Snapshot) MoveLine(a *Analysis, path string, line int) (int, bool) {
	d := s.Documents[path]
	if d == nil || a.texts[path] == nil {
		return line, true // nobody edits it
	}
	start, end := srcmap.NewLines(a.texts[path]).LineSpan(line)
	now, ok := s.MoveMessage(a, path, srcmap.Span{Start: start, Length: end - start})
	return d.Lines.OffsetPosition(now.Start).Line, ok
}

// Touched reports whether the lines of a range of the compiled text of a file
// were edited since.
func (s *Snapshot) Touched(a *Analysis, path string, span srcmap.Span) bool {
	compiled, ok := a.built(path)
	if !ok || s.Documents[path] == nil {
		return false
	}
	_, f := s.follow(path, compiled, span)
	return f != moved
}

// built returns the text of a file that a's Build was made of.
func (a *Analysis) built(path string) ([]byte, bool) {
	if a.Build == nil {
		return nil, false
	}
	if source := a.Build.PathSource(path); source != nil {
		return source.Text, true
	}
	return nil, false
}

func (s *Snapshot) clone() *Snapshot {
	next := *s
	next.Documents = maps.Clone(s.Documents)
	next.Analyses = maps.Clone(s.Analyses)
	return &next
}

// within reports whether path is dir or below it.
func within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !hasParent(rel)
}

func hasParent(rel string) bool {
	return len(rel) > 2 && rel[:2] == ".." && (rel[2] == '/' || rel[2] == filepath.Separator)
}

// Settled reports whether all that can be fuzzed of a file was.
func (a *Analysis) Settled() bool {
	if a.Phase != Ready || a.Build == nil || a.Failure != nil {
		return false
	}
	for _, c := range a.Contracts {
		if !c.skipped && !c.complete {
			return false
		}
	}
	return true
}

// SourceHash names the text that a finding was found in.
func (m *Mark) SourceHash() string { return m.sources.hash(m.Path) }

// state is what is to be said about a contract of an analysis in a phase.
func (c *Contract) state(phase Phase) State {
	switch {
	case c.skipped:
		return StateSkipped
	case c.running:
		return StateRunning
	case !c.complete && phase != Ready:
		return StateQueued
	case len(c.Marks) > 0:
		return StateFindings
	case !c.complete:
		return StateStale
	}
	return StateClean
}

func (a *Analysis) clone() *Analysis {
	next := *a
	next.Contracts = slices.Clone(a.Contracts)
	return &next
}

// Source returns the text of a file that a finding was found in; nil if the
// file was no part of it.
func (m *Mark) Source(path string) []byte { return m.sources.texts[path] }
