package main

import (
	"bytes"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"leveret/engine"
	"leveret/solc"
	"leveret/solc/change"
	"leveret/solc/selection"
	"leveret/solc/srcmap"
)

// A lineRange is a range of lines, both ends included and counted from 1.
type lineRange struct{ first, last int }

// fileLines are the lines of one file to aim at: named by the user or changed.
type fileLines struct {
	path   string // absolute
	ranges []lineRange
	since  *change.File
}

// parseLines parses a value of --lines, "src/A.sol:10-20,31".
func parseLines(s string) (fileLines, error) {
	i := strings.LastIndexByte(s, ':')
	if i <= 0 {
		return fileLines{}, fmt.Errorf("--lines %s: missing lines; write FILE:10-20 or FILE:10-20,31", s)
	}
	path, err := filepath.Abs(s[:i])
	if err != nil {
		return fileLines{}, err
	}
	f := fileLines{path: path}
	for part := range strings.SplitSeq(s[i+1:], ",") {
		a, b, isRange := strings.Cut(part, "-")
		if !isRange {
			b = a
		}
		first, errA := strconv.Atoi(a)
		last, errB := strconv.Atoi(b)
		if errA != nil || errB != nil || first < 1 || last < first {
			return fileLines{}, fmt.Errorf("--lines %s: %q is not a range of lines; write FILE:10-20 or FILE:10-20,31", s, part)
		}
		f.ranges = append(f.ranges, lineRange{first, last})
	}
	return f, nil
}

// spans converts the lines to byte spans of a source.
func (f fileLines) spans(source *solc.Source) engine.Lines {
	out := engine.Lines{File: source.Name}
	if f.since != nil {
		out.Spans = f.since.Lines(source)
		return out
	}
	index := srcmap.NewLines(source.Text)
	for _, r := range f.ranges {
		if r.first > index.Count() {
			continue
		}
		start, _ := index.LineSpan(r.first)
		_, end := index.LineSpan(r.last)
		out.Spans = append(out.Spans, srcmap.Span{Source: source.ID, Start: start, Length: end - start})
	}
	return out
}

// targets converts the lines of the files that are part of a build.
func targets(build *solc.Build, files []fileLines) []engine.Lines {
	var out []engine.Lines
	for _, f := range files {
		source := build.PathSource(f.path)
		if source == nil {
			continue
		}
		if lines := f.spans(source); len(lines.Spans) > 0 {
			out = append(out, lines)
		}
	}
	return out
}

// standing quotes what stands on the first of the lines that is not blank; it says
// so if all are.
func (f fileLines) standing(units []selection.Unit) string {
	for _, u := range units {
		source := u.Build.PathSource(f.path)
		if source == nil {
			continue
		}
		for _, lines := range f.spans(source).Spans {
			if text := bytes.TrimSpace(source.Text[lines.Start:lines.End()]); len(text) > 0 {
				first, _, _ := bytes.Cut(text, []byte("\n"))
				return "`" + srcmap.Excerpt(first) + "`"
			}
		}
		return "blank"
	}
	return ""
}

// withoutCode reports whether no contract has code on any of the lines, and
// describes the nearest lines with code.
func (f fileLines) withoutCode(units []selection.Unit) (near string, ok bool) {
	before, after := 0, 0
	for _, u := range units {
		source := u.Build.PathSource(f.path)
		if source == nil {
			continue
		}
		for _, line := range codeLines(u.Build, source) {
			for _, r := range f.ranges {
				switch {
				case line >= r.first && line <= r.last:
					return "", false
				case line < r.first:
					before = max(before, line)
				case after == 0 || line < after:
					after = line
				}
			}
		}
	}
	switch {
	case before > 0 && after > 0:
		return fmt.Sprintf("; the nearest code is on lines %d and %d", min(before, after), max(before, after)), true
	case before+after > 0:
		return fmt.Sprintf("; the nearest code is on line %d", before+after), true
	}
	return ", and none in the rest of the file", true
}

// touched reports whether any contract touches the lines.
func (f fileLines) touched(units []selection.Unit) bool {
	for _, u := range units {
		lines := targets(u.Build, []fileLines{f})
		if slices.ContainsFunc(u.Build.Contracts, func(c *solc.Contract) bool { return touches(c, lines) }) {
			return true
		}
	}
	return false
}

// codeLines lists the lines of a source with code, and those on which the
// definition of a contract begins.
func codeLines(build *solc.Build, source *solc.Source) []int {
	index := srcmap.NewLines(source.Text)
	lines := map[int]bool{}
	for _, c := range build.Contracts {
		if c.Node != nil && c.Node.Span.Source == source.ID {
			lines[index.OffsetPosition(c.Node.Span.Start).Line] = true
		}
		for _, e := range slices.Concat(c.Creation.Map, c.Runtime.Map) {
			if e.Source != source.ID || e.Length == 0 || c.Node != nil && e.Span == c.Node.Span {
				continue
			}
			lines[index.OffsetPosition(e.Start).Line] = true
			lines[index.OffsetPosition(e.End()).Line] = true
		}
	}
	return slices.Collect(maps.Keys(lines))
}

// touches reports whether a contract is defined on any of the lines or has code
// from them. Map entries that enclose the lines do not count: those of
// dispatchers cover whole contracts.
func touches(c *solc.Contract, lines []engine.Lines) bool {
	for _, l := range lines {
		for _, s := range l.Spans {
			if c.Node != nil && overlap(c.Node.Span, s) || mapped(c.Runtime.Map, s) || mapped(c.Creation.Map, s) {
				return true
			}
		}
	}
	return false
}

// mapped reports whether code comes from a span.
func mapped(entries []srcmap.Entry, s srcmap.Span) bool {
	for _, e := range entries {
		if overlap(e.Span, s) && (e.Start >= s.Start || e.End() <= s.End()) {
			return true
		}
	}
	return false
}

// overlap reports whether spans overlap or touch; an empty span is a position.
func overlap(a, b srcmap.Span) bool {
	return a.Source == b.Source && a.Start <= b.End() && b.Start <= a.End()
}

// parsePCs parses the value of --targets.
func parsePCs(list []string) (pcs []uint64, err error) {
	for _, s := range list {
		pc, err := strconv.ParseUint(s, 0, 32)
		if err != nil {
			return nil, fmt.Errorf("--targets: %q is not a valid program counter; write a number such as 0x1f3", s)
		}
		pcs = append(pcs, pc)
	}
	return pcs, nil
}

// aim returns the candidates that touch the lines of files, with their targets.
func aim(list []selection.Candidate, files []fileLines) (aimed []selection.Candidate, lines [][]engine.Lines) {
	for _, c := range list {
		t := targets(c.Unit.Build, files)
		if c.Note == "" && touches(c.Contract, t) {
			aimed, lines = append(aimed, c), append(lines, t)
		}
	}
	return aimed, lines
}
