package server

import (
	"context"

	"go.lsp.dev/protocol"
)

// Hover tells about a finding or a function.
func (s *server) Hover(_ context.Context, params *protocol.HoverParams) (*protocol.Hover, error) {
	path, ok := filePath(params.TextDocument.URI)
	if !ok {
		return nil, nil
	}
	return s.client.Hover(s.session.Snapshot(), path, params.Position), nil
}
