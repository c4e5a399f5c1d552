package server

import (
	"context"

	"go.lsp.dev/protocol"
)

// codeLens shows state and coverage above contracts and functions.
func (s *server) codeLens(_ context.Context, params *protocol.CodeLensParams) ([]protocol.CodeLens, error) {
	path, ok := filePath(params.TextDocument.URI)
	if !ok {
		return []protocol.CodeLens{}, nil
	}
	return s.client.format.Lenses(s.session.Snapshot(), path), nil
}
