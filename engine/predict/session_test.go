package predict

import (
	"fmt"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/holiman/uint256"

	"leveret/engine/cover"
	"leveret/engine/input"
)

// goal is the outcome that the synthetic conditions are about.
var (
	goal    = cover.BranchMetric(3, 0)
	inverse = cover.BranchMetric(2, 0)
)

// A condition computes both sides of a comparison from a word, as contracts
// do: modulo 2^256.
type condition func(x uint256.Int) (l, r uint256.Int)

// costsOf are the costs that HARVEY's metrics give for l == r.
func costsOf(c condition, x uint256.Int) []cover.Cost {
	l, r := c(x)
	if l == r {
		return []cover.Cost{{Metric: inverse, Value: *uint256.NewInt(1)}}
	}
	cost := cover.Cost{Metric: goal}
	absDiff(&cost.Value, &l, &r)
	return []cover.Cost{cost}
}

// costsOfLess are the costs that HARVEY's metrics give for l < r.
func costsOfLess(c condition, x uint256.Int) []cover.Cost {
	l, r := c(x)
	cost := cover.Cost{Metric: inverse}
	absDiff(&cost.Value, &l, &r)
	if !l.Lt(&r) {
		cost.Metric = goal
		cost.Value.AddUint64(&cost.Value, 1)
	}
	return []cover.Cost{cost}
}

func word(s string) uint256.Int {
	n, ok := new(big.Int).SetString(s, 0)
	if !ok {
		panic(s)
	}
	w, _ := uint256.FromBig(n)
	return *w
}

func hexWord(s string) *uint256.Int {
	w := word(s)
	return &w
}

// affine is a·x+b == k modulo 2^256.
func affine(a, b, k string) condition {
	return func(x uint256.Int) (l, r uint256.Int) {
		l.Mul(&x, hexWord(a))
		l.Add(&l, hexWord(b))
		return l, word(k)
	}
}

// parabolic is a·x²+b·x+c == k modulo 2^256.
func parabolic(a, b, c, k string) condition {
	return func(x uint256.Int) (l, r uint256.Int) {
		l.Mul(&x, hexWord(a))
		l.Add(&l, hexWord(b))
		l.Mul(&l, &x)
		l.Add(&l, hexWord(c))
		return l, word(k)
	}
}

var (
	uint8Type   = input.WordType{Bits: 8}
	uint64Type  = input.WordType{Bits: 64}
	uint128Type = input.WordType{Bits: 128}
	uint256Type = input.WordType{Bits: 256}
	int8Type    = input.WordType{Bits: 8, Signed: true}
	int128Type  = input.WordType{Bits: 128, Signed: true}
	int256Type  = input.WordType{Bits: 256, Signed: true}
	bytes8Type  = input.WordType{Bits: 64, Left: true}
	weiType     = input.WordType{Bits: input.WeiBits}
	lengthType  = input.WordType{Bits: 64, Limit: input.MaxElements}
)

// left moves a bytes8 to where uint64(…) has it.
func left(x uint256.Int) uint64 { return x[3] }

