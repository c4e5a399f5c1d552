package session

import (
	"bytes"
	"sync"

	"leveret/solc/change"
)

type edit = change.Edit

// A history remembers the last comparison of a document with an older text:
// one request moves many ranges from the same text.
type history struct {
	mu    sync.Mutex
	old   []byte
	edits []edit
	known bool
}

// since returns what turns old into the document's text.
func (d *Document) since(old []byte) []edit {
	h := d.history
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.known || !bytes.Equal(h.old, old) {
		h.old, h.edits, h.known = old, change.Diff(old, d.Text), true
	}
	return h.edits
}
