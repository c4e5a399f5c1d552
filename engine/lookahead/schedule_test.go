package lookahead

import (
	"math/rand/v2"
	"testing"
)

// slowRare is Definition 5 word by word.
func slowRare(counts map[ID]int, id ID) bool {
	least := -1
	for _, n := range counts {
		if least < 0 || n < least {
			least = n
		}
	}
	cutoff := 1
	for i := 1; cutoff < least; i++ {
		cutoff = 1 << i
	}
	return counts[id] < cutoff
}

// fuzz counts an input with a result, known or not, and returns the member.
func fuzz(s *Schedule, r *Result) *Member {
	m := s.Add(r)
	s.Fuzzed(&m)
	return &m
}

func TestRareAgreesWithDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		var s Schedule
		counts := map[ID]int{}
		for range r.IntN(400) {
			id := ID{byte(r.IntN(6))}
			result := &Result{ID: id}
			if r.IntN(10) == 0 {
				s.Add(result)
				counts[id] += 0
			} else {
				fuzz(&s, result)
				counts[id]++
			}
			for id := range counts {
				m := s.Add(&Result{ID: id})
				if got, want := s.Rare(&m), slowRare(counts, id); got != want {
					t.Fatalf("counts %v: %v rare is %v", counts, id[0], got)
				}
			}
		}
	}
}

// The paper's example: if the least fuzzed id was fuzzed 42 times, the
// cut-off is the next power of two.
func TestRarityCutoff(t *testing.T) {
	var s Schedule
	for id, n := range map[byte]int{1: 42, 2: 63, 3: 64, 4: 1000} {
		for range n {
			fuzz(&s, &Result{ID: ID{id}})
		}
	}
	for id, want := range map[byte]bool{1: true, 2: true, 3: false, 4: false} {
		m := s.Add(&Result{ID: ID{id}})
		if got := s.Rare(&m); got != want {
			t.Errorf("id %d rare: %v", id, got)
		}
	}
}

func TestEnergy(t *testing.T) {
	var s Schedule
	common := s.Add(&Result{ID: ID{1}, SplitPoints: []SplitPoint{{0, 1}}})
	for range 5 {
		s.Fuzzed(&common)
	}
	fresh := s.Add(&Result{ID: ID{2}, SplitPoints: []SplitPoint{{0, 1}}})
	branch := s.Add(&Result{ID: ID{1}, SplitPoints: []SplitPoint{{0, 1}, {0, 9}}})
	rows := []struct {
		name     string
		mode     Mode
		member   Member
		selected int
		want     int
	}{
		{"common", On, common, 7, 1},
		{"rare id", On, fresh, 3, 8},
		{"rare id, bounded", On, fresh, 60, 1024},
		{"rare split point", On, branch, 4, 16},
		{"blind is the same schedule", Blind, fresh, 3, 8},
		{"plain, above the average", Plain, common, 7, 1},
		{"plain, below the average", Plain, fresh, 7, 128},
	}
	for _, row := range rows {
		if got := s.Energy(row.mode, &row.member, row.selected); got != row.want {
			t.Errorf("%s: %d, want %d", row.name, got, row.want)
		}
	}
}
