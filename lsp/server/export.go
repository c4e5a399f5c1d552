package server

import (
	"context"
	"os"

	"go.lsp.dev/uri"

	"leveret/lsp/present"
)

// exportCommand adds a regression test for a finding to the project.
func (s *server) exportCommand(ctx context.Context, a arguments) (any, error) {
	snapshot, m, err := s.mark(a)
	if err != nil {
		return nil, err
	}
	text, path, err := s.session.Test(ctx, m.Finding.ID)
	if err != nil {
		return nil, err
	}
	old, exists := "", false
	if d := snapshot.Document(path); d != nil {
		old, exists = string(d.Text), true
	} else if raw, err := os.ReadFile(path); err == nil {
		old, exists = string(raw), true
	}
	edit := present.TestEdit(uri.File(path), old, exists, text, s.caps.createFiles)
	if edit == nil { // the client cannot create files
		if err := writeFile(path, text); err != nil {
			return nil, err
		}
		return string(uri.File(path)), s.show(ctx, uri.File(path))
	}
	if err := s.apply(ctx, "Add regression test", edit); err != nil {
		return nil, err
	}
	return string(uri.File(path)), nil
}
