package server

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// traceScheme is the scheme of the documents that the server itself provides.
const traceScheme = "leveret"

// maxTraces bounds how many traces are kept for clients that ask for them
// again.
const maxTraces = 50

// replay runs a finding's witness again and opens its trace: as a virtual
// document where the client knows such, else as a file in the cache.
func (s *server) replay(ctx context.Context, id string) (string, error) {
	snapshot := s.session.Snapshot()
	m, ok := snapshot.Find(id)
	if !ok {
		return "", fmt.Errorf("there is no finding %q any more", id)
	}
	text := s.client.Story(snapshot, m)
	if s.session.Config().Trace != nil {
		trace, err := s.session.Trace(ctx, id)
		if err != nil {
			return "", err
		}
		text += "\n" + trace
	}
	name := strings.Map(fileRune, id) + ".trace"
	if s.caps.virtual {
		u := uri.URI(traceScheme + ":/" + url.PathEscape(name))
		s.keepTrace(string(u), text)
		return string(u), s.show(ctx, u)
	}
	cache := s.config.Session.Cache
	if cache == "" {
		return "", errors.New("there is no cache directory to put the trace in")
	}
	path := filepath.Join(cache, "traces", name)
	if err := writeFile(path, text); err != nil {
		return "", err
	}
	u := uri.File(path)
	return string(u), s.show(ctx, u)
}

// fileRune keeps what is harmless in the name of a file.
func fileRune(r rune) rune {
	switch {
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_', r == '.':
		return r
	}
	return '_'
}

func writeFile(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o600)
}

func (s *server) keepTrace(u, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.traces) >= maxTraces {
		clear(s.traces)
	}
	s.traces[u] = text
}

// show opens a document. A client that cannot is told where it is: the
// command's answer has it too.
func (s *server) show(ctx context.Context, u uri.URI) error {
	if !s.caps.showDocument {
		s.say(protocol.MessageTypeInfo, "Leveret: the trace is in "+u.FsPath())
		return nil
	}
	focus := true
	result, err := s.peer.ShowDocument(ctx, &protocol.ShowDocumentParams{URI: u, TakeFocus: &focus})
	if err != nil {
		return fmt.Errorf("open %s: %w", u, err)
	}
	if result == nil || !result.Success {
		return fmt.Errorf("the editor did not open %s", u)
	}
	return nil
}

// TextDocumentContent provides a trace that was opened as a virtual document.
func (s *server) TextDocumentContent(_ context.Context, params *protocol.TextDocumentContentParams) (*protocol.TextDocumentContentResult, error) {
	s.mu.Lock()
	text, ok := s.traces[string(params.URI)]
	s.mu.Unlock()
	if !ok {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "there is no document %s; replay the finding again", params.URI)
	}
	return &protocol.TextDocumentContentResult{Text: text}, nil
}
