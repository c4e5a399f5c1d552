package server

import (
	"context"

	"go.lsp.dev/protocol"
)

// hover describes a finding or a function.
func (s *server) hover(_ context.Context, params *protocol.HoverParams) (*protocol.Hover, error) {
	path, ok := filePath(params.TextDocument.URI)
	if !ok {
		return nil, nil
	}
	return s.client.format.Hover(s.session.Snapshot(), path, params.Position), nil
}
