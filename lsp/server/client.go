package server

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
	"go.uber.org/zap"

	"leveret/lsp/present"
	"leveret/lsp/rpc"
)

// Bounds of a call to the client: a client that never answers must not block
// the server for ever.
const (
	callTimeout = 10 * time.Second
	userTimeout = 5 * time.Minute // the client may ask the user
)

// A client is the other end of the connection. Initialize sets what it
// supports before any other message is handled; everything else is constant.
type client struct {
	peer     rpc.Peer
	log      *zap.Logger
	messages *messageQueue

	format     present.Client // how it displays
	can        capabilities
	extensions bool // it requested the notifications leveret/…
}

// say shows a message to the user. It does not wait for the client.
func (c *client) say(kind protocol.MessageType, text string) { c.messages.add(kind, text, true) }

// warn logs an error of a call, unless the connection is over.
func (c *client) warn(ctx context.Context, what string, err error) {
	if err != nil && ctx.Err() == nil {
		c.log.Sugar().Warnf("%s: %v", what, err)
	}
}

// apply requests a workspace edit.
func (c *client) apply(ctx context.Context, label string, edit *protocol.WorkspaceEdit) error {
	if edit == nil {
		return errors.New("nothing to edit: the finding's lines are gone")
	}
	if !c.can.applyEdit {
		return errors.New("this editor does not support workspace/applyEdit")
	}
	ctx, cancel := context.WithTimeout(ctx, userTimeout)
	defer cancel()
	result, err := c.peer.ApplyEdit(ctx, &protocol.ApplyWorkspaceEditParams{Label: &label, Edit: *edit})
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("the editor did not answer workspace/applyEdit within %v", userTimeout)
	}
	if err != nil {
		return err
	}
	if result == nil || !result.Applied {
		return errors.New("the editor did not apply the edit")
	}
	return nil
}

// show opens a document, or shows its path if the client cannot open one.
func (c *client) show(ctx context.Context, u uri.URI) error {
	if !c.can.showDocument {
		c.say(protocol.MessageTypeInfo, "Leveret: see "+u.FsPath())
		return nil
	}
	focus := true
	ctx, cancel := context.WithTimeout(ctx, userTimeout)
	defer cancel()
	result, err := c.peer.ShowDocument(ctx, &protocol.ShowDocumentParams{URI: u, TakeFocus: &focus})
	if err != nil {
		return fmt.Errorf("open %s: %w", u, err)
	}
	if result == nil || !result.Success {
		return fmt.Errorf("the editor did not open %s", u)
	}
	return nil
}

// browse opens a web page.
func (c *client) browse(ctx context.Context, u uri.URI) error {
	external := true
	ctx, cancel := context.WithTimeout(ctx, userTimeout)
	defer cancel()
	_, err := c.peer.ShowDocument(ctx, &protocol.ShowDocumentParams{URI: u, External: &external})
	return err
}

// createProgress requests a work-done progress with the given token.
func (c *client) createProgress(ctx context.Context, token protocol.ProgressToken) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	return c.peer.WorkDoneProgressCreate(ctx, &protocol.WorkDoneProgressCreateParams{Token: token})
}

// report sends a value of a work-done progress.
func (c *client) report(ctx context.Context, token protocol.ProgressToken, value any) {
	raw, err := protocol.Marshal(value)
	if err == nil {
		err = c.peer.Progress(ctx, &protocol.ProgressParams{Token: token, Value: raw})
	}
	c.warn(ctx, "progress", err)
}

// refresh requests that the client asks for lenses and hints again.
func (c *client) refresh(ctx context.Context) {
	timeout, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	if c.can.lensRefresh {
		c.warn(ctx, "refresh lenses", c.peer.CodeLensRefresh(timeout))
	}
	if c.can.hintRefresh {
		c.warn(ctx, "refresh hints", c.peer.InlayHintRefresh(timeout))
	}
}
