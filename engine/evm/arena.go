package evm

// An arena has the memory of all open frames, and the return data of the last call. The
// memory of a frame begins behind that of its caller, so that only the frame on top
// grows. What has no room in a chunk moves to the next one.
type arena struct {
	chunks   [][]byte
	returned []byte
}

const (
	firstChunk = 1 << 16  // bytes of the first chunk; each has twice as many as the one before,
	maxChunk   = 4 << 20  // up to this, or what one frame needs
	keptMemory = 16 << 20 // bytes of chunks that the next Call reuses
)

// begin begins a Call. It gives up memory beyond what is kept.
func (a *arena) begin() {
	size := 0
	for i, c := range a.chunks {
		if size += len(c); size > keptMemory {
			clear(a.chunks[i:])
			a.chunks = a.chunks[:i]
			break
		}
	}
	a.returned = reused(a.returned, maxChunk)
}

// chunk returns the nth chunk, with size bytes at least. Those behind it are not in use.
func (a *arena) chunk(n, size int) []byte {
	if n == len(a.chunks) {
		a.chunks = append(a.chunks, nil)
	}
	if c := a.chunks[n]; len(c) > 0 && len(c) >= size {
		return c
	}
	a.chunks[n] = make([]byte, max(size, min(firstChunk<<min(n, 16), maxChunk)))
	return a.chunks[n]
}

// next returns a chunk with size bytes for the memory of the frame on top.
func (a *arena) next(f *frame, size int) []byte {
	if cap(f.memory) < len(a.chunks[f.chunk]) { // memory of other frames is in the chunk, too
		f.chunk++
	}
	return a.chunk(f.chunk, size)
}

// keep returns a copy of return data, which is in memory that its caller may grow into.
func (a *arena) keep(data []byte) []byte {
	a.returned = append(a.returned[:0], data...)
	return a.returned
}
