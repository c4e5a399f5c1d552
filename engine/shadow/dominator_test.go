package shadow

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestPostDominators compares with the definition: p post-dominates b if
// without p no exit can be reached from b.
func TestPostDominators(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for range 300 {
		n := 1 + r.IntN(9)
		edges := make([][]int, n)
		for b := range edges {
			for range 1 + r.IntN(2) {
				to := r.IntN(n + 2)
				if to >= n {
					to = exitBlock
				}
				edges[b] = append(edges[b], to)
			}
		}
		got := postDominators(edges)
		for b := range edges {
			if want := slowPostDominator(edges, b); got[b] != want {
				t.Fatalf("%v: post-dominator of %d is %d, want %d", edges, b, got[b], want)
			}
		}
	}
}

// leaves reports whether an exit can be reached from b without without.
func leaves(edges [][]int, b, without int, seen []bool) bool {
	if b < 0 {
		return true
	}
	if b == without || seen[b] {
		return false
	}
	seen[b] = true
	return slices.ContainsFunc(edges[b], func(s int) bool { return leaves(edges, s, without, seen) })
}

func slowPostDominator(edges [][]int, b int) int {
	n := len(edges)
	if !leaves(edges, b, n, make([]bool, n)) {
		return exitBlock
	}
	var strict []int
	for p := range n {
		if p != b && !leaves(edges, b, p, make([]bool, n)) {
			strict = append(strict, p)
		}
	}
	for _, p := range strict {
		closest := true
		for _, q := range strict {
			closest = closest && (q == p || !leaves(edges, p, q, make([]bool, n)))
		}
		if closest {
			return p
		}
	}
	return exitBlock
}
