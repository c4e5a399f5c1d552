package present

import (
	"maps"
	"slices"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"leveret/engine/finding"
	"leveret/lsp/session"
	"leveret/solc/srcmap"
)

// MethodCoverage is the notification with the coverage of a file.
const MethodCoverage = "leveret/coverage"

// Coverage is the coverage of a file by the campaigns on all contracts that
// use it, without lines that were edited since.
type Coverage struct {
	URI      uri.URI          `json:"uri"`
	Version  int32            `json:"version"`
	Lines    []CoveredLine    `json:"lines"`
	Branches []CoveredBranch  `json:"branches"`
	Total    finding.Coverage `json:"instructions"`
}

// CoveredLine is a line with code.
type CoveredLine struct {
	Line    int `json:"line"`    // 0-based
	Hits    int `json:"hits"`    // inputs whose last transaction ran any of it
	Covered int `json:"covered"` // executed instructions
	Total   int `json:"total"`
}

// CoveredBranch is a conditional jump.
type CoveredBranch struct {
	Range protocol.Range `json:"range"`
	Arms  [2]CoveredArm  `json:"arms"`
}

// CoveredArm is an arm of a branch. Distance is the closest branch distance as
// a decimal number; absent if the arm was taken or never compared.
type CoveredArm struct {
	Taken    bool   `json:"taken"`
	Distance string `json:"distance,omitempty"`
}

// CoverageKey returns equal keys for Snapshots with the same Coverage of a file.
func CoverageKey(s *session.Snapshot, path string) []any {
	key := []any{s.Document(path)}
	for _, name := range slices.Sorted(maps.Keys(s.Analyses)) {
		a := s.Analyses[name]
		for _, contract := range a.Contracts {
			if contract.Coverage(path) != nil {
				key = append(key, contract.Explored, a.Build)
			}
		}
	}
	return key
}

// Coverage returns the coverage of a file; false if no campaign has any.
func (c Client) Coverage(s *session.Snapshot, path string) (Coverage, bool) {
	all := Coverage{URI: FileURI(s, path), Lines: []CoveredLine{}, Branches: []CoveredBranch{}}
	d := s.Document(path)
	if d == nil {
		return all, false
	}
	all.Version = d.Version
	lines := map[int]CoveredLine{}
	branches := map[srcmap.Span]finding.BranchCoverage{}
	known := false
	for _, a := range s.Analyses {
		for _, contract := range a.Contracts {
			if f := contract.Coverage(path); f != nil {
				known = true
				addLines(lines, s, a, path, f)
				addBranches(branches, s, a, path, f)
			}
		}
	}
	for _, line := range slices.Sorted(maps.Keys(lines)) {
		all.Lines = append(all.Lines, lines[line])
		all.Total.Covered += lines[line].Covered
		all.Total.Total += lines[line].Total
	}
	for span, b := range branches {
		all.Branches = append(all.Branches, CoveredBranch{c.rangeOf(d.Lines, span.Start, span.End()), [2]CoveredArm{arm(b.Outcomes[0]), arm(b.Outcomes[1])}})
	}
	slices.SortFunc(all.Branches, func(a, b CoveredBranch) int { return compareRanges(a.Range, b.Range) })
	return all, known
}

func arm(a finding.BranchOutcome) CoveredArm {
	out := CoveredArm{Taken: a.Taken}
	if a.Near {
		out.Distance = a.Distance.Dec()
	}
	return out
}

// addLines adds the lines of one contract's coverage at their current
// positions. Of several contracts with the same line, the largest counts win.
func addLines(lines map[int]CoveredLine, s *session.Snapshot, a *session.Analysis, path string, f *finding.FileCoverage) {
	source := a.Build.PathSource(path)
	if source == nil {
		return
	}
	compiled := srcmap.NewLines(source.Text)
	for _, l := range f.Lines {
		start, end := compiled.LineSpan(l.Line)
		span := srcmap.Span{Start: start, Length: end - start}
		now, ok := s.Move(a, path, span)
		if !ok || s.Touched(a, path, span) {
			continue
		}
		line := s.Document(path).Lines.OffsetPosition(now.Start).Line - 1
		have := lines[line]
		lines[line] = CoveredLine{line, max(have.Hits, l.Hits), max(have.Covered, l.Covered), max(have.Total, l.Total)}
	}
}

func addBranches(branches map[srcmap.Span]finding.BranchCoverage, s *session.Snapshot, a *session.Analysis, path string, f *finding.FileCoverage) {
	for _, b := range f.Branches {
		now, ok := s.Move(a, path, b.Span)
		if !ok || s.Touched(a, path, b.Span) {
			continue
		}
		now.Source = 0
		have, known := branches[now]
		if !known {
			branches[now] = b
			continue
		}
		for i := range have.Outcomes {
			have.Outcomes[i] = have.Outcomes[i].Nearer(b.Outcomes[i])
		}
		branches[now] = have
	}
}

func compareRanges(a, b protocol.Range) int {
	for _, d := range [][2]uint32{
		{a.Start.Line, b.Start.Line}, {a.Start.Character, b.Start.Character},
		{a.End.Line, b.End.Line}, {a.End.Character, b.End.Character},
	} {
		if d[0] != d[1] {
			return int(d[0]) - int(d[1])
		}
	}
	return 0
}
