package server

import (
	"context"
	"encoding/json"

	"go.lsp.dev/protocol"
)

// linkRegistration asks the client for links in the documents that the server
// makes: clients ask in those of their language only.
func linkRegistration() protocol.Registration {
	options, _ := json.Marshal(map[string]any{"documentSelector": []map[string]string{
		{"scheme": documentScheme}, {"scheme": "file", "pattern": "**/*.trace"},
	}})
	return protocol.Registration{ID: "links", Method: protocol.MethodTextDocumentDocumentLink, RegisterOptions: options}
}

// DocumentLink finds the places of sources in a document that the server made.
func (s *server) DocumentLink(_ context.Context, params *protocol.DocumentLinkParams) ([]protocol.DocumentLink, error) {
	s.mu.Lock()
	d, ok := s.documents[string(params.TextDocument.URI)]
	s.mu.Unlock()
	if !ok {
		return []protocol.DocumentLink{}, nil
	}
	return s.client.Links(d.text, d.sources), nil
}
