package baseline

import (
	"bytes"
	"slices"
	"strings"

	"leveret/engine/finding"
	"leveret/engine/report"
	"leveret/solc/srcmap"
)

// A State is what a run says about an entry.
type State int

// The states.
const (
	Unchecked State = iota // not all of its contracts were fuzzed, or its oracle was off
	Found
	Missed     // its code did not run
	NotShown   // its code ran, and it was not found
	CodeIsGone // the file no longer contains its text
)

// Stale reports whether an update removes such an entry.
func (s State) Stale() bool { return s == NotShown || s == CodeIsGone }

// State compares an entry with a report and its groups. The texts of a contract
// must include the entry's file. oracles are the names of those that ran; none
// means all.
func (e *Entry) State(r *report.Report, groups []report.Group, oracles []string) State {
	if slices.ContainsFunc(groups, func(g report.Group) bool { return g.ID == e.ID }) {
		return Found
	}
	if len(oracles) > 0 && !slices.Contains(oracles, e.Cause) || e.Severity < r.Severity {
		return Unchecked
	}
	fuzzed := map[string]bool{}
	state := Missed
	for i := range r.Contracts {
		c := &r.Contracts[i]
		if c.Texts[e.File] == nil {
			continue
		}
		lines := find(c.Texts[e.File], e.Text)
		if len(lines) == 0 {
			return CodeIsGone
		}
		fuzzed[c.Name] = fuzzed[c.Name] || c.Stats.Inputs > 0
		if ran(c, e.File, lines) {
			state = NotShown
		}
	}
	if slices.ContainsFunc(e.Contracts, func(name string) bool { return !fuzzed[name] }) {
		return Unchecked
	}
	return state
}

// ran reports whether an input ran code on one of the lines of a file.
func ran(c *report.Contract, file string, lines []int) bool {
	if c.Coverage == nil {
		return false
	}
	for _, f := range c.Coverage.Files {
		if f.File == file && slices.ContainsFunc(f.Lines, func(l finding.LineCoverage) bool { return l.Hits > 0 && slices.Contains(lines, l.Line) }) {
			return true
		}
	}
	return false
}

// find returns the lines of a source on which an excerpt starts: a text on one
// line, whose end may be cut off.
func find(source []byte, excerpt string) (lines []int) {
	excerpt = strings.TrimSuffix(excerpt, "…")
	if name, ok := strings.CutSuffix(excerpt, "()"); ok { // a function, with or without parameters
		excerpt = name + "("
	}
	var flat bytes.Buffer
	var offsets []int // in source, of each byte of flat
	at := 0
	for word := range bytes.FieldsSeq(source) {
		start := at + bytes.Index(source[at:], word)
		if flat.Len() > 0 {
			flat.WriteByte(' ')
			offsets = append(offsets, start)
		}
		flat.Write(word)
		for i := range word {
			offsets = append(offsets, start+i)
		}
		at = start + len(word)
	}
	index := srcmap.NewLines(source)
	for from := 0; excerpt != ""; {
		i := bytes.Index(flat.Bytes()[from:], []byte(excerpt))
		if i < 0 {
			break
		}
		lines = append(lines, index.OffsetPosition(offsets[from+i]).Line)
		from += i + 1
	}
	return lines
}
