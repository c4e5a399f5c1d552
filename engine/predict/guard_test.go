package predict

import (
	"math/rand/v2"
	"testing"

	"github.com/holiman/uint256"

	"leveret/engine/cover"
	"leveret/engine/input"
)

// A passage is a small contract: conditions on the way, each of which must not
// turn, and then the goal.
type passage struct {
	name   string
	t      input.WordType
	stages []stage
	sure   bool // most first proposals are to be counted as predictions
}

// A stage is one condition: it turns if l stands in the relation to r.
type stage struct {
	cond     condition
	relation string
}

// meet says whether the stage turns, or the cost of that.
func (s *stage) meet(x uint256.Int, b cover.Branch) (cost cover.Cost, turned bool) {
	l, r := s.cond(x)
	cost.Metric = cover.BranchMetric(b, 0)
	switch s.relation {
	case "==":
		absDiff(&cost.Value, &l, &r)
		cost.Side = cover.Above
		if l.Lt(&r) {
			cost.Side = cover.Below
		}
		return cost, l == r
	case "<":
		cost.Side = cover.Bound
		cost.Value.Sub(&l, &r)
		cost.Value.AddUint64(&cost.Value, 1)
		return cost, l.Lt(&r)
	}
	cost.Side = cover.Bound
	cost.Value.Sub(&r, &l)
	cost.Value.AddUint64(&cost.Value, 1)
	return cost, l.Gt(&r)
}

// run executes the passage; reached is whether it got to the goal and met it.
func (p *passage) run(x uint256.Int) (e Execution, reached bool) {
	for i := range p.stages {
		b := cover.Branch(2 * i)
		cost, turned := p.stages[i].meet(x, b)
		if turned {
			e.Branches = append(e.Branches, b)
			e.Costs = append(e.Costs, cover.Cost{Metric: cover.BranchMetric(b.Other(), 0), Value: *uint256.NewInt(1)})
			return e, i == len(p.stages)-1
		}
		e.Branches = append(e.Branches, b.Other())
		e.Costs = append(e.Costs, cost)
	}
	return e, false
}

func linear(a, b, k string) condition { return affine(a, b, k) }

var passages = []passage{
	{"x == 0 behind x != 0", uint256Type, []stage{{linear("1", "0", "0"), "=="}, {linear("1", "0", "0"), "=="}}, false},
	{"x > 2000 behind x <= 1000", uint256Type, []stage{{linear("1", "0", "1000"), ">"}, {linear("1", "0", "2000"), ">"}}, false},
	{"x > 1000 behind x <= 2000", uint64Type, []stage{{linear("1", "0", "0xffffffff"), ">"}, {linear("1", "0", "0xffff"), ">"}}, true},
	{"x >= 1000 behind x != 1000", uint256Type, []stage{{linear("1", "0", "1000"), "=="}, {linear("1", "0", "999"), ">"}}, true},
	{"x >= 1000 behind x != 1000 and x != 1001", uint256Type, []stage{
		{linear("1", "0", "1001"), "=="}, {linear("1", "0", "1000"), "=="}, {linear("1", "0", "999"), ">"}}, true},
	{"x == 500 behind x != 1000", uint256Type, []stage{{linear("1", "0", "1000"), "=="}, {linear("1", "0", "500"), "=="}}, true},
	{"3x > k", uint64Type, []stage{{linear("3", "0", "1000000000000"), ">"}}, true},
	{"3x == k, not a multiple", uint64Type, []stage{{linear("3", "0", "1000000000000"), "=="}}, false},
}

// What is counted as a prediction reaches its goal at once; what cannot be
// reached is never counted as one, and no first proposal turns a condition on
// the way.
func TestPredictionsKeepToThePath(t *testing.T) {
	for _, row := range passages {
		r := rand.New(rand.NewPCG(1, 2))
		var stats Stats
		sessions := 0
		for range 400 {
			a, b := startingPair(r, row.t)
			parent, met := row.run(a)
			child, also := row.run(b)
			if a == b || met || also || len(parent.Costs) != len(row.stages) || len(child.Costs) != len(row.stages) {
				continue
			}
			sessions++
			p := New(r)
			last := cover.BranchMetric(cover.Branch(2*len(row.stages)-2), 0)
			p.Seen = func(m cover.Metric) bool { return m != last }
			s := p.Start(&Trial{Param: input.Parameter{Word: row.t}, Before: a, After: b, Execution: child}, parent)
			if s == nil {
				t.Fatalf("%s: no Session for a goal that was never seen", row.name)
			}
			moves, _ := s.Next()
			after, reached := row.run(moves[0].Word)
			s.Feed(after.Costs, false)
			if p.Stats.Tried > 0 && !reached {
				t.Fatalf("%s: from %s and %s predicts %s", row.name, a.Hex(), b.Hex(), moves[0].Word.Hex())
			}
			stats.Tried += p.Stats.Tried
			stats.OneShot += p.Stats.OneShot
		}
		t.Logf("%s: %d of %d", row.name, stats.OneShot, sessions)
		if stats.Tried != stats.OneShot || row.sure && stats.Tried < sessions*8/10 || !row.sure && stats.Tried > 0 {
			t.Errorf("%s: %+v of %d", row.name, stats, sessions)
		}
		if sessions < 20 {
			t.Errorf("%s: %d sessions", row.name, sessions)
		}
	}
}

// Behind the point where two paths part, costs may be of different things.
func TestPathsThatPartPredictNothing(t *testing.T) {
	costs := func(n uint64) []cover.Cost {
		return []cover.Cost{{Metric: cover.BranchMetric(6, 0), Value: *uint256.NewInt(1)}, {Metric: goal, Value: *uint256.NewInt(n), Side: cover.Bound}}
	}
	for _, row := range []struct {
		branches []cover.Branch
		sure     int
	}{
		{[]cover.Branch{7, 2}, 1},
		{[]cover.Branch{7, 9, 2}, 0},
	} {
		p := New(rand.New(rand.NewPCG(1, 2)))
		trial := Trial{Param: input.Parameter{Word: uint256Type}, Before: uint256.Int{100}, After: uint256.Int{90},
			Execution: Execution{Costs: costs(50), Branches: row.branches}}
		s := p.Start(&trial, Execution{Costs: costs(60), Branches: []cover.Branch{7, 2}})
		if _, ok := s.Next(); !ok || p.Stats.Tried != row.sure || p.Stats.Tried+p.Stats.Searches != 1 {
			t.Errorf("%v: %+v", row.branches, p.Stats)
		}
	}
}

func TestIsLine(t *testing.T) {
	rows := []struct {
		x0, x1, c0, c1 string
		line           bool
	}{
		{"0", "10", "100", "90", true},
		{"0", "10", "100", "130", true},
		{"0", "10", "100", "95", false},               // half a unit a step, but of nothing that was divided
		{"0", "1000000", "5000", "4000", true},        // divided by 1000
		{"17", "1000000", "5000", "4001", true},       // and cut off
		{"0", "1000000", "5000", "3913", true},        // divided by 920
		{"0", "123456789", "9000000", "17654", false}, // by nothing whole
		{"0x0f", "0xffffffffffffffff", "0x111111111112", "2", false},
		{"5", "5", "1", "2", false},
		{"5", "6", "7", "7", false},
	}
	for _, row := range rows {
		a, b := sample{x: word(row.x0), c: word(row.c0)}, sample{x: word(row.x1), c: word(row.c1)}
		if isLine(&a, &b) != row.line || isLine(&b, &a) != row.line {
			t.Errorf("%+v: line is %t", row, !row.line)
		}
	}
}
