package server

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// exportCommand adds a regression test for a finding to the project.
func (s *server) exportCommand(ctx context.Context, a arguments) (any, error) {
	snapshot, m, err := s.mark(a)
	if err != nil {
		return nil, err
	}
	file, err := s.session.Test(m.Finding.ID)
	if err != nil {
		return nil, err
	}
	to := uri.File(file.Path)
	if string(file.Old) == string(file.Text) {
		s.say(protocol.MessageTypeInfo, fmt.Sprintf("Leveret: the test for %s is in %s already.", m.Finding.ID, file.Path))
		return string(to), s.show(ctx, to)
	}
	// Emacs's lsp-mode, for one, creates a file, but not its folder.
	if err := os.MkdirAll(filepath.Dir(file.Path), 0o755); err != nil {
		return nil, err
	}
	edit := s.client.TestEdit(snapshot, file, s.caps.createFiles)
	if edit == nil { // the client cannot create files
		if err := writeFile(file.Path, string(file.Text)); err != nil {
			return nil, err
		}
		return string(to), s.show(ctx, to)
	}
	if err := s.apply(ctx, "Add regression test", edit); err != nil {
		return nil, err
	}
	return string(to), nil
}
