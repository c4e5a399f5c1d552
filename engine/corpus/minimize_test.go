package corpus

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// smallest returns the size of the smallest choice, by trying all.
func smallest(features [][]uint64) int {
	best := len(features)
	for mask := range 1 << len(features) {
		chosen := []int{}
		for i := range features {
			if mask>>i&1 == 1 {
				chosen = append(chosen, i)
			}
		}
		if len(chosen) < best && len(union(features, chosen)) == len(union(features, nil)) {
			best = len(chosen)
		}
	}
	return best
}

// union returns the features of the chosen inputs; of all for nil.
func union(features [][]uint64, chosen []int) map[uint64]bool {
	all := map[uint64]bool{}
	for i, list := range features {
		for _, f := range list {
			if chosen == nil || slices.Contains(chosen, i) {
				all[f] = true
			}
		}
	}
	return all
}

func TestMinimizeFindsTheSmallestChoice(t *testing.T) {
	better := 0 // choices that are smaller than the greedy one
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		features := make([][]uint64, r.IntN(11))
		for i := range features {
			for range r.IntN(6) {
				features[i] = append(features[i], uint64(r.IntN(14)))
			}
		}
		chosen, exact := Minimize(features)
		if want := smallest(features); !exact || len(chosen) != want || len(union(features, chosen)) != len(union(features, nil)) {
			t.Fatalf("seed %d: chose %v (exact: %v) of %v, want %d", seed, chosen, exact, features, want)
		}
		again, _ := Minimize(features)
		if !slices.IsSorted(chosen) || !slices.Equal(again, chosen) {
			t.Fatalf("seed %d: %v, then %v", seed, chosen, again)
		}
		left := map[uint64][]int{}
		taken := 0
		for f := range union(features, nil) {
			left[f] = nil
		}
		greedy(features, left, func(i int) {
			taken++
			for _, f := range features[i] {
				delete(left, f)
			}
		})
		if len(chosen) < taken {
			better++
		}
	}
	if better == 0 {
		t.Error("the greedy choice is never larger, so the exact search is not tested")
	}
}

// A choice that is too large for the exact search covers everything, and says that it
// may not be the smallest.
func TestMinimizeLargeCorpus(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	features := make([][]uint64, 3000)
	for i := range features {
		for range 40 {
			features[i] = append(features[i], uint64(r.IntN(2000)))
		}
	}
	chosen, exact := Minimize(features)
	if exact || len(chosen) > 200 || len(union(features, chosen)) != len(union(features, nil)) {
		t.Errorf("chose %d, exact: %v", len(chosen), exact)
	}
}

func TestSet(t *testing.T) {
	var s Set
	if added := s.AddAll([][]byte{[]byte("a\n"), []byte("a"), []byte("\n"), []byte("b")}); added != 2 || string(s.Inputs[0]) != "a" || string(s.Inputs[1]) != "b" {
		t.Errorf("%d new: %q", added, s.Inputs)
	}
	if s.Add([]byte("\nb")) || IDOf([]byte("b")) != IDOf([]byte("b\n")) || IDOf([]byte("b")) == IDOf([]byte("a")) {
		t.Error("inputs that differ only in newlines at their ends are one")
	}
}
