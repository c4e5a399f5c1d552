package engine

import (
	"sync"
	"sync/atomic"

	"leveret/engine/input"
)

// A hub passes inputs that covered something new between searches of one
// contract. It is safe for concurrent use.
type hub struct {
	peers   Peers        // that get them too; nil: none
	workers int          // searchers here
	turns   atomic.Int64 // how often a searcher asked whether it is to hear the peers

	mu    sync.Mutex
	list  []published
	first int             // number of list[0]: the ones before were dropped
	known map[uint64]bool // digests
	count atomic.Int64    // of all so far
}

// The bounds of what a hub keeps. Searchers take every few inputs: one that lags so
// far behind misses some, and an input that is published twice is executed once.
const (
	maxPublished = 4096
	maxDigests   = 1 << 16
)

// A published input belongs to the searcher that covered something with it.
type published struct {
	sequence input.Sequence
	from     int
}

// fromPeers is the searcher of what peers published: none.
const fromPeers = -1

func newHub(peers Peers, workers int) *hub {
	return &hub{peers: peers, workers: workers, known: map[uint64]bool{}}
}

// hears reports whether the searcher that asks is to hear the peers now: whichever
// comes first, and then one of as many as there are, so that none waits for another.
func (h *hub) hears() bool {
	return h.peers != nil && (h.turns.Add(1)-1)%int64(h.workers) == 0
}

// publish offers an input to the other searchers and to the peers. It does nothing if
// the input was published before.
func (h *hub) publish(from int, s input.Sequence, digest uint64) {
	h.mu.Lock()
	if h.known[digest] {
		h.mu.Unlock()
		return
	}
	if len(h.known) >= maxDigests {
		clear(h.known)
	}
	h.known[digest] = true
	h.add(published{s, from})
	h.mu.Unlock()
	if h.peers != nil {
		h.peers.Publish(s)
	}
}

// pass offers an input of a peer to the searchers.
func (h *hub) pass(s input.Sequence) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.add(published{s, fromPeers})
}

func (h *hub) add(p published) {
	if len(h.list) >= maxPublished {
		h.first += len(h.list) / 2
		h.list = append([]published(nil), h.list[len(h.list)/2:]...)
	}
	h.list = append(h.list, p)
	h.count.Store(int64(h.first + len(h.list)))
}

// take returns the inputs of other searchers that were published since a number
// of inputs, and the number of all so far.
func (h *hub) take(by, since int) (list []input.Sequence, now int) {
	if int(h.count.Load()) == since {
		return nil, since
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, p := range h.list[max(0, since-h.first):] {
		if p.from != by {
			list = append(list, p.sequence)
		}
	}
	return list, h.first + len(h.list)
}
