package shadow

// A memory mirrors a frame's memory byte by byte. Bytes beyond its end are
// zero. The gas of the machine bounds its size.
type memory []cell

func (m *memory) grow(size uint64) {
	if size <= uint64(len(*m)) {
		return
	}
	size = (size + 31) &^ 31
	if size <= uint64(cap(*m)) {
		old := len(*m)
		*m = (*m)[:size]
		clear((*m)[old:])
		return
	}
	room := size * 2
	if size > keptCells {
		room = size + size/4
	}
	bigger := make(memory, size, room)
	copy(bigger, *m)
	*m = bigger
}

// store writes a word.
func (m *memory) store(g *graph, offset uint64, r ref) {
	m.grow(offset + 32)
	dst := (*m)[offset : offset+32]
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
	dst := (*m)[offset : offset+size]
	clear(dst[copy(dst, src):])
}

// slice returns a copy of the cells of [offset, offset+size).
func (m *memory) slice(offset, size uint64) []cell {
	if size == 0 {
		return nil
	}
	out := make([]cell, size)
	if offset < uint64(len(*m)) {
		copy(out, (*m)[offset:])
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
