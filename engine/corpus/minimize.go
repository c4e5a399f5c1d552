package corpus

import (
	"cmp"
	"container/heap"
	"maps"
	"math/bits"
	"slices"
)

// Minimize chooses inputs that together have each feature that any of them has.
// features lists those of each input; the chosen indexes ascend. Inputs that alone
// have a feature are chosen first. Of the others, the choice is the smallest there is
// if exact is true; else it is the greedy one, at most ln(n)+1 times as large for n
// features [Chvátal 1979].
func Minimize(features [][]uint64) (chosen []int, exact bool) {
	holders := map[uint64][]int{}
	for i, list := range features {
		for _, f := range list {
			if with := holders[f]; len(with) == 0 || with[len(with)-1] != i {
				holders[f] = append(with, i)
			}
		}
	}
	left := maps.Clone(holders) // features that no chosen input has
	take := func(i int) {
		chosen = append(chosen, i)
		for _, f := range features[i] {
			delete(left, f)
		}
	}
	for _, f := range slices.Sorted(maps.Keys(holders)) {
		if with, open := left[f]; open && len(with) == 1 {
			take(with[0])
		}
	}
	needed := len(chosen)
	rows := slices.SortedFunc(maps.Values(left), slices.Compare)
	greedy(features, left, take)
	smaller, exact := smallerChoice(rows, len(chosen)-needed)
	if smaller != nil {
		chosen = append(chosen[:needed], smaller...)
	}
	slices.Sort(chosen)
	return chosen, exact
}

// greedy takes the input with the most features that are left, until none is. The
// gain of an input only falls, so it is counted again when the input is on top.
func greedy(features [][]uint64, left map[uint64][]int, take func(int)) {
	var queue gains
	for i, list := range features {
		queue = append(queue, gain{i, len(list)})
	}
	heap.Init(&queue)
	for len(left) > 0 {
		top := &queue[0]
		now := 0
		for _, f := range features[top.input] {
			if _, open := left[f]; open {
				now++
			}
		}
		if now == top.features {
			take(top.input)
			now = 0
		}
		top.features = now
		heap.Fix(&queue, 0)
	}
}

// A gain is how many features an input adds.
type gain struct{ input, features int }

type gains []gain

func (g gains) Len() int      { return len(g) }
func (g gains) Swap(i, k int) { g[i], g[k] = g[k], g[i] }
func (g *gains) Push(x any)   { *g = append(*g, x.(gain)) }
func (g *gains) Pop() any     { panic("nothing is removed") }
func (g gains) Less(i, k int) bool {
	return cmp.Or(-cmp.Compare(g[i].features, g[k].features), cmp.Compare(g[i].input, g[k].input)) < 0
}

// Limits of the exact search: inputs are bits of a word, and each step chooses one.
const (
	maxExact = 64
	maxSteps = 1 << 18
)

// smallerChoice searches for fewer than size inputs of which each row has one: by
// branch and bound, on the row with the fewest inputs. It returns nil if it finds none,
// and whether it saw all that may be smaller.
func smallerChoice(rows [][]int, size int) (choice []int, exact bool) {
	numbers := map[int]int{} // of inputs, from 0
	var inputs []int
	seen := map[uint64]bool{}
	s := hitting{best: size}
	for _, row := range rows {
		mask := uint64(0)
		for _, i := range row {
			n, known := numbers[i]
			if !known {
				if n = len(inputs); n == maxExact {
					return nil, false
				}
				numbers[i], inputs = n, append(inputs, i)
			}
			mask |= 1 << n
		}
		if !seen[mask] {
			seen[mask] = true
			s.rows = append(s.rows, mask)
		}
	}
	slices.SortFunc(s.rows, func(a, b uint64) int {
		return cmp.Or(cmp.Compare(bits.OnesCount64(a), bits.OnesCount64(b)), cmp.Compare(a, b))
	})
	s.search(0, 0)
	for mask := s.found; mask != 0; mask &= mask - 1 {
		choice = append(choice, inputs[bits.TrailingZeros64(mask)])
	}
	return choice, s.steps <= maxSteps
}

// A hitting is a search for the smallest set that hits all rows.
type hitting struct {
	rows  []uint64 // the smallest first
	best  int      // inputs of the smallest choice so far
	found uint64   // it; 0: none is smaller than the first best
	steps int
}

func (s *hitting) search(chosen uint64, size int) {
	if s.steps++; s.steps > maxSteps {
		return
	}
	open := slices.IndexFunc(s.rows, func(row uint64) bool { return row&chosen == 0 })
	switch {
	case open < 0 && size < s.best:
		s.best, s.found = size, chosen
	case open >= 0 && size+1 < s.best:
		for row := s.rows[open]; row != 0; row &= row - 1 {
			s.search(chosen|row&-row, size+1)
		}
	}
}
