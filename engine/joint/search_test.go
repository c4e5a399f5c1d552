package joint

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// After every move, taken back or not, all words and costs are what the values of
// the variables give.
func TestMovesAreConsistent(t *testing.T) {
	moves := 0
	for _, family := range families {
		m := newMaker(1)
		family.make(m)
		s := &solver{Problem: &m.Problem, random: rand.New(rand.NewPCG(1, 2)), most: 1 << 30}
		domains := newDomains(m.Variables)
		p := build(s.Problem, domains, &s.scratch)
		l := linearSystem{program: p, domains: domains}
		if p.false || !l.eliminate(nil) {
			continue
		}
		x := newSearch(s, p, l.solved, domains)
		for range 300 {
			if x.done() || len(x.free) == 0 {
				break
			}
			x.improve()
			moves++
			values, costs, total := slices.Clone(x.values), slices.Clone(x.costs), x.total
			if x.evaluate(); !slices.Equal(values, x.values) || !slices.Equal(costs, x.costs) || total != x.total {
				t.Fatalf("%s: words or costs are not those of the variables after move %d", family.name, moves)
			}
		}
	}
	if moves < 1000 {
		t.Errorf("%d moves", moves)
	}
}
