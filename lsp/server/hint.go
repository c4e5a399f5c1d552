package server

import (
	"context"

	"go.lsp.dev/protocol"
)

// InlayHint shows the values that make a function fail.
func (s *server) InlayHint(_ context.Context, params *protocol.InlayHintParams) ([]protocol.InlayHint, error) {
	path, ok := filePath(params.TextDocument.URI)
	if !ok {
		return []protocol.InlayHint{}, nil
	}
	return s.client.Hints(s.session.Snapshot(), path, params.Range), nil
}
