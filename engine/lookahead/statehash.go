package lookahead

import "github.com/holiman/uint256"

// A stateHash numbers the symbols of a state in order of occurrence, so that
// states that differ only in symbols have the same hash.
type stateHash struct {
	n       *nodes
	k       key
	symbols []wordID
}

func (m *machine) hashState(k key, s *state) key {
	h := stateHash{n: &m.nodes, k: k}
	h.add(uint64(len(s.stack)))
	for _, w := range s.stack {
		h.word(w)
	}
	dirty := uint64(0)
	if s.memory.dirty {
		dirty = 1
	}
	h.add(dirty)
	for _, c := range s.memory.cells {
		h.add(uint64(c.at)<<32 | uint64(c.mask))
		h.word(c.word)
	}
	h.slots(s.storage)
	h.slots(s.transient)
	h.word(s.returned)
	for _, f := range s.facts {
		// Facts about symbols that the state no longer holds are irrelevant.
		if h.alive(f.expression) {
			h.word(f.expression)
			h.word(f.constant)
		}
	}
	return h.k
}

func (h *stateHash) add(x uint64) { h.k = h.k.with(x) }

func (h *stateHash) slots(all []wordPair) {
	h.add(uint64(len(all)))
	for _, s := range all {
		h.word(s.key)
		h.word(s.word)
	}
}

func (h *stateHash) word(w wordID) {
	x := h.n.at(w)
	switch {
	case x == nil:
		h.add(1<<40 | uint64(h.name(w)))
	case x.constant:
		h.constant(&x.value)
	default:
		h.add(3<<40 | uint64(x.op))
		for _, a := range x.args {
			if a != unknown {
				h.word(a)
			}
		}
	}
}

func (h *stateHash) constant(v *uint256.Int) {
	if v.IsUint64() {
		h.add(2 << 40)
		h.add(v.Uint64())
		return
	}
	h.add(4 << 40)
	for _, x := range v {
		h.add(x)
	}
}

func (h *stateHash) name(w wordID) int {
	for i, s := range h.symbols {
		if s == w {
			return i
		}
	}
	h.symbols = append(h.symbols, w)
	return len(h.symbols) - 1
}

// alive reports whether all symbols of w have occurred.
func (h *stateHash) alive(w wordID) bool {
	x := h.n.at(w)
	if x == nil {
		for _, s := range h.symbols {
			if s == w {
				return true
			}
		}
		return false
	}
	for _, a := range x.args {
		if a != unknown && !h.alive(a) {
			return false
		}
	}
	return true
}
