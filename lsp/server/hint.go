package server

import (
	"context"

	"go.lsp.dev/protocol"
)

// inlayHint shows the values that make a function fail.
func (s *server) inlayHint(_ context.Context, params *protocol.InlayHintParams) ([]protocol.InlayHint, error) {
	path, ok := filePath(params.TextDocument.URI)
	if !ok {
		return []protocol.InlayHint{}, nil
	}
	return s.client.format.Hints(s.session.Snapshot(), path, params.Range), nil
}
