package server

import (
	"context"

	"go.lsp.dev/protocol"
)

// CodeLens shows state and coverage above contracts and functions.
func (s *server) CodeLens(_ context.Context, params *protocol.CodeLensParams) ([]protocol.CodeLens, error) {
	path, ok := filePath(params.TextDocument.URI)
	if !ok {
		return []protocol.CodeLens{}, nil
	}
	return s.client.Lenses(s.session.Snapshot(), path), nil
}
