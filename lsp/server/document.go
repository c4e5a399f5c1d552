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
	"sync"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"leveret/engine/finding"
	"leveret/lsp/present"
	"leveret/solc/atomicfile"
)

// documentScheme is the URI scheme of the server's own documents.
const documentScheme = "leveret"

// maxDocuments bounds the documents in memory, and the files in each folder of
// the cache.
const maxDocuments = 50

// A document is a text that the server provides: a trace or an oracle's page.
type document struct {
	text    string
	sources map[string]string // absolute paths of the sources it refers to, by each of their names
	trace   present.TraceText
	traced  *finding.Finding // that the trace is of; nil: none
}

// documents are the server's own documents. A client that supports
// workspace/textDocumentContent shows them as virtual documents, others get
// files in the cache.
type documents struct {
	client *client
	cache  string // directory; empty: none

	mu      sync.Mutex
	texts   map[string]document // by URI
	scratch string              // temporary folder if the cache cannot be written; empty until needed
}

// open shows a document; folder and name say where a file of it is kept.
func (d *documents) open(ctx context.Context, folder, name string, doc document) (uri.URI, error) {
	var u uri.URI
	if d.client.can.virtual {
		u = uri.URI(documentScheme + ":/" + url.PathEscape(name))
	} else {
		path, err := d.write(folder, name, doc.text)
		if err != nil {
			return "", err
		}
		u = uri.File(path)
	}
	d.mu.Lock()
	if len(d.texts) >= maxDocuments {
		clear(d.texts)
	}
	d.texts[string(u)] = doc
	d.mu.Unlock()
	return u, d.client.show(ctx, u)
}

func (d *documents) find(u uri.URI) (document, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	doc, ok := d.texts[string(u)]
	return doc, ok
}

// write writes a file to the cache or, if that fails, to a temporary folder
// that close removes.
func (d *documents) write(folder, name, text string) (string, error) {
	err := errors.New("no cache directory")
	if d.cache != "" {
		var path string
		if path, err = writeBounded(filepath.Join(d.cache, folder), name, text); err == nil {
			return path, nil
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.scratch == "" {
		dir, failed := os.MkdirTemp("", "leveret-*")
		if failed != nil {
			return "", fmt.Errorf("cannot write the document: %w", err)
		}
		d.scratch = dir
	}
	return writeBounded(filepath.Join(d.scratch, folder), name, text)
}

// close removes the temporary folder.
func (d *documents) close() {
	if d.scratch != "" {
		_ = os.RemoveAll(d.scratch)
	}
}

// writeBounded writes a file and removes the oldest files of the folder if it
// has more than maxDocuments.
func writeBounded(dir, name, text string) (string, error) {
	path := filepath.Join(dir, name)
	if err := writeFile(path, text); err != nil {
		return "", err
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) <= maxDocuments {
		return path, nil
	}
	slices.SortFunc(entries, func(a, b os.DirEntry) int { return cmp.Compare(modTime(b), modTime(a)) })
	for _, old := range entries[maxDocuments:] {
		_ = os.Remove(filepath.Join(dir, old.Name())) // another server may have removed it
	}
	return path, nil
}

// modTime returns when a file was written, in nanoseconds; 0 if unknown.
func modTime(e os.DirEntry) int64 {
	info, err := e.Info()
	if err != nil {
		return 0
	}
	return info.ModTime().UnixNano()
}

// fileName replaces the characters that are not safe in a file name.
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

// content returns the text of a virtual document.
func (d *documents) content(_ context.Context, params *protocol.TextDocumentContentParams) (*protocol.TextDocumentContentResult, error) {
	doc, ok := d.find(params.URI)
	if !ok {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "there is no document %s; replay the finding again", params.URI)
	}
	return &protocol.TextDocumentContentResult{Text: doc.text}, nil
}
