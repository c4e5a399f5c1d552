package lookahead

import "slices"

// A joinKey is the entry of a basic block in one context, with the state that
// holds for every way of entering it.
type joinKey struct {
	block  int
	number int // index among the keys
	entry  state
	first  wordID // of the symbols that belong to this key
	queued bool
}

// owns reports whether w is a symbol of the key. Such a symbol names a value
// that changes with each entry, so a joined state may hold it only where join
// puts it.
func (p *joinKey) owns(w wordID, height int) bool {
	return w >= p.first && w < p.first+wordID(height)+1
}

// maxClasses bounds the classes of equal slots in a join; further slots get
// symbols of their own.
const maxClasses = 16

// join makes the state of p include other, and reports whether it changed.
//
// Slots that differ become symbols of p. Slots that hold the same pair of
// words, one in each state, are equal in both, so they get the same symbol.
// Classes of equal slots only split and constants only vanish, so the fixpoint
// terminates.
func (p *joinKey) join(n *nodes, other *state) bool {
	changed := p.joinStack(other)
	s := &p.entry
	if joinMemory(n, &s.memory, &other.memory) {
		changed = true
	}
	if w := p.returned(s.returned, other.returned); w != s.returned {
		s.returned, changed = w, true
	}
	kept := len(s.storage) + len(s.transient) + len(s.facts)
	s.storage = shared(s.storage, other.storage)
	s.transient = shared(s.transient, other.transient)
	s.facts = shared(s.facts, other.facts)
	return changed || kept != len(s.storage)+len(s.transient)+len(s.facts)
}

func (p *joinKey) joinStack(other *state) bool {
	type pair struct {
		slot     int
		mine, in wordID
	}
	var buffer [maxClasses]pair
	classes := buffer[:0]
	height := len(p.entry.stack)
	changed := false
	for i, mine := range p.entry.stack {
		in := other.stack[i]
		if mine == in && !p.owns(mine, height) {
			continue
		}
		result := p.first + wordID(i)
		found := false
		for _, c := range classes {
			if c.mine == mine && c.in == in {
				result, found = p.first+wordID(c.slot), true
				break
			}
		}
		if !found && len(classes) < maxClasses {
			classes = append(classes, pair{i, mine, in})
		}
		if result != mine {
			p.entry.stack[i], changed = result, true
		}
	}
	return changed
}

// returned joins the size of the return data, which has the last symbol of p.
func (p *joinKey) returned(mine, in wordID) wordID {
	if mine == in && !p.owns(mine, len(p.entry.stack)) {
		return mine
	}
	return p.first + wordID(len(p.entry.stack))
}

// shared returns the common elements of two lists, which usually have the same
// order.
func shared[T comparable](mine, other []T) []T {
	kept, next := mine[:0], 0
	for _, e := range mine {
		if next == len(other) || other[next] != e {
			i := slices.Index(other, e)
			if i < 0 {
				continue
			}
			next = i
		}
		kept = append(kept, e)
		next++
	}
	return kept
}

// joinMemory keeps the bytes that are equal in both memories.
func joinMemory(n *nodes, mine, other *memory) bool {
	changed := false
	if !mine.dirty {
		// Words that only the other memory wrote differ from zero.
		for _, c := range other.cells {
			if _, ok := mine.search(c.at); !ok && joinCell(n, mine, mine.cell(n, c.at), c) {
				changed = true
			}
		}
	}
	for i := len(mine.cells) - 1; i >= 0; i-- {
		c := mine.cells[i]
		if joinCell(n, mine, c, other.cell(n, c.at)) {
			changed = true
		}
	}
	if other.dirty && !mine.dirty {
		mine.dirty, changed = true, true
		mine.cells = slices.DeleteFunc(mine.cells, func(c cell) bool { return c.mask == 0 })
	}
	return changed
}

func joinCell(n *nodes, m *memory, mine, other cell) bool {
	if mine.mask == full && other.mask == full && mine.word == other.word {
		return false
	}
	a, b := n.value(mine.word), n.value(other.word)
	joined := cell{at: mine.at, word: n.number(0)}
	if a != nil && b != nil {
		x, y := a.Bytes32(), b.Bytes32()
		for i := range x {
			if mine.mask&other.mask>>i&1 == 1 && x[i] == y[i] {
				joined.mask |= 1 << i
			} else {
				x[i] = 0
			}
		}
		v := *a
		v.SetBytes32(x[:])
		joined.word = n.constant(&v)
	}
	if joined.mask == mine.mask && joined.word == mine.word {
		return false
	}
	m.set(joined)
	return true
}
