package server

import (
	"context"
	"strings"

	"go.lsp.dev/protocol"

	"leveret/lsp/session"
)

// DidOpen has an opened file analysed. Documents that are no files, as the
// old side of a comparison, are ignored; for a new one that has no place yet,
// the user is told once what to do.
func (s *server) DidOpen(_ context.Context, params *protocol.DidOpenTextDocumentParams) error {
	d := params.TextDocument
	if path, ok := filePath(d.URI); ok && solidity(path) {
		s.session.Open(strings.Clone(string(d.URI)), path, d.Version, d.Text)
	} else if d.LanguageID == "solidity" && strings.HasPrefix(string(d.URI), "untitled:") {
		s.untitled.Do(func() {
			s.say(protocol.MessageTypeInfo, "Leveret: save this document to a .sol file to have it fuzzed.")
		})
	}
	return nil
}

// DidChange keeps the text up to date and moves what is shown with it.
func (s *server) DidChange(_ context.Context, params *protocol.DidChangeTextDocumentParams) error {
	path, ok := filePath(params.TextDocument.URI)
	if !ok || !solidity(path) {
		return nil
	}
	var changes []session.Change
	for _, change := range params.ContentChanges {
		switch c := change.(type) {
		case *protocol.TextDocumentContentChangePartial:
			changes = append(changes, session.Change{Start: point(c.Range.Start), End: point(c.Range.End), Text: c.Text})
		case *protocol.TextDocumentContentChangeWholeDocument:
			changes = append(changes, session.Change{Whole: true, Text: c.Text})
		}
	}
	return s.session.Change(path, params.TextDocument.Version, changes)
}

func point(p protocol.Position) session.Point {
	return session.Point{Line: int(p.Line), Character: int(p.Character)}
}

// DidSave starts the pipeline.
func (s *server) DidSave(_ context.Context, params *protocol.DidSaveTextDocumentParams) error {
	if path, ok := filePath(params.TextDocument.URI); ok && solidity(path) {
		s.session.Save(path)
	}
	return nil
}

// DidClose forgets what was found on behalf of the file.
func (s *server) DidClose(_ context.Context, params *protocol.DidCloseTextDocumentParams) error {
	if path, ok := filePath(params.TextDocument.URI); ok && solidity(path) {
		s.session.CloseFile(path)
	}
	return nil
}
