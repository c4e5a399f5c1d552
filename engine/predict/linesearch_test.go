package predict

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/holiman/uint256"

	"leveret/engine/cover"
	"leveret/engine/input"
)

// startingPair draws parent and child as campaigns have them: the child a
// mutant of the parent in this one word.
func startingPair(r *rand.Rand, t input.WordType) (a, b uint256.Int) {
	a = input.RandomWord(r, t, nil)
	if r.IntN(2) == 0 {
		return a, input.RandomWord(r, t, nil)
	}
	o := t.Ordinal(&a)
	o.Xor(&o, new(uint256.Int).Lsh(uint256.NewInt(1), uint(r.IntN(t.Bits))))
	return a, t.Word(&o)
}

// start begins a Session on one path.
func start(p *Predictor, param input.Parameter, before, after uint256.Int, parent, child []cover.Cost) *LineSearch {
	t := Trial{Param: param, Before: before, After: after, Execution: Execution{Costs: child}}
	return p.Start(&t, Execution{Costs: parent})
}

// pursue runs one Session on a condition.
func pursue(p *Predictor, t input.WordType, cond condition, a, b uint256.Int) (s *LineSearch, reached bool, err error) {
	return pursueCosts(p, t, func(x uint256.Int) []cover.Cost { return costsOf(cond, x) }, a, b)
}

func pursueCosts(p *Predictor, t input.WordType, costs func(uint256.Int) []cover.Cost, a, b uint256.Int) (s *LineSearch, reached bool, err error) {
	param := input.Parameter{Word: t}
	s = start(p, param, a, b, costs(a), costs(b))
	if s == nil {
		return nil, false, nil
	}
	for moves, ok := s.Next(); ok; moves, ok = s.Next() {
		w := moves[0].Word
		if t.Wrap(&w) != w {
			return s, false, fmt.Errorf("proposed %s, which is no value of the type", w.Hex())
		}
		c := costs(w)
		reached = c[0].Metric == inverse
		s.Feed(c, false)
	}
	return s, reached, nil
}

func TestSessionsReachTheirGoals(t *testing.T) {
	for _, shape := range shapes {
		t.Run(shape.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			var all, won, runs, first int
			rows := map[string]int{}
			for range 300 {
				p := New(r)
				a, b := startingPair(r, shape.t)
				s, reached, err := pursue(p, shape.t, shape.cond, a, b)
				if err != nil {
					t.Fatal(err)
				}
				if s == nil {
					continue
				}
				all++
				if !reached {
					continue
				}
				if p.Stats.Succeeded+p.Stats.Found != 1 {
					t.Fatal("reached its goal without counting it")
				}
				won++
				runs += p.Stats.Runs
				first += p.Stats.OneShot
				rows[s.won]++
			}
			rate, mean := float64(won)/float64(all), float64(runs)/float64(max(won, 1))
			t.Logf("%d sessions: %.0f %% one-shot, %.0f %% in all, %.1f inputs; rows %v",
				all, 100*float64(first)/float64(all), 100*rate, mean, rows)
			if rate < shape.rate || mean > shape.runs {
				t.Errorf("%.2f succeed after %.1f inputs, want %.2f and %.1f", rate, mean, shape.rate, shape.runs)
			}
		})
	}
}

func TestInequalitiesAreCrossed(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	rows := []struct {
		name string
		t    input.WordType
		cond condition
	}{
		{"x < k", uint256Type, func(x uint256.Int) (l, r uint256.Int) { return x, word("123456789") }},
		{"k < x", uint256Type, func(x uint256.Int) (l, r uint256.Int) { return word("0xfffffffffffffffffffffff"), x }},
		{"k < 3x", uint128Type, func(x uint256.Int) (l, r uint256.Int) {
			r.Mul(&x, uint256.NewInt(3))
			return word("1000000000000000000000"), r
		}},
		{"k < x/7", uint128Type, func(x uint256.Int) (l, r uint256.Int) {
			r.Div(&x, uint256.NewInt(7))
			return word("1000000000000000000000"), r
		}},
	}
	for _, row := range rows {
		p := New(r)
		costs := func(x uint256.Int) []cover.Cost { return costsOfLess(row.cond, x) }
		for range 300 {
			a, b := startingPair(r, row.t)
			if _, _, err := pursueCosts(p, row.t, costs, a, b); err != nil {
				t.Fatal(err)
			}
		}
		t.Logf("%s: %+v", row.name, p.Stats)
		if p.Stats.Tried < 20 || p.Stats.OneShot < p.Stats.Tried*6/10 || p.Stats.Succeeded < p.Stats.Tried*99/100 {
			t.Errorf("%s: %+v, want most at the first proposal", row.name, p.Stats)
		}
	}
}

func TestWithoutIterationThereIsOneLine(t *testing.T) {
	p := New(rand.New(rand.NewPCG(5, 6)))
	p.NoIteration = true
	a, b := *uint256.NewInt(1000), *uint256.NewInt(2000)
	if _, reached, err := pursue(p, uint256Type, parabolic("3", "7", "101", "5687"), a, b); reached || err != nil {
		t.Errorf("one line solves a parabola: %v", err)
	}
	if p.Stats.Runs == 0 || p.Stats.Runs > 2 {
		t.Errorf("%d inputs", p.Stats.Runs)
	}
	if _, reached, _ := pursue(p, uint256Type, affine("1", "0", "42"), a, b); !reached {
		t.Error("the line does not find a linear root")
	}
}

