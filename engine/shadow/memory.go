package shadow

import "leveret/engine/bounded"

// A memory mirrors a frame's memory byte by byte. Bytes beyond its end are
// zero. The gas of the machine bounds its size.
type memory struct {
	cells []cell
	chunk int // of all, in which they are
	all   *bounded.Arena[cell]
}

// newCells returns the memory of the frames of an Observer.
func newCells() bounded.Arena[cell] { return bounded.NewArena[cell](1<<14, maxMoved/4, maxMoved) }

// above returns the memory of a frame that one with this memory opens.
func (m *memory) above() memory { return memory{bounded.Above(m.cells), m.chunk, m.all} }

func (m *memory) grow(size uint64) {
	if was := len(m.cells); size > uint64(was) {
		m.cells = m.all.Grow(m.cells, &m.chunk, int(size+31)&^31, was+was/2)
	}
}

// store writes a word.
func (m *memory) store(g *graph, offset uint64, r ref) {
	m.grow(offset + 32)
	dst := m.cells[offset : offset+32]
	if n := &g.nodes[r]; n.op == opConcat {
		copy(dst, g.concats[n.aux][:])
		return
	}
	if r == 0 {
		clear(dst)
		return
	}
	first := makeCell(r, 0)
	for i := range dst {
		dst[i] = first + cell(i)
	}
}

// copyIn writes size cells from src, padded with zeros.
func (m *memory) copyIn(offset, size uint64, src []cell) {
	if size == 0 {
		return
	}
	m.grow(offset + size)
	dst := m.cells[offset : offset+size]
	clear(dst[copy(dst, src):])
}

// slice returns a copy of the cells of [offset, offset+size).
func (m *memory) slice(offset, size uint64) []cell {
	if size == 0 {
		return nil
	}
	out := make([]cell, size)
	if offset < uint64(len(m.cells)) {
		copy(out, m.cells[offset:])
	}
	return out
}

// from returns the cells from offset on; nil beyond the end.
func from(cells []cell, offset uint64, inRange bool) []cell {
	if !inRange || offset >= uint64(len(cells)) {
		return nil
	}
	return cells[offset:]
}

// word returns the 32 cells from offset on, zero beyond the end.
func word(cells []cell, offset uint64, inRange bool) (out [32]cell) {
	copy(out[:], from(cells, offset, inRange))
	return out
}
