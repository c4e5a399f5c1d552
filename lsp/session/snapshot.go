package session

import (
	"cmp"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"leveret/engine/finding"
	"leveret/engine/suppress"
	"leveret/lsp/settings"
	"leveret/solc"
	"leveret/solc/srcmap"
)

// A Snapshot is the state of the session at one time. It and everything it
// refers to are immutable.
type Snapshot struct {
	Documents map[string]*Document // by path: open files, and closed ones with findings
	Analyses  map[string]*Analysis // by path of the analysed file
	Folders   []Folder
	Settings  settings.Settings // of files outside all folders
	Activity  Activity
	Oracles   []Oracle
}

// A Folder is a folder of the workspace.
type Folder struct {
	Path     string
	Settings settings.Settings
}

// An Analysis is the state of a file and of the contracts declared in it.
type Analysis struct {
	Path       string
	Dependent  bool   // the file is not open, but imports an open one
	SourceName string // the compiler's name of the file
	Phase      Phase
	Build      *solc.Build // the last without errors; nil if there was none
	Failure    *Failure    // of the last compilation
	Messages   []solc.Message
	Contracts  []*Contract // in source order

	texts map[string][]byte // of the last compilation, by path, also if it failed; nil for imports that are missing
	links map[string]bool   // files of Build that an import reached by a link, as they are called without it
	asked []byte            // the file's text at the last request
	past  []*knowledge      // of earlier codes of the contracts, newest first
}

// Phase is the position of an Analysis in the pipeline.
type Phase string

// The phases.
const (
	Queued    Phase = "queued"
	Compiling Phase = "compiling"
	Ready     Phase = "ready" // compiled; see the contracts' states
)

// A Failure explains in a sentence why a file is not fuzzed.
type Failure struct {
	Kind solc.FailureKind
	Text string
	Path string // of the file with the error; empty: the analysed one
	Line int    // counted from 1; 0 if unknown

	Install string // the missing compiler version that would help, "0.8.30"; empty if none
}

// A Contract is a contract under test with the results of its campaigns.
type Contract struct {
	*solc.Contract
	State State  // follows from the fields below and the Phase
	Marks []Mark // follow from the known findings and the current texts

	Explored *finding.CoverageReport // by the last campaign, in the texts of Build; nil before the first

	knowledge
	sources *sources // of its Build
	skipped bool
	running bool
}

// State summarizes a contract.
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

// A Mark is a finding with its position in the current text.
type Mark struct {
	Finding  *finding.Finding
	Path     string
	Span     srcmap.Span // bytes of the current text; Source is not set
	Severity finding.Severity
	Stale    bool   // its lines or its contract's code changed since it was seen
	Accepted bool   // it is in the folder's baseline; then Severity is Hint
	Silenced bool   // a comment suppresses it: it is not shown
	Missing  string // settings of the project's own build if the finding does not show in it; else empty

	sources *sources // that it was found in
}

// Activity is the running work.
type Activity struct {
	Kind     ActivityKind
	Path     string
	Contract string
	Budget   time.Duration
	Left     time.Duration
	Stats    finding.Stats
	Serial   int // differs for each activity

	Compiler string        // what a compiler has compiled for more than a second, "152 files with solc 0.8.30"; else empty
	Elapsed  time.Duration // since that compilation began
}

// ActivityKind is a kind of work, as shown to the user.
type ActivityKind string

