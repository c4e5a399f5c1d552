package present

import (
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"leveret/lsp/session"
	"leveret/solc/change"
	"leveret/solc/srcmap"
)

// TestEdit returns the edit that creates or extends a file of regression tests.
// It returns nil if the file must be created and the client cannot.
func (c Client) TestEdit(s *session.Snapshot, file session.TestFile, create bool) *protocol.WorkspaceEdit {
	to := FileURI(s, file.Path)
	if file.Exists {
		lines := srcmap.NewLines(file.Old)
		var edits []protocol.TextEdit
		for _, e := range change.Edits(file.Old, file.Text) {
			edits = append(edits, protocol.TextEdit{Range: c.rangeOf(lines, e.Start, e.End), NewText: e.Text})
		}
		return &protocol.WorkspaceEdit{Changes: map[uri.URI][]protocol.TextEdit{to: edits}}
	}
	if !create {
		return nil
	}
	keep := true
	return &protocol.WorkspaceEdit{DocumentChanges: []protocol.DocumentChange{
		&protocol.CreateFile{Kind: "create", URI: to, Options: &protocol.CreateFileOptions{IgnoreIfExists: &keep}},
		&protocol.TextDocumentEdit{
			TextDocument: protocol.OptionalVersionedTextDocumentIdentifier{TextDocumentIdentifier: protocol.TextDocumentIdentifier{URI: to}},
			Edits:        []protocol.TextDocumentEditElement{&protocol.TextEdit{NewText: string(file.Text)}},
		},
	}}
}