func TestRowsCanBeSwitchedOff(t *testing.T) {
	for i := range Rows {
		p := New(rand.New(rand.NewPCG(7, 8)))
		p.Off = map[string]bool{Rows[i].Name: true}
		for _, shape := range shapes {
			r := rand.New(rand.NewPCG(9, 10))
			for range 10 {
				a, b := startingPair(r, shape.t)
				s, _, err := pursue(p, shape.t, shape.cond, a, b)
				if err != nil {
					t.Fatal(err)
				}
				if s != nil && s.won == Rows[i].Name {
					t.Fatalf("%s was reached by %s, which is off", shape.name, s.won)
				}
			}
		}
	}
}

func TestGoalsNeverSeenComeFirst(t *testing.T) {
	other := cover.BranchMetric(9, 0)
	r := rand.New(rand.NewPCG(11, 12))
	costs := func(n uint64) []cover.Cost {
		return []cover.Cost{{Metric: goal, Value: *uint256.NewInt(n)}, {Metric: other, Value: *uint256.NewInt(2 * n)}}
	}
	param := input.Parameter{Word: uint256Type}
	var p *Predictor
	for range 20 {
		p = New(r)
		p.Seen = func(m cover.Metric) bool { return m == goal }
		if s := start(p, param, uint256.Int{1}, uint256.Int{2}, costs(10), costs(9)); s.Goal != other {
			t.Fatal("chose a goal that was seen")
		}
	}
	if s := start(p, param, uint256.Int{1}, uint256.Int{2}, costs(10), costs(10)); s != nil {
		t.Error("a Session without a cost that differs")
	}
}

func TestAGoalThatResistsGetsLess(t *testing.T) {
	p := New(rand.New(rand.NewPCG(13, 14)))
	hash := func(x uint256.Int) (l, r uint256.Int) { // no way to follow
		x.Mul(&x, &x)
		x.Add(&x, hexWord("0x9e3779b97f4a7c15f39cc0605cedc8341082276bf3a27251f86c6a11d0c18e95"))
		l.Mul(&x, &x)
		l.Xor(&l, new(uint256.Int).Rsh(&l, 113))
		l.Mul(&l, &x)
		return l, word("12345")
	}
	var runs []int
	r := rand.New(rand.NewPCG(15, 16))
	for range 40 {
		before := p.Stats.Runs
		a, b := input.RandomWord(r, uint256Type, nil), input.RandomWord(r, uint256Type, nil)
		if _, _, err := pursue(p, uint256Type, hash, a, b); err != nil {
			t.Fatal(err)
		}
		runs = append(runs, p.Stats.Runs-before)
	}
	late := 0
	for _, n := range runs[20:] {
		late += n
	}
	if runs[0] > bitRuns || late > 60 {
		t.Errorf("inputs per Session: %v", runs)
	}
}

func BenchmarkStart(b *testing.B) {
	r := rand.New(rand.NewPCG(17, 18))
	p := New(r)
	p.Seen = func(cover.Metric) bool { return true }
	var parent, child []cover.Cost
	for i := range 24 {
		c := cover.Cost{Metric: cover.BranchMetric(cover.Branch(i), 0), Value: *uint256.NewInt(uint64(100 + i))}
		parent = append(parent, c)
		if i == 20 {
			c.Value.AddUint64(&c.Value, 7)
		}
		child = append(child, c)
	}
	param := input.Parameter{Word: uint256Type}
	b.ReportAllocs()
	for b.Loop() {
		s := start(p, param, uint256.Int{1000}, uint256.Int{1007}, parent, child)
		s.Next()
	}
}

func TestCostsThatTellLittleAreLeftAlone(t *testing.T) {
	hash := hexWord("0x9e3779b97f4a7c15f39cc0605cedc8341082276bf3a27251f86c6a11d0c18e95")
	rows := []struct {
		name   string
		goal   cover.Metric
		c0, c1 uint256.Int
		seen   bool
		starts bool
	}{
		{"a line", goal, uint256.Int{100}, uint256.Int{90}, true, true},
		{"a hash, fresh", goal, uint256.Int{100}, *hash, false, true},
		{"a hash, seen", goal, uint256.Int{100}, *hash, true, false},
		{"a slot of a mapping", cover.Metric(1)<<62 | 5, uint256.Int{100}, *hash, false, false},
		{"an index", cover.Metric(1)<<62 | 5, uint256.Int{100}, uint256.Int{99}, false, true},
		{"operands unknown in one, seen", goal, uint256.Int{1}, uint256.Int{97}, true, false},
		{"operands unknown in one, fresh", goal, uint256.Int{1}, uint256.Int{97}, false, true},
	}
	for _, row := range rows {
		p := New(rand.New(rand.NewPCG(1, 1)))
		p.Seen = func(cover.Metric) bool { return row.seen }
		s := start(p, input.Parameter{Word: uint256Type}, uint256.Int{5}, uint256.Int{6},
			[]cover.Cost{{Metric: row.goal, Value: row.c0}}, []cover.Cost{{Metric: row.goal, Value: row.c1}})
		if (s != nil) != row.starts {
			t.Errorf("%s: starts a Session: %t", row.name, s != nil)
		}
	}
}