// The kinds of activities. The zero value means that nothing runs.
const (
	Resting      ActivityKind = ""
	Compilation  ActivityKind = "compiling"
	Validation   ActivityKind = "checking known findings"
	UnitTests    ActivityKind = "running tests"
	Campaign     ActivityKind = "fuzzing"
	IdleCampaign ActivityKind = "fuzzing deeper"
	OwnBuild     ActivityKind = "checking findings in the project's own build"
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

// root returns the workspace folder of a file; empty if it is in none.
func (s *Snapshot) root(path string) string {
	f, _ := s.Folder(path)
	return f.Path
}

// SettingsFor returns the settings of a file.
func (s *Snapshot) SettingsFor(path string) settings.Settings {
	if f, ok := s.Folder(path); ok {
		return f.Settings
	}
	return s.Settings
}

// A ContractMark is a Mark with its contract.
type ContractMark struct {
	Mark
	Contract *Contract
	Analysis *Analysis
}

// allMarks returns the marks of all contracts, by path of their analyses.
func (s *Snapshot) allMarks() (marks []ContractMark) {
	for _, name := range slices.Sorted(maps.Keys(s.Analyses)) {
		a := s.Analyses[name]
		for _, c := range a.Contracts {
			for _, m := range c.Marks {
				marks = append(marks, ContractMark{m, c, a})
			}
		}
	}
	return marks
}

// Marks returns the marks in a file that are shown, most severe first, then by
// position. Of equal findings by several analyses, it returns one, preferably not stale.
func (s *Snapshot) Marks(path string) []ContractMark {
	marks := slices.DeleteFunc(s.allMarks(), func(m ContractMark) bool { return m.Path != path })
	slices.SortStableFunc(marks, func(a, b ContractMark) int {
		return cmp.Or(
			cmp.Compare(b.Severity, a.Severity),
			cmp.Compare(a.Span.Start, b.Span.Start),
			cmp.Compare(a.Span.End(), b.Span.End()),
			cmp.Compare(a.Finding.ID, b.Finding.ID),
		)
	})
	best := map[string]ContractMark{}
	for _, m := range marks {
		if b, seen := best[m.Finding.ID]; !seen || b.Stale && !m.Stale {
			best[m.Finding.ID] = m
		}
	}
	return slices.DeleteFunc(marks, func(m ContractMark) bool { return m.Silenced || best[m.Finding.ID].Contract != m.Contract })
}

// A Group are the marks at one place with one cause, the most telling first: of
// contracts that inherit the line, and of oracles that describe the cause.
type Group []ContractMark

// Groups returns the marks in a file that are shown by place and cause, in the order of Marks.
func (s *Snapshot) Groups(path string) (groups []Group) {
	for _, g := range finding.Group(s.Marks(path), ContractMark.sighting) {
		groups = append(groups, g)
	}
	return groups
}

// AllGroups returns the marks in all files that are shown by place and cause.
func (s *Snapshot) AllGroups() (groups []Group) {
	shown := slices.DeleteFunc(s.allMarks(), func(m ContractMark) bool { return m.Silenced })
	for _, g := range finding.Group(shown, ContractMark.sighting) {
		groups = append(groups, g)
	}
	return groups
}

// GroupOf returns the group of a mark.
func (s *Snapshot) GroupOf(m ContractMark) Group {
	spot := m.sighting().Spot
	for _, g := range s.Groups(m.Path) {
		if g[0].sighting().Spot == spot {
			return g
		}
	}
	return Group{m}
}

// sighting returns the place of a mark in the current text. One that was edited
// since tells less than any other.
func (m *Mark) sighting() finding.Sighting {
	severity := m.Severity
	if m.Stale {
		severity = finding.Off
	}
	return finding.Sighting{Finding: m.Finding, Severity: severity, Spot: finding.Spot{
		File: m.Path, Start: m.Span.Start, End: m.Span.End(), Cause: m.Finding.CauseName(),
	}}
}

func (m ContractMark) sighting() finding.Sighting { return m.Mark.sighting() }

// Distinct returns the most telling mark of each place and cause, without those in a
// baseline and those that are not shown.
func Distinct(marks []Mark) (list []Mark) {
	fresh := slices.DeleteFunc(slices.Clone(marks), func(m Mark) bool { return m.Accepted || m.Silenced })
	for _, g := range finding.Group(fresh, func(m Mark) finding.Sighting { return m.sighting() }) {
		list = append(list, g[0])
	}
	return list
}

// Places counts marks as Distinct lists them.
func Places(marks []Mark) int { return len(Distinct(marks)) }

// Contracts lists the names of a group's contracts.
func (g Group) Contracts() []string {
	return finding.Names(g, func(m ContractMark) string { return m.Contract.Name })
}

// Oracles lists the names of a group's oracles.
func (g Group) Oracles() []string {
	return finding.Names(g, func(m ContractMark) string { return m.Finding.Oracle })
}

// Find returns the mark of a finding by its id.
func (s *Snapshot) Find(id string) (ContractMark, bool) {
	for _, m := range s.allMarks() {
		if m.Finding.ID == id {
			return m, true
		}
	}
	return ContractMark{}, false
}

// Unused returns the comments of a file that suppress no finding.
func (s *Snapshot) Unused(d *Document) (unused []suppress.Comment) {
	marks := s.allMarks()
	for _, c := range d.Silences {
		if !slices.ContainsFunc(marks, func(m ContractMark) bool {
			return slices.ContainsFunc(s.suppressible(m.Finding, m.Path, m.sources), func(at spot) bool {
				return at.document.Path == d.Path && c.Covers(m.Finding.Oracle, d.Lines.Line(at.offset))
			})
		}) {
			unused = append(unused, c)
		}
	}
	return unused
}

// Paths returns all files that are open, analysed or have findings.
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

// Document returns the current text of a file, nil if the session has none.
func (s *Snapshot) Document(path string) *Document { return s.Documents[path] }

// Move returns where a range of a compiled file is in the current text; false
// if its lines were deleted or the build does not have the file.
func (s *Snapshot) Move(a *Analysis, path string, span srcmap.Span) (srcmap.Span, bool) {
	compiled, ok := a.built(path)
	if !ok {
		return span, false
	}
	now, effect := s.follow(path, compiled, span)
	return now, effect != deleted
}

// MoveOf is Move for a range of a text of a finding's build.
func (s *Snapshot) MoveOf(m Mark, path string, span srcmap.Span) (srcmap.Span, bool) {
	text, ok := m.sources.texts[path]
	if !ok {
		return span, false
	}
	now, effect := s.follow(path, text, span)
	return now, effect != deleted
}

// MoveMessage is Move for a range of the last compilation's text, which may
// not have compiled.
func (s *Snapshot) MoveMessage(a *Analysis, path string, span srcmap.Span) (srcmap.Span, bool) {
	text, ok := a.texts[path]
	if !ok || span.Start < 0 || span.End() > len(text) {
		return span, false
	}
	now, effect := s.follow(path, text, span)
	return now, effect != deleted
}

// MoveLine is MoveMessage for a line, counted from 1.
func (s *Snapshot) MoveLine(a *Analysis, path string, line int) (int, bool) {
	d := s.Documents[path]
	if d == nil || a.texts[path] == nil {
		return line, true // not open
	}
	start, end := srcmap.NewLines(a.texts[path]).LineSpan(line)
	now, ok := s.MoveMessage(a, path, srcmap.Span{Start: start, Length: end - start})
	return d.Lines.OffsetPosition(now.Start).Line, ok
}

// Touched reports whether the lines of a range of a compiled file were edited
// since.
func (s *Snapshot) Touched(a *Analysis, path string, span srcmap.Span) bool {
	compiled, ok := a.built(path)
	if !ok || s.Documents[path] == nil {
		return false
	}
	_, effect := s.follow(path, compiled, span)
	return effect != kept
}

// built returns the text of a file in a's Build.
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

// Settled reports whether all contracts of a file that can be fuzzed were.
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

// SourceHash identifies the text that a finding was found in.
func (m *Mark) SourceHash() string { return m.sources.hash(m.Path) }

// state returns the State of a contract whose analysis is in a phase.
func (c *Contract) state(phase Phase) State {
	switch {
	case c.skipped:
		return StateSkipped
	case c.running:
		return StateRunning
	case !c.complete && phase != Ready:
		return StateQueued
	case slices.ContainsFunc(c.Marks, func(m Mark) bool { return !m.Silenced }):
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

// Source returns the text of a file in the finding's build; nil if the build
// does not have it.
func (m *Mark) Source(path string) []byte { return m.sources.texts[path] }
