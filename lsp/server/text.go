package server

import (
	"context"
	"strings"

	"go.lsp.dev/protocol"

	"leveret/lsp/session"
)

// didOpen analyses an opened file. Documents that are not files, for example
// the old side of a comparison, are ignored; for the first untitled one, a
// message asks the user to save it.
func (s *server) didOpen(_ context.Context, params *protocol.DidOpenTextDocumentParams) error {
	d := params.TextDocument
	if path, ok := filePath(d.URI); ok && solidity(path) {
		s.session.Open(strings.Clone(string(d.URI)), path, d.Version, d.Text)
	} else if d.LanguageID == "solidity" && strings.HasPrefix(string(d.URI), "untitled:") {
		s.untitled.Do(func() {
			s.client.say(protocol.MessageTypeInfo, "Leveret: save this document to a .sol file to fuzz it.")
		})
	}
	return nil
}

// didChange updates the text and moves the findings in it.
func (s *server) didChange(_ context.Context, params *protocol.DidChangeTextDocumentParams) error {
	path, ok := filePath(params.TextDocument.URI)
	if !ok || !solidity(path) {
		return nil
	}
	var changes []session.TextChange
	for _, change := range params.ContentChanges {
		switch c := change.(type) {
		case *protocol.TextDocumentContentChangePartial:
			changes = append(changes, session.TextChange{Start: point(c.Range.Start), End: point(c.Range.End), Text: c.Text})
		case *protocol.TextDocumentContentChangeWholeDocument:
			changes = append(changes, session.TextChange{Whole: true, Text: c.Text})
		}
	}
	return s.session.Change(path, params.TextDocument.Version, changes)
}

func point(p protocol.Position) session.Point {
	return session.Point{Line: int(p.Line), Character: int(p.Character)}
}

// didSave starts the pipeline.
func (s *server) didSave(_ context.Context, params *protocol.DidSaveTextDocumentParams) error {
	if path, ok := filePath(params.TextDocument.URI); ok && solidity(path) {
		s.session.Save(path)
	}
	return nil
}

// didClose drops the findings of the file's analysis.
func (s *server) didClose(_ context.Context, params *protocol.DidCloseTextDocumentParams) error {
	if path, ok := filePath(params.TextDocument.URI); ok && solidity(path) {
		s.session.CloseFile(path)
	}
	return nil
}
