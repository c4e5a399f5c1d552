package engine

import (
	"sync"
	"sync/atomic"

	"leveret/engine/input"
)

// A hub passes inputs that covered something new between searches of one
// contract. It is safe for concurrent use.
type hub struct {
	mu    sync.Mutex
	list  []published
	known map[uint64]bool // digests
	count atomic.Int64    // of list
}

// A published input belongs to the searcher that covered something with it.
type published struct {
	sequence input.Sequence
	from     int
}

func newHub() *hub { return &hub{known: map[uint64]bool{}} }

// publish offers an input to the other searchers. It does nothing if the input
// was published before.
func (h *hub) publish(from int, s input.Sequence, digest uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.known[digest] {
		h.known[digest] = true
		h.list = append(h.list, published{s, from})
		h.count.Store(int64(len(h.list)))
	}
}

// take returns the inputs of other searchers that were published since a number
// of inputs, and the number of all so far.
func (h *hub) take(by, since int) (list []input.Sequence, now int) {
	if int(h.count.Load()) == since {
		return nil, since
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, p := range h.list[since:] {
		if p.from != by {
			list = append(list, p.sequence)
		}
	}
	return list, len(h.list)
}
