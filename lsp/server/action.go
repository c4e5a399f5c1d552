package server

import (
	"context"

	"go.lsp.dev/protocol"

	"leveret/lsp/present"
)

// codeAction lists the actions on findings, and the installation of a missing
// compiler.
func (s *server) codeAction(_ context.Context, params *protocol.CodeActionParams) ([]protocol.CommandOrCodeAction, error) {
	path, ok := filePath(params.TextDocument.URI)
	if !ok {
		return []protocol.CommandOrCodeAction{}, nil
	}
	snapshot := s.session.Snapshot()
	can := present.Abilities{Test: s.session.CanTest(), Install: s.session.CanInstall(), Debug: s.client.format.Debugs(snapshot, path)}
	return s.client.format.Actions(snapshot, path, params.Range, params.Context.Only, can), nil
}

// codeActionResolve computes the edit of an action that the user chose.
func (s *server) codeActionResolve(_ context.Context, action *protocol.CodeAction) (*protocol.CodeAction, error) {
	return s.client.format.ResolveAction(s.session.Snapshot(), action), nil
}
