package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"leveret/solc/atomicfile"
)

// documentScheme is the scheme of the documents that the server itself
// provides.
const documentScheme = "leveret"

// maxDocuments bounds how many documents are kept: in memory for clients that
// ask for them again, and as files in each folder of the cache.
const maxDocuments = 50

// A document is a text of the server's own: a trace, the page of an oracle.
type document struct {
	text    string
	sources map[string]string // absolute paths of the files that it speaks of, by all their names
}

// openDocument opens a document of the server's: as a virtual one where the
// client knows such, else as a file in a folder of the cache.
func (s *server) openDocument(ctx context.Context, folder, name string, d document) (uri.URI, error) {
	var u uri.URI
	if s.caps.virtual {
		u = uri.URI(documentScheme + ":/" + url.PathEscape(name))
	} else {
		path, err := s.cacheDocument(folder, name, d.text)
		if err != nil {
			return "", err
		}
		u = uri.File(path)
	}
	s.mu.Lock()
	if len(s.documents) >= maxDocuments {
		clear(s.documents)
	}
	s.documents[string(u)] = d
	s.mu.Unlock()
	return u, s.show(ctx, u)
}

// cacheDocument writes a document to the cache or, if that takes nothing, to a
// folder that lasts as long as the server.
func (s *server) cacheDocument(folder, name, text string) (string, error) {
	err := errors.New("there is no cache directory")
	if cache := s.config.Session.Cache; cache != "" {
		var path string
		if path, err = keepDocument(filepath.Join(cache, folder), name, text); err == nil {
			return path, nil
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.scratch == "" {
		dir, failed := os.MkdirTemp("", "leveret-*")
		if failed != nil {
			return "", fmt.Errorf("there is no place for the document: %w", err)
		}
		s.scratch = dir
	}
	return keepDocument(filepath.Join(s.scratch, folder), name, text)
}

// keepDocument writes a document to a folder and removes the oldest there if
// there are too many.
func keepDocument(dir, name, text string) (string, error) {
	path := filepath.Join(dir, name)
	if err := writeFile(path, text); err != nil {
		return "", err
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) <= maxDocuments {
		return path, nil
	}
	slices.SortFunc(entries, func(a, b os.DirEntry) int { return cmp.Compare(age(b), age(a)) })
	for _, old := range entries[maxDocuments:] {
		_ = os.Remove(filepath.Join(dir, old.Name())) // another server was quicker
	}
	return path, nil
}

// age is when a file was written; what cannot be told is old.
func age(e os.DirEntry) int64 {
	info, err := e.Info()
	if err != nil {
		return 0
	}
	return info.ModTime().UnixNano()
}

// fileName keeps what is harmless in the name of a file.
func fileName(id string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_', r == '.':
			return r
		}
		return '_'
	}, id)
}

func writeFile(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return atomicfile.WriteFile(path, []byte(text), 0o600)
}

// show opens a document. A client that cannot is told where it is: the
// command's answer has it too.
func (s *server) show(ctx context.Context, u uri.URI) error {
	if !s.caps.showDocument {
		s.say(protocol.MessageTypeInfo, "Leveret: see "+u.FsPath())
		return nil
	}
	focus := true
	ctx, cancel := context.WithTimeout(ctx, userWait)
	defer cancel()
	result, err := s.peer.ShowDocument(ctx, &protocol.ShowDocumentParams{URI: u, TakeFocus: &focus})
	if err != nil {
		return fmt.Errorf("open %s: %w", u, err)
	}
	if result == nil || !result.Success {
		return fmt.Errorf("the editor did not open %s", u)
	}
	return nil
}

// TextDocumentContent provides a document that was opened as a virtual one.
func (s *server) TextDocumentContent(_ context.Context, params *protocol.TextDocumentContentParams) (*protocol.TextDocumentContentResult, error) {
	s.mu.Lock()
	d, ok := s.documents[string(params.URI)]
	s.mu.Unlock()
	if !ok {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "there is no document %s; replay the finding again", params.URI)
	}
	return &protocol.TextDocumentContentResult{Text: d.text}, nil
}
