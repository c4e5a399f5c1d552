package server

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// exportTest adds a regression test for a finding to the project.
func (c *commands) exportTest(ctx context.Context, a arguments) (any, error) {
	snapshot, m, err := c.finding(a)
	if err != nil {
		return nil, err
	}
	file, err := c.session.Test(snapshot, m)
	if err != nil {
		return nil, err
	}
	to := uri.File(file.Path)
	if string(file.Old) == string(file.Text) {
		c.client.say(protocol.MessageTypeInfo, fmt.Sprintf("Leveret: the test for %s is in %s already.", m.Finding.ID, file.Path))
		return string(to), c.client.show(ctx, to)
	}
	// Some clients, for example Emacs's lsp-mode, create a file but not its
	// folder.
	if err := os.MkdirAll(filepath.Dir(file.Path), 0o755); err != nil {
		return nil, err
	}
	edit := c.client.format.TestEdit(snapshot, file, c.client.can.createFiles)
	if edit == nil { // the client cannot create files
		if err := writeFile(file.Path, string(file.Text)); err != nil {
			return nil, err
		}
		return string(to), c.client.show(ctx, to)
	}
	if err := c.client.apply(ctx, "Add regression test", edit); err != nil {
		return nil, err
	}
	return string(to), nil
}
