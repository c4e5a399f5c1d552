package bounded

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Frames that open and end at random have their own memory, zero where nothing was
// written, and what is kept stays small.
func TestArena(t *testing.T) {
	type frame struct {
		memory []int
		chunk  int
		want   []int
	}
	const kept = 1 << 12
	r := rand.New(rand.NewPCG(1, 0))
	a := NewArena[int](1<<4, 1<<9, kept)
	for round := range 200 {
		a.Begin()
		if n := a.Size(); n > kept {
			t.Fatalf("round %d begins with %d elements", round, n)
		}
		open := []*frame{{memory: a.Bottom()}}
		for n := range 500 {
			top := open[len(open)-1]
			switch r.IntN(5) {
			case 0:
				open = append(open, &frame{memory: Above(top.memory), chunk: top.chunk})
			case 1:
				if len(open) > 1 {
					open = open[:len(open)-1]
				}
			case 2:
				size := len(top.memory) + r.IntN(40)
				top.memory = a.Grow(top.memory, &top.chunk, size, r.IntN(2*size+1))
				top.want = append(top.want, make([]int, size-len(top.want))...)
			default:
				if len(top.memory) > 0 {
					at, value := r.IntN(len(top.memory)), r.IntN(1000)
					top.memory[at], top.want[at] = value, value
				}
			}
			for depth, f := range open {
				if !slices.Equal(f.memory, f.want) {
					t.Fatalf("round %d, step %d: frame %d of %d has %v, want %v", round, n, depth, len(open), f.memory, f.want)
				}
			}
		}
	}
}
