package search

import (
	"slices"

	"leveret/engine/corpus"
)

const MaxStateBytes = maxStateBytes

// Evict drops the cached states of an entry.
func (c *Corpus) Evict(e *corpus.Entry) {
	a := Attached(e)
	if i := slices.Index(c.states.holding, a); i >= 0 {
		c.states.holding = slices.Delete(c.states.holding, i, i+1)
		c.states.bytes -= a.size
	}
	a.states = nil
}

// Occupy counts bytes as cached that no entry holds.
func (c *Corpus) Occupy(bytes int) { c.states.bytes += bytes }

// Cached returns how many attachments hold states, and the bytes that are
// counted.
func (c *Corpus) Cached() (attachments, bytes int) { return len(c.states.holding), c.states.bytes }

// StateBytes returns the size of the cached states of an entry; false if they
// were evicted.
func StateBytes(e *corpus.Entry) (int, bool) { return Attached(e).size, Attached(e).states != nil }
