package exec

import (
	"leveret/engine/bounded"
	"leveret/engine/evm"
	"leveret/engine/finding"
)

// Prefixes remember where sequences of transactions led to, by their digests, so
// that none is executed twice: a state, or the failure of the last one. They keep
// those that are used, in bounded memory. They belong to one goroutine.
type Prefixes struct {
	Reuse finding.Reuse // Found and Again

	slots    []prefix
	index    map[uint64]int // of slots, by digest
	hand     int            // slot that is looked at next for eviction
	bytes    int            // of the worlds in slots
	maxSlots int
	maxBytes int
	ever     *bounded.Map // digests of all that were known
}

// A prefix is where a sequence led to.
type prefix struct {
	digest  uint64
	state   State        // if the last transaction succeeded
	failure *evm.Outcome // nil: it succeeded
	size    int          // of the world
	used    bool         // since the hand last passed it
}

// Bounds of the remembered states. 32,000 hold three quarters of the prefixes
// that come again on the real contracts. Workers share them, as the collector has to
// mark what each of them remembers: 8,000 are enough for less than 10 % of the
// transactions to be executed again in 100,000 inputs.
const (
	maxPrefixes    = 1 << 15   // of all workers together
	leastPrefixes  = 1 << 13   // of a worker
	MaxPrefixBytes = 256 << 20 // of all workers together
	maxEver        = 1 << 19
)

// NewPrefixes returns empty Prefixes, for one of some workers, whose states take at most
// so many bytes.
func NewPrefixes(limit, workers int) *Prefixes {
	return &Prefixes{
		index: map[uint64]int{}, maxSlots: max(maxPrefixes/workers, leastPrefixes), maxBytes: limit, ever: bounded.NewMap(maxEver),
	}
}

// get returns what is known of a sequence; nil if nothing is. The result is valid
// until the next put.
func (p *Prefixes) get(digest uint64) *prefix {
	i, ok := p.index[digest]
	if !ok {
		return nil
	}
	p.slots[i].used = true
	return &p.slots[i]
}

// State returns the state after a sequence; false if it is not known. A nil *Prefixes
// knows none.
func (p *Prefixes) State(digest uint64) (State, bool) {
	if p == nil {
		return State{}, false
	}
	known := p.get(digest)
	if known == nil || known.failure != nil {
		return State{}, false
	}
	return known.state, true
}

// Put remembers the state after a sequence.
func (p *Prefixes) Put(digest uint64, s State) {
	s.World.Compact()
	p.put(prefix{digest: digest, state: s, size: s.World.Size()})
}

// fail remembers that the last transaction of a sequence fails.
func (p *Prefixes) fail(digest uint64, o *evm.Outcome) {
	p.put(prefix{digest: digest, failure: &evm.Outcome{Status: o.Status, Halt: o.Halt, GasUsed: o.GasUsed, Slow: o.Slow}})
}

func (p *Prefixes) put(n prefix) {
	if _, ok := p.index[n.digest]; ok {
		return // it leads to the same
	}
	p.ever.Put(n.digest, 0)
	p.bytes += n.size
	if len(p.slots) == 0 || len(p.slots) < p.maxSlots && p.bytes <= p.maxBytes {
		p.index[n.digest] = len(p.slots)
		p.slots = append(p.slots, n)
		return
	}
	at := p.evict()
	for p.bytes > p.maxBytes && len(p.slots) > 1 {
		p.remove(at)
		at = p.evict()
	}
	p.slots[at] = n
	p.index[n.digest] = at
}

// evict forgets a prefix that was not used since the hand last passed it (the
// clock algorithm), and returns its slot.
func (p *Prefixes) evict() int {
	for {
		at := p.hand % len(p.slots)
		p.hand = at + 1
		if p.slots[at].used {
			p.slots[at].used = false
			continue
		}
		p.bytes -= p.slots[at].size
		delete(p.index, p.slots[at].digest)
		p.slots[at] = prefix{}
		return at
	}
}

// remove fills an empty slot with the last one.
func (p *Prefixes) remove(at int) {
	last := len(p.slots) - 1
	if at != last {
		p.slots[at] = p.slots[last]
		p.index[p.slots[at].digest] = at
	}
	p.slots[last] = prefix{}
	p.slots = p.slots[:last]
}

// count counts the execution of a transaction that leads to a digest.
func (p *Prefixes) count(digest uint64) {
	if _, known := p.ever.Get(digest); known {
		p.Reuse.Again++
	}
}
