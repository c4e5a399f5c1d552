package present

import (
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/lsp/session"
	"leveret/solc/srcmap"
)

// A WitnessJSON is a finding with what shows it, for other programs.
type WitnessJSON struct {
	ID         string               `json:"id"`
	Oracle     string               `json:"oracle"`
	Severity   finding.Severity     `json:"severity"`
	Message    string               `json:"message"`
	Contract   string               `json:"contract"`
	File       string               `json:"file"`
	Deployment []input.JSONCreation `json:"deployment"`
	Sequence   []input.JSONTx       `json:"sequence"`
}

// Witness returns a finding in that form.
func Witness(m session.Place) WitnessJSON {
	f := m.Finding
	w := WitnessJSON{ID: f.ID, Oracle: f.Oracle, Severity: f.Severity, Message: f.Message, Contract: f.Contract, File: f.Place.File}
	if f.Witness.Deployment != nil {
		w.Deployment, w.Sequence = f.Witness.JSON(input.Block{})
	}
	return w
}

// TestEdit creates the file of a regression test, or puts the test behind what
// is in it. It returns nil if the client would have to create the file and
// cannot.
func TestEdit(file uri.URI, old string, exists bool, text string, create bool) *protocol.WorkspaceEdit {
	if exists {
		lines := srcmap.NewLines([]byte(old))
		end := Client{}.position(lines, len(old))
		insert := protocol.TextEdit{Range: protocol.Range{Start: end, End: end}, NewText: "\n" + text}
		return &protocol.WorkspaceEdit{Changes: map[uri.URI][]protocol.TextEdit{file: {insert}}}
	}
	if !create {
		return nil
	}
	keep := true
	return &protocol.WorkspaceEdit{DocumentChanges: []protocol.DocumentChange{
		&protocol.CreateFile{Kind: "create", URI: file, Options: &protocol.CreateFileOptions{IgnoreIfExists: &keep}},
		&protocol.TextDocumentEdit{
			TextDocument: protocol.OptionalVersionedTextDocumentIdentifier{TextDocumentIdentifier: protocol.TextDocumentIdentifier{URI: file}},
			Edits:        []protocol.TextDocumentEditElement{&protocol.TextEdit{NewText: text}},
		},
	}}
}
