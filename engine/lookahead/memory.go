package lookahead

import (
	"slices"

	"github.com/holiman/uint256"
)

// A cell is an aligned word of memory: either a single known word, or known
// constant bytes.
type cell struct {
	at   uint32 // offset, a multiple of 32
	mask uint32 // bit i: byte i is known
	word wordID // if mask is not full, a constant with zeros for unknown bytes
}

const full = 1<<32 - 1

// A memory is the abstract memory of a frame: its cells in ascending order, and
// whether everything else is still zero.
type memory struct {
	cells []cell
	dirty bool // unknown, not zero, outside the cells
}

// maxOffset bounds the tracked memory.
const maxOffset = 1 << 20

// maxRange bounds the bytes that an instruction clears one by one.
const maxRange = 1 << 11

func (m *memory) search(at uint32) (int, bool) {
	// Most accesses are near the end: the newest memory is the highest.
	i := len(m.cells)
	for i > 0 && m.cells[i-1].at >= at {
		i--
	}
	return i, i < len(m.cells) && m.cells[i].at == at
}

// cell returns the abstract word at an aligned offset.
func (m *memory) cell(n *nodes, at uint32) cell {
	if i, ok := m.search(at); ok {
		return m.cells[i]
	}
	if m.dirty {
		return cell{at: at, word: n.number(0)}
	}
	return cell{at: at, mask: full, word: n.number(0)}
}

func (m *memory) set(c cell) {
	i, ok := m.search(c.at)
	switch {
	case c.mask == 0 && m.dirty:
		if ok {
			m.cells = slices.Delete(m.cells, i, i+1)
		}
	case ok:
		m.cells[i] = c
	default:
		m.cells = slices.Insert(m.cells, i, c)
	}
}

// load returns the word at an offset; unknown if a part of it is.
func (m *memory) load(n *nodes, at uint32) wordID {
	low := m.cell(n, at&^31)
	shift := at & 31
	if shift == 0 {
		if low.mask == full {
			return low.word
		}
		return unknown
	}
	high := m.cell(n, at&^31+32)
	a, b := n.value(low.word), n.value(high.word)
	if a == nil || b == nil || low.mask>>shift != full>>shift || high.mask<<(32-shift) != full<<(32-shift)&full {
		return unknown
	}
	var z, y uint256.Int
	z.Lsh(a, uint(shift*8))
	y.Rsh(b, uint(256-shift*8))
	z.Or(&z, &y)
	return n.constant(&z)
}

// store writes a word, which may be unknown, to an offset.
func (m *memory) store(n *nodes, at uint32, w wordID) {
	if at&31 == 0 {
		if w == unknown {
			m.set(cell{at: at, word: n.number(0)})
		} else {
			m.set(cell{at: at, mask: full, word: w})
		}
		return
	}
	var data [32]byte
	v := n.value(w)
	if v != nil {
		data = v.Bytes32()
	}
	m.write(n, at, data[:], v != nil)
}

// write writes known or unknown bytes at an offset.
func (m *memory) write(n *nodes, at uint32, data []byte, known bool) {
	for len(data) > 0 {
		start := at & 31
		count := min(32-start, uint32(len(data)))
		c := m.cell(n, at&^31)
		bits := uint32(full) >> (32 - count) << start
		var bytes [32]byte
		if v := n.value(c.word); v != nil {
			bytes = v.Bytes32()
		} else {
			c.mask = 0
		}
		c.mask &^= bits
		part := bytes[start : start+count]
		clear(part)
		if known {
			c.mask |= bits
			copy(part, data)
		}
		var v uint256.Int
		c.word = n.constant(v.SetBytes32(bytes[:]))
		m.set(c)
		at, data = at+count, data[count:]
	}
}

// forget makes a range unknown, or everything from at on if length is unknown
// or large.
func (m *memory) forget(n *nodes, at uint32, length uint32, bounded bool) {
	if bounded && length <= maxRange && at+length <= maxOffset {
		m.write(n, at, make([]byte, length), false)
		return
	}
	i, _ := m.search(at &^ 31)
	if at&31 != 0 {
		rest := at&^31 + 32 - at
		m.write(n, at, make([]byte, rest), false)
		i, _ = m.search(at&^31 + 32)
	}
	if i == 0 {
		m.cells = nil
	} else {
		m.cells = m.cells[:i:i]
	}
	m.dirty = true
	m.cells = slices.DeleteFunc(m.cells, func(c cell) bool { return c.mask == 0 })
}

// bytes returns the constant bytes of a range; false if some are unknown.
func (m *memory) bytes(n *nodes, at, length uint32) ([]byte, bool) {
	data := make([]byte, 0, length+32)
	for a := at &^ 31; a < at+length; a += 32 {
		c := m.cell(n, a)
		v := n.value(c.word)
		if v == nil || c.mask != full {
			return nil, false
		}
		b := v.Bytes32()
		data = append(data, b[:]...)
	}
	return data[at&31:][:length], true
}

// copyFrom copies a range within the memory, as MCOPY does.
func (m *memory) copyFrom(n *nodes, to, from, length uint32) {
	if length <= maxRange && (to|from|length)&31 == 0 {
		words := make([]cell, length/32)
		for i := range words {
			words[i] = m.cell(n, from+uint32(i)*32)
		}
		for i, c := range words {
			c.at = to + uint32(i)*32
			m.set(c)
		}
		return
	}
	if length <= maxRange {
		if data, ok := m.bytes(n, from, length); ok {
			m.write(n, to, data, true)
			return
		}
	}
	m.forget(n, to, length, true)
}

// words returns the words of a range; false if some are unknown.
func (m *memory) words(n *nodes, at, length uint32) ([]wordID, bool) {
	if at&31 != 0 || length&31 != 0 || length > 128 {
		return nil, false
	}
	var all []wordID
	for a := at; a < at+length; a += 32 {
		c := m.cell(n, a)
		if c.mask != full {
			return nil, false
		}
		all = append(all, c.word)
	}
	return all, true
}
