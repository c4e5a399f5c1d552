package bounded

// An Arena has the memory of frames that are open in one another. That of a frame begins
// behind that of the frame that opened it, so that only the frame on top grows. What has no
// room in a chunk moves to the next one.
type Arena[T any] struct {
	chunks           [][]T
	first, most, all int
}

// NewArena returns an Arena whose first chunk has so many elements. Each has twice as many
// as the one before, up to most or what one frame needs. Begin keeps chunks of no more
// elements than all.
func NewArena[T any](first, most, all int) Arena[T] {
	return Arena[T]{first: first, most: most, all: all}
}

// Begin gives up the memory of all frames, and that of chunks beyond what is kept.
func (a *Arena[T]) Begin() {
	size := 0
	for i, c := range a.chunks {
		if size += len(c); size > a.all {
			clear(a.chunks[i:])
			a.chunks = a.chunks[:i]
			return
		}
	}
}

// Size returns how many elements the chunks have.
func (a *Arena[T]) Size() (n int) {
	for _, c := range a.chunks {
		n += len(c)
	}
	return n
}

// Bottom returns the memory of the outermost frame, which is in chunk 0 and empty.
func (a *Arena[T]) Bottom() []T { return a.chunk(0, 0)[:0] }

// Above returns the memory of a frame that another opens, which is in the same chunk and
// empty.
func Above[T any](memory []T) []T { return memory[len(memory):] }

// Grow returns the memory of the frame on top, which is in a chunk, with size elements. New
// ones are zero. If it moves, it gets as much room.
func (a *Arena[T]) Grow(memory []T, chunk *int, size, room int) []T {
	was := len(memory)
	if size <= cap(memory) {
		memory = memory[:size]
		clear(memory[was:])
		return memory
	}
	if cap(memory) < len(a.chunks[*chunk]) { // memory of other frames is in the chunk, too
		*chunk++
	}
	grown := a.chunk(*chunk, max(size, room))[:size]
	clear(grown[copy(grown, memory):])
	return grown
}

// chunk returns the nth chunk, with size elements at least. Those behind it are not in use.
func (a *Arena[T]) chunk(n, size int) []T {
	if n == len(a.chunks) {
		a.chunks = append(a.chunks, nil)
	}
	if c := a.chunks[n]; len(c) > 0 && len(c) >= size {
		return c
	}
	a.chunks[n] = make([]T, max(size, min(a.first<<min(n, 16), a.most)))
	return a.chunks[n]
}
