package session

import (
	"fmt"
	"slices"

	"leveret/solc/srcmap"
)

// A Document is the text of a file: what the editor holds if it is open, else
// what is on disk or was compiled. It is immutable.
type Document struct {
	URI     string // as the client writes it
	Path    string // absolute
	Version int32
	Open    bool
	Text    []byte
	Lines   *srcmap.Lines
	history *history
}

func newDocument(uri, path string, version int32, open bool, text []byte) *Document {
	return &Document{URI: uri, Path: path, Version: version, Open: open, Text: text, Lines: srcmap.NewLines(text), history: new(history)}
}

// A Change is one change of a document: of a range, or of all of it.
type Change struct {
	Whole      bool
	Start, End srcmap.Point
	Text       string
}

// change applies one change.
func (d *Document) change(c Change, encoding srcmap.Encoding) (*Document, error) {
	start, end := 0, len(d.Text)
	if !c.Whole {
		start, end = d.Lines.PointOffset(c.Start, encoding), d.Lines.PointOffset(c.End, encoding)
		if start > end {
			return d, fmt.Errorf("change of %s from %+v to %+v goes backwards", d.URI, c.Start, c.End)
		}
	}
	text := slices.Concat(d.Text[:start:start], []byte(c.Text), d.Text[end:])
	return newDocument(d.URI, d.Path, d.Version, d.Open, text), nil
}
