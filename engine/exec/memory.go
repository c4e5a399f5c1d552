package exec

// A Memory remembers a number for each of many digests, in bounded space. A full
// Memory forgets some for others.
type Memory struct {
	cells []memoryCell // in buckets
	limit int          // of cells
	count int
}

type memoryCell struct{ digest, value uint64 }

// bucketCells is how many cells a digest may be in: a line of a CPU's cache.
const bucketCells = 4

// NewMemory returns a Memory of at most limit digests, a power of two; each takes
// 16 bytes.
func NewMemory(limit int) *Memory {
	return &Memory{cells: make([]memoryCell, min(limit, 1<<8)), limit: limit}
}

// bucket returns the cells that a digest may be in.
func (m *Memory) bucket(digest uint64) []memoryCell {
	at := int(digest) & (len(m.cells) - 1) &^ (bucketCells - 1)
	return m.cells[at : at+bucketCells]
}

// Get returns what was put for a digest; false if nothing was, or if it was
// forgotten.
func (m *Memory) Get(digest uint64) (value uint64, ok bool) {
	if digest == 0 {
		return 0, false // empty cells have it
	}
	for _, c := range m.bucket(digest) {
		if c.digest == digest {
			return c.value, true
		}
	}
	return 0, false
}

// Put remembers a value for a digest.
func (m *Memory) Put(digest, value uint64) {
	for {
		bucket := m.bucket(digest)
		for i := range bucket {
			if c := &bucket[i]; c.digest == digest || c.digest == 0 {
				if c.digest == 0 {
					m.count++
				}
				*c = memoryCell{digest, value}
				return
			}
		}
		if len(m.cells) >= m.limit {
			bucket[digest>>62] = memoryCell{digest, value}
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
