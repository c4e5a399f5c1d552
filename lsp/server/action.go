package server

import (
	"context"

	"go.lsp.dev/protocol"

	"leveret/lsp/present"
)

// CodeAction offers what can be done about findings, and about a compiler that
// is missing.
func (s *server) CodeAction(_ context.Context, params *protocol.CodeActionParams) ([]protocol.CommandOrCodeAction, error) {
	path, ok := filePath(params.TextDocument.URI)
	if !ok {
		return []protocol.CommandOrCodeAction{}, nil
	}
	can := present.Abilities{Test: s.session.Config().Test != nil, Install: s.session.Config().Install != nil}
	return s.client.Actions(s.session.Snapshot(), path, params.Range, params.Context.Only, can), nil
}

// CodeActionResolve computes the edit of a chosen action.
func (s *server) CodeActionResolve(_ context.Context, action *protocol.CodeAction) (*protocol.CodeAction, error) {
	return s.client.ResolveAction(s.session.Snapshot(), action), nil
}
