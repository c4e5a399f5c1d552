package engine

import (
	"math/rand/v2"
	"testing"

	"leveret/engine/search"
)

// A source without new coverage gets less, but always a quarter; a source that
// is switched off gets nothing.
func TestShares(t *testing.T) {
	count := func(dry int) (n int) {
		one := &row{Origin: &search.Origin{Name: "one", Dry: dry}, weight: 8}
		other, off := &row{Origin: named("other"), weight: 8}, &row{Origin: named("off")}
		for _, r := range []*row{one, other, off} {
			r.next = func() *search.Candidate { return &search.Candidate{} }
		}
		s := strategy{rows: []*row{one, off, other}, random: rand.New(rand.NewPCG(1, 1)), prepare: func(*search.Candidate) {}}
		for range 10000 {
			switch s.next().Origin {
			case one.Origin:
				n++
			case off.Origin:
				t.Fatal("a source that is switched off made an input")
			}
		}
		return n
	}
	for _, row := range []struct{ dry, least, most int }{
		{0, 4800, 5200},
		{dryHalf, 3133, 3533}, // half against one
		{100 * dryHalf, 1800, 2200},
	} {
		if n := count(row.dry); n < row.least || n > row.most {
			t.Errorf("after %d inputs: %d of 10000", row.dry, n)
		}
	}
}

// Urgent inputs come first, in the order of the table.
func TestUrgentInputsComeFirst(t *testing.T) {
	first, second, third := &search.Candidate{}, &search.Candidate{}, &search.Candidate{}
	once := func(c *search.Candidate) func() *search.Candidate {
		return func() *search.Candidate { next := c; c = nil; return next }
	}
	s := strategy{random: rand.New(rand.NewPCG(1, 1)), prepare: func(*search.Candidate) {}, rows: []*row{
		{Origin: named("a"), urgent: once(first)},
		{Origin: named("b"), weight: 1, urgent: once(second), next: func() *search.Candidate { return third }},
	}}
	for i, want := range []*search.Candidate{first, second, third, third} {
		if got := s.next(); got != want {
			t.Errorf("input %d is another", i)
		}
	}
	if third.Origin == nil || third.Origin.Name != "b" {
		t.Errorf("the origin is %v", third.Origin)
	}
}

// On a plateau half of the inputs come from other sources although state goals
// wait.
func TestStateGoalsYieldOnPlateaus(t *testing.T) {
	progress := &search.Progress{Inputs: 5000, LastNew: 5000 - goalPlateau}
	goals := &demanded{search: &search.Search{Progress: progress, Generator: &search.Generator{Random: rand.New(rand.NewPCG(1, 1))}}}
	yields := func() (n int) {
		for range 1000 {
			if goals.yields() {
				n++
			}
		}
		return n
	}
	if n := yields(); n != 0 {
		t.Errorf("%d of 1000 before the plateau", n)
	}
	progress.LastNew--
	if n := yields(); n < 440 || n > 560 {
		t.Errorf("%d of 1000 on a plateau", n)
	}
}
