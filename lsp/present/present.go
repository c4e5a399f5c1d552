// Package present turns what a session knows into what a client shows:
// diagnostics, actions, lenses, hints, hovers, status. Its functions are pure:
// a Snapshot and what the client can display go in, protocol values come out.
//
// It knows no connection, runs nothing and remembers nothing.
package present

import (
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"leveret/lsp/session"
	"leveret/solc/srcmap"
)

// Source is the source of all diagnostics.
const Source = "leveret"

// A Client is what is to be known of the client to present anything to it.
type Client struct {
	Encoding session.Encoding
	Related  bool // shows related information
	Literals bool // takes code actions that are not mere commands
	Resolve  bool // asks for the edit of a code action when it is chosen
	Data     bool // keeps the data of diagnostics and actions
	Markdown bool // in hovers
}

// FileURI returns the URI of a file as the client writes it, if it does.
func FileURI(s *session.Snapshot, path string) uri.URI {
	if d := s.Document(path); d != nil && d.URI != "" {
		return uri.URI(d.URI)
	}
	return uri.File(path)
}

// rangeOf turns bytes of a text into a range.
func (c Client) rangeOf(lines *srcmap.Lines, start, end int) protocol.Range {
	return protocol.Range{Start: c.position(lines, start), End: c.position(lines, end)}
}

func (c Client) position(lines *srcmap.Lines, offset int) protocol.Position {
	p := lines.OffsetPoint(offset, c.Encoding)
	return protocol.Position{Line: uint32(p.Line), Character: uint32(p.Character)}
}

// Offset returns the byte offset of a position in a document.
func (c Client) Offset(d *session.Document, p protocol.Position) int {
	return d.Lines.PointOffset(srcmap.Point{Line: int(p.Line), Character: int(p.Character)}, c.Encoding)
}

// firstLine is the range of the first line of a document.
func (c Client) firstLine(d *session.Document) protocol.Range {
	start, end := d.Lines.LineSpan(1)
	return c.rangeOf(d.Lines, start, end)
}

// location is a range of the present text of a file: of compiled, where nobody
// has another.
func (c Client) location(s *session.Snapshot, path string, compiled []byte, span srcmap.Span) protocol.Location {
	lines := srcmap.NewLines(compiled)
	if d := s.Document(path); d != nil {
		lines = d.Lines
	}
	return protocol.Location{URI: FileURI(s, path), Range: c.rangeOf(lines, span.Start, span.End())}
}
