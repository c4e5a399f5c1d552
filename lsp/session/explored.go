package session

import (
	"bytes"
	"slices"

	"leveret/engine/finding"
	"leveret/solc"
	"leveret/solc/change"
	"leveret/solc/srcmap"
)

// rebase moves what is known of where a campaign went from the texts of one
// build to those of another that has the same code: comments and blanks move
// lines.
func rebase(e *finding.Exploration, from, to *solc.Build) *finding.Exploration {
	if e == nil || from == nil {
		return nil
	}
	moved := &finding.Exploration{Functions: e.Functions}
	for _, f := range e.Files {
		old, now := from.Source(f.File), to.Source(f.File)
		if old == nil || now == nil {
			continue
		}
		if !bytes.Equal(old.Text, now.Text) {
			f = rebaseFile(f, old, now)
		}
		moved.Files = append(moved.Files, f)
	}
	return moved
}

func rebaseFile(f finding.FileCoverage, old, now *solc.Source) finding.FileCoverage {
	edits := change.Diff(old.Text, now.Text)
	before, after := srcmap.NewLines(old.Text), srcmap.NewLines(now.Text)
	lines, branches := f.Lines, f.Branches
	f.Lines, f.Branches = nil, nil
	for _, l := range lines {
		start, end := before.LineSpan(l.Line)
		if start, _, fate := follow(old.Text, now.Text, edits, start, end); fate != gone {
			l.Line = after.OffsetPosition(start).Line
			f.Lines = append(f.Lines, l)
		}
	}
	for _, b := range branches {
		start, end, fate := follow(old.Text, now.Text, edits, b.Span.Start, b.Span.End())
		if fate == gone {
			continue
		}
		b.Span = srcmap.Span{Source: now.ID, Start: start, Length: end - start}
		b.Line = after.OffsetPosition(start).Line
		f.Branches = append(f.Branches, b)
	}
	return f
}

// Coverage returns what the campaigns on a contract say about a file of its
// build; nil if they say nothing.
func (c *Contract) Coverage(path string) *finding.FileCoverage {
	if c.Explored == nil {
		return nil
	}
	i := slices.IndexFunc(c.Explored.Files, func(f finding.FileCoverage) bool { return f.Path == path && path != "" })
	if i < 0 {
		return nil
	}
	return &c.Explored.Files[i]
}
