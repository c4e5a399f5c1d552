package session

import (
	"fmt"
	"slices"

	"leveret/engine/suppress"
	"leveret/solc/srcmap"
)

// A Document is the text of a file: the editor's if it is open, else that on
// the disk or in the last build. It is immutable.
type Document struct {
	URI      string // in the client's spelling
	Path     string // absolute
	Version  int32
	Open     bool
	Gone     bool // it is not open, and its file does not exist: nothing is shown in it
	Text     []byte
	Lines    *srcmap.Lines
	Silences []suppress.Comment // the comments that suppress findings
	history  *history
	disk     []byte // what the disk has of an open file, when it changed there the last time; nil if unknown
}

func newDocument(uri, path string, version int32, open bool, text []byte) *Document {
	return &Document{
		URI: uri, Path: path, Version: version, Open: open, Text: text,
		Lines: srcmap.NewLines(text), Silences: suppress.Parse(text), history: new(history),
	}
}

// silenced reports whether a comment suppresses an oracle's findings at an offset.
func (d *Document) silenced(oracle string, at int) bool {
	line := d.Lines.Line(at)
	return slices.ContainsFunc(d.Silences, func(c suppress.Comment) bool { return c.Covers(oracle, line) })
}

// A TextChange replaces a range of a document, or all of it.
type TextChange struct {
	Whole      bool
	Start, End srcmap.Point
	Text       string
}

// change applies one change.
func (d *Document) change(c TextChange, encoding srcmap.Encoding) (*Document, error) {
	start, end := 0, len(d.Text)
	if !c.Whole {
		start, end = d.Lines.PointOffset(c.Start, encoding), d.Lines.PointOffset(c.End, encoding)
		if start > end {
			return d, fmt.Errorf("change of %s from %+v to %+v goes backwards", d.URI, c.Start, c.End)
		}
	}
	text := slices.Concat(d.Text[:start:start], []byte(c.Text), d.Text[end:])
	changed := newDocument(d.URI, d.Path, d.Version, d.Open, text)
	changed.disk = d.disk
	return changed, nil
}

// ShareLine reports whether two ranges of the text have a line in common.
func (d *Document) ShareLine(a, b srcmap.Span) bool {
	return d.Lines.Line(a.Start) <= d.Lines.Line(b.End()) && d.Lines.Line(b.Start) <= d.Lines.Line(a.End())
}
