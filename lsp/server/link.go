package server

import (
	"context"
	"encoding/json"

	"go.lsp.dev/protocol"
)

// linkRegistration requests documentLink for the server's own documents: by
// default, clients request it for their language only.
func linkRegistration() protocol.Registration {
	options, _ := json.Marshal(map[string]any{"documentSelector": []map[string]string{
		{"scheme": documentScheme}, {"scheme": "file", "pattern": "**/*.trace"},
	}})
	return protocol.Registration{ID: "links", Method: protocol.MethodTextDocumentDocumentLink, RegisterOptions: options}
}

// links finds the source positions in one of the server's documents, and the lines of a
// trace at which the debugger can be started.
func (d *documents) links(_ context.Context, params *protocol.DocumentLinkParams) ([]protocol.DocumentLink, error) {
	doc, ok := d.find(params.TextDocument.URI)
	if !ok {
		return []protocol.DocumentLink{}, nil
	}
	list := d.client.format.Links(doc.text, doc.sources)
	return append(list, d.client.format.DebugLinks(&doc.trace, params.TextDocument.URI)...), nil
}
