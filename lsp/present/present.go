// Package present formats Snapshots for clients: diagnostics, actions, lenses,
// hints, hovers and status. Its functions are pure: they take a Snapshot and
// the client's display capabilities and return protocol values.
//
// It knows no connection, runs nothing and keeps no state.
package present

import (
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"leveret/lsp/session"
	"leveret/solc/srcmap"
)

// Source is the source of all diagnostics.
const Source = "leveret"

// A Client has the display capabilities of a client.
type Client struct {
	Encoding session.Encoding
	Related  bool // shows related information
	Literals bool // supports CodeAction literals, not only commands
	Resolve  bool // resolves the edit of a code action when the user chooses it
	Data     bool // keeps the data of diagnostics and actions
	Markdown bool // in hovers
	Debugger bool // starts a debugger with the result of a command

	CommandLinks bool // runs the command of a link command:NAME?ARGUMENTS
}

// FileURI returns the URI of a file, in the client's spelling if known.
func FileURI(s *session.Snapshot, path string) uri.URI {
	if d := s.Document(path); d != nil && d.URI != "" {
		return uri.URI(d.URI)
	}
	return uri.File(path)
}

// rangeOf converts byte offsets to a range.
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

// Span returns the byte range of a range in a document.
func (c Client) Span(d *session.Document, r protocol.Range) srcmap.Span {
	start, end := c.Offset(d, r.Start), c.Offset(d, r.End)
	return srcmap.Span{Start: start, Length: max(0, end-start)}
}

// firstLine returns the range of a document's first line.
func (c Client) firstLine(d *session.Document) protocol.Range {
	start, end := d.Lines.LineSpan(1)
	return c.rangeOf(d.Lines, start, end)
}

// location returns a range in the current text of a file, which is compiled
// unless the session has a Document.
func (c Client) location(s *session.Snapshot, path string, compiled []byte, span srcmap.Span) protocol.Location {
	lines := srcmap.NewLines(compiled)
	if d := s.Document(path); d != nil {
		lines = d.Lines
	}
	return protocol.Location{URI: FileURI(s, path), Range: c.rangeOf(lines, span.Start, span.End())}
}
