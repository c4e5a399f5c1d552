// Package bounded has memory with bounds: a map that forgets, and an arena. It knows nothing
// of what is in them.
package bounded

// A Map has a number for each of many digests. A full Map forgets some for others.
type Map struct {
	cells []cell // a power of two of them
	limit int    // of cells
	count int
}

type cell struct{ digest, value uint64 }

// maxProbes is how many cells in a row a digest may be in. So a Map that may grow is
// about half full before it does.
const maxProbes = 16

// NewMap returns a Map of at most limit digests, a power of two; each takes 16 bytes.
func NewMap(limit int) *Map {
	return &Map{cells: make([]cell, min(limit, 1<<8)), limit: limit}
}

// cell returns the nth cell that a digest may be in.
func (m *Map) cell(digest, n uint64) *cell {
	return &m.cells[(digest+n)&uint64(len(m.cells)-1)]
}

// find returns the cell of a digest; nil if it has none.
func (m *Map) find(digest uint64) *cell {
	if digest == 0 {
		return nil // empty cells have it
	}
	for n := range uint64(maxProbes) {
		switch c := m.cell(digest, n); c.digest {
		case digest:
			return c
		case 0:
			return nil
		}
	}
	return nil
}

// Get returns what was put for a digest; false if nothing was, or if it was
// forgotten.
func (m *Map) Get(digest uint64) (value uint64, ok bool) {
	if c := m.find(digest); c != nil {
		return c.value, true
	}
	return 0, false
}

// Put remembers a value for a digest, which is not 0. It returns the value that is no
// longer remembered: of this digest, or of another one that is forgotten for it; false
// if there is none.
func (m *Map) Put(digest, value uint64) (was uint64, had bool) {
	for {
		for n := range uint64(maxProbes) {
			if c := m.cell(digest, n); c.digest == digest || c.digest == 0 {
				was, had = c.value, c.digest != 0
				if !had {
					m.count++
				}
				*c = cell{digest, value}
				return was, had
			}
		}
		if len(m.cells) >= m.limit {
			c := m.cell(digest, digest>>60)
			was, *c = c.value, cell{digest, value}
			return was, true
		}
		m.grow()
	}
}

// grow makes room for twice as many.
func (m *Map) grow() {
	was := m.cells
	m.cells = make([]cell, 2*len(was))
	m.count = 0
	for _, c := range was {
		if c.digest != 0 {
			m.Put(c.digest, c.value)
		}
	}
}

// Len returns how many digests are remembered.
func (m *Map) Len() int { return m.count }
