package engine

import (
	"math/rand/v2"
	"testing"

	"leveret/engine/search"
)

// A source without new coverage gets less, but always a quarter, or an eighth if
// it supposes storage; one that makes repeats gets less too. A source that is
// switched off gets nothing.
func TestShares(t *testing.T) {
	count := func(dry int, supposes bool, repeats int) (n int) {
		one := &row{Origin: &search.Origin{Name: "one", Dry: dry}, weight: 8, supposes: supposes}
		for i := range 1000 {
			one.Rate.Count(i%4 < repeats)
		}
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
	for _, row := range []struct {
		dry         int
		supposes    bool
		repeats     int // of four inputs
		least, most int
	}{
		{0, false, 0, 4800, 5200},
		{dryHalf, false, 0, 3133, 3533}, // half against one
		{100 * dryHalf, false, 0, 1800, 2200},
		{100 * dryHalf, true, 0, 911, 1311},
		{0, true, 0, 4800, 5200},
		{0, false, 2, 3000, 3700},
		{0, false, 4, 911, 1311},
	} {
		if n := count(row.dry, row.supposes, row.repeats); n < row.least || n > row.most {
			t.Errorf("%+v: %d of 10000", row, n)
		}
	}
}

// newRow returns a source of a weight.
func newRow(o *search.Origin) *row {
	return &row{Origin: o, weight: 8, next: func() *search.Candidate { return &search.Candidate{} }}
}

// A source whose inputs take more work than usual makes fewer in proportion, down to one in
// 32; one whose inputs take less makes no more.
func TestWorkOfSources(t *testing.T) {
	const usual = 5 * choice
	for _, row := range []struct {
		work        uint64 // of an input of one source; another's is usual
		least, most int    // of 10000 inputs
	}{
		{0, 4800, 5200}, {usual, 4800, 5200}, {2*(usual+choice) - choice, 3133, 3533}, {9*(usual+choice) - choice, 900, 1100}, {1000 * usual, 250, 370},
	} {
		made, s := map[string]int{}, strategy{random: rand.New(rand.NewPCG(1, 1)), prepare: func(*search.Candidate) {}}
		for _, source := range []struct {
			name string
			work uint64
		}{{"one", row.work}, {"other", usual}} {
			origin := named(source.name)
			origin.Work.Count(source.work)
			s.rows = append(s.rows, newRow(origin))
		}
		s.work.Count(usual)
		for range 10000 {
			made[s.next().Origin.Name]++
		}
		if n := made["one"]; n < row.least || n > row.most {
			t.Errorf("inputs with a work of %d: %d of 10000", row.work, n)
		}
	}
}

// A source that has nothing leaves its share to all others.
func TestSourcesWithoutInputs(t *testing.T) {
	made := map[string]int{}
	s := strategy{random: rand.New(rand.NewPCG(1, 1)), prepare: func(*search.Candidate) {}}
	for _, name := range []string{"none", "one", "other"} {
		s.rows = append(s.rows, &row{Origin: named(name), weight: 8, next: func() *search.Candidate {
			if name == "none" {
				return nil
			}
			return &search.Candidate{}
		}})
	}
	for range 10000 {
		made[s.next().Origin.Name]++
	}
	if n := made["one"]; n < 4800 || n > 5200 || n+made["other"] != 10000 {
		t.Errorf("%v", made)
	}
	s.rows = s.rows[:1]
	if s.next() != nil {
		t.Error("an input comes from nowhere")
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
