package exec

// A Memory remembers a number for each of many digests, in bounded space. A full
// Memory forgets some for others.
type Memory struct {
	cells []memoryCell // a power of two of them
	limit int          // of cells
	count int
}

type memoryCell struct{ digest, value uint64 }

// maxProbes is how many cells in a row a digest may be in. So a Memory that may
// grow is about half full before it does.
const maxProbes = 16

// NewMemory returns a Memory of at most limit digests, a power of two; each takes
// 16 bytes.
func NewMemory(limit int) *Memory {
	return &Memory{cells: make([]memoryCell, min(limit, 1<<8)), limit: limit}
}

// cell returns the nth cell that a digest may be in.
func (m *Memory) cell(digest, n uint64) *memoryCell {
	return &m.cells[(digest+n)&uint64(len(m.cells)-1)]
}

// Get returns what was put for a digest; false if nothing was, or if it was
// forgotten.
func (m *Memory) Get(digest uint64) (value uint64, ok bool) {
	if digest == 0 {
		return 0, false // empty cells have it
	}
	for n := range uint64(maxProbes) {
		switch c := m.cell(digest, n); c.digest {
		case digest:
			return c.value, true
		case 0:
			return 0, false
		}
	}
	return 0, false
}

// Put remembers a value for a digest.
func (m *Memory) Put(digest, value uint64) {
	for {
		for n := range uint64(maxProbes) {
			if c := m.cell(digest, n); c.digest == digest || c.digest == 0 {
				if c.digest == 0 {
					m.count++
				}
				*c = memoryCell{digest, value}
				return
			}
		}
		if len(m.cells) >= m.limit {
			*m.cell(digest, digest>>60) = memoryCell{digest, value}
			return
		}
		m.grow()
	}
}

// grow makes room for twice as many.
func (m *Memory) grow() {
	was := m.cells
	m.cells = make([]memoryCell, 2*len(was))
	m.count = 0
	for _, c := range was {
		if c.digest != 0 {
			m.Put(c.digest, c.value)
		}
	}
}

// Len returns how many digests are remembered.
func (m *Memory) Len() int { return m.count }