var shapes = []struct {
	name string
	t    input.WordType
	cond condition
	rate float64 // of sessions that succeed
	runs float64 // mean inputs of those
}{
	{"x == k", uint256Type, affine("1", "0", "987654321987654321"), 1, 1.6},
	{"x + k == r", uint256Type, affine("1", "77777", "123456789"), 1, 2},
	{"x == 2^255+5", uint256Type, affine("1", "0", "0x8000000000000000000000000000000000000000000000000000000000000005"), 1, 2},
	{"17x+9 == k", uint256Type, affine("17", "9", "123456789012"), 1, 4},
	{"17x+9 == k, root wraps", uint256Type, affine("17", "9", "0xdeadbeef12345678"), 1, 4},
	{"-3x+1 == k", int256Type, affine("-3", "1", "-299"), 1, 4},
	{"0x9e3779b97f4a7c15 x == k", uint256Type, affine("0x9e3779b97f4a7c15", "0", "0x123456789abcdef"), 1, 5},
	{"6x == k", uint256Type, affine("6", "0", "600000000000000006"), 0.9, 5},
	{"uint128: x+5 == k", uint128Type, affine("1", "5", "0x123456789012345678901234567890"), 1, 2},
	{"msg.value == 0.1 ether", weiType, affine("1", "0", "100000000000000000"), 1, 2},
	{"length == 7", lengthType, affine("1", "0", "7"), 1, 2},
	{"int8: x == -77", int8Type, affine("1", "0", "-77"), 1, 3},
	{"uint8: (x+200) % 256 == 3", uint8Type, func(x uint256.Int) (l, r uint256.Int) {
		return uint256.Int{(x[0] + 200) & 0xff}, uint256.Int{3}
	}, 1, 4},
	{"uint64: x*31 % 2^64 == k", uint64Type, func(x uint256.Int) (l, r uint256.Int) {
		return uint256.Int{x[0] * 31}, uint256.Int{0x1234567890abcdef}
	}, 1, 6},
	{"bytes8: uint64(x) == k", bytes8Type, func(x uint256.Int) (l, r uint256.Int) {
		return uint256.Int{left(x)}, uint256.Int{0x0102030405060708}
	}, 1, 2},
	{"bytes8: uint64(x) ^ k == r", bytes8Type, func(x uint256.Int) (l, r uint256.Int) {
		return uint256.Int{left(x) ^ 0x1122334455667788}, uint256.Int{0x0102030405060708 + 7262164059}
	}, 0.95, 130},
	{"uint64: bytes swapped", uint64Type, func(x uint256.Int) (l, r uint256.Int) {
		return uint256.Int{bits.ReverseBytes64(x[0])}, uint256.Int{0x1234567890abcdef}
	}, 0.95, 130},
	{"x & 0xffff == k", uint256Type, func(x uint256.Int) (l, r uint256.Int) {
		return uint256.Int{x[0] & 0xffff}, uint256.Int{0xbeef}
	}, 0.8, 100},
	{"x >> 8 == k", uint256Type, func(x uint256.Int) (l, r uint256.Int) {
		l.Rsh(&x, 8)
		return l, word("0x1234567890")
	}, 1, 8},
	{"x / 1e18 == k", uint256Type, func(x uint256.Int) (l, r uint256.Int) {
		l.Div(&x, uint256.NewInt(1e18))
		return l, word("777777")
	}, 0.95, 8},
	{"x % 1000 == 42", uint256Type, func(x uint256.Int) (l, r uint256.Int) {
		l.Mod(&x, uint256.NewInt(1000))
		return l, word("42")
	}, 0.6, 20},
	{"3x²+7x+101 == 5687", uint256Type, parabolic("3", "7", "101", "5687"), 0.95, 8},
	{"x²+10 == 10010, signed", int256Type, parabolic("1", "0", "10", "10010"), 0.95, 8},
	{"int128: x²-4x == k", int128Type, parabolic("1", "-4", "0", "999999999999999999996000000000000000000000"), 0.95, 8},
	{"-x²+1000x == k", int256Type, parabolic("-1", "1000", "0", "-15365087849"), 0.9, 12},
	{"fee above a threshold", uint256Type, func(x uint256.Int) (l, r uint256.Int) {
		l = x
		if x.GtUint64(1000) {
			l.Sub(&x, uint256.NewInt(30))
		}
		return l, word("5000000")
	}, 1, 4},
}

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

// pursue runs one Session on a condition.
func pursue(p *Predictor, t input.WordType, cond condition, a, b uint256.Int) (s *Session, reached bool, err error) {
	return pursueCosts(p, t, func(x uint256.Int) []cover.Cost { return costsOf(cond, x) }, a, b)
}

func pursueCosts(p *Predictor, t input.WordType, costs func(uint256.Int) []cover.Cost, a, b uint256.Int) (s *Session, reached bool, err error) {
	param := input.Parameter{Word: t}
	s = p.Start(0, param, a, b, costs(a), costs(b))
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
				if p.Stats.Succeeded != 1 {
					t.Fatal("reached its goal without counting it")
				}
				won++
				runs += p.Stats.Runs
				first += p.Stats.OneShot
				rows[s.Row()]++
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
				if s != nil && s.Row() == Rows[i].Name {
					t.Fatalf("%s was reached by %s, which is off", shape.name, s.Row())
				}
			}
		}
	}
}

func TestGoalsNeverSeenComeFirst(t *testing.T) {
	p := New(rand.New(rand.NewPCG(11, 12)))
	other := cover.BranchMetric(9, 0)
	p.Seen = func(m cover.Metric) bool { return m == goal }
	costs := func(n uint64) []cover.Cost {
		return []cover.Cost{{Metric: goal, Value: *uint256.NewInt(n)}, {Metric: other, Value: *uint256.NewInt(2 * n)}}
	}
	param := input.Parameter{Word: uint256Type}
	for range 20 {
		if s := p.Start(0, param, uint256.Int{1}, uint256.Int{2}, costs(10), costs(9)); s.Goal != other {
			t.Fatal("chose a goal that was seen")
		}
	}
	if s := p.Start(0, param, uint256.Int{1}, uint256.Int{2}, costs(10), costs(10)); s != nil {
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
	if runs[0] > bitRuns || runs[39] > triedRuns {
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
		s := p.Start(0, param, uint256.Int{1000}, uint256.Int{1007}, parent, child)
		s.Next()
	}
}
