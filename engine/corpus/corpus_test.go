package corpus

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/holiman/uint256"

	"leveret/engine/cover"
)

func TestPaths(t *testing.T) {
	c := New()
	if _, known := c.Hit(1); known || c.MeanRuns() != 0 || c.Knows(1) {
		t.Error("an empty Corpus knows a path")
	}
	runs := map[cover.PathID]int{}
	r := rand.New(rand.NewPCG(1, 2))
	total := 0
	for range 2000 {
		path := cover.PathID(r.IntN(30) * r.IntN(30))
		e, known := c.Hit(path)
		if known != (runs[path] > 0) || known != (e != nil) {
			t.Fatalf("path %d was run %d times: %v", path, runs[path], e)
		}
		if e == nil {
			e = &Entry{Path: path}
			c.Add(e)
		}
		runs[path]++
		total++
		if !c.Knows(path) || e.Path != path || c.Runs(e) != runs[path] {
			t.Fatalf("path %d was run %d times, says %d", path, runs[path], c.Runs(e))
		}
		if want := float64(total) / float64(len(runs)); c.MeanRuns() != want {
			t.Fatalf("the mean is %v, want %v", c.MeanRuns(), want)
		}
	}
	for i, e := range c.Entries {
		if e.Number != i {
			t.Errorf("entry %d has number %d", i, e.Number)
		}
	}
	if c.Runs(&Entry{Path: 1 << 40}) != 0 {
		t.Error("a path that nobody took was run")
	}
}

func TestCostOf(t *testing.T) {
	var costs []cover.Cost
	for _, m := range []cover.Metric{3, 5, 9} {
		costs = append(costs, cover.Cost{Metric: m, Value: *uint256.NewInt(uint64(10 * m))})
	}
	e := &Entry{Costs: costs}
	for m := range cover.Metric(12) {
		got, ok := e.Cost(m)
		if want := m == 3 || m == 5 || m == 9; ok != want || ok && got.Uint64() != uint64(10*m) {
			t.Errorf("metric %d costs %v, %v", m, got, ok)
		}
	}
	if _, ok := CostOf(nil, 3); ok {
		t.Error("no costs hold one")
	}
}

// A slow model of the just-missed outcomes: it records every approach and every
// cover, and computes all answers from the record.
type model struct {
	seen  map[cover.Branch]bool
	order []cover.Branch
	near  map[cover.Branch][]approached
}

type approached struct {
	e    *Entry
	cost uint64
}

func (m *model) missed() (list []cover.Branch) {
	for _, b := range m.order {
		if !m.seen[b] {
			list = append(list, b)
		}
	}
	return list
}

func (m *model) best(b cover.Branch) (best approached, ok bool) {
	for _, a := range m.near[b] {
		if !ok || a.cost < best.cost {
			best, ok = a, true
		}
	}
	return best, ok && !m.seen[b]
}

// Missed outcomes and their nearest Entries agree with the model for random
// approaches and covers.
func TestMissed(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		c, m := New(), &model{seen: map[cover.Branch]bool{}, near: map[cover.Branch][]approached{}}
		for range 300 {
			b, cost, path := cover.Branch(r.IntN(40)), 1+r.Uint64N(100), cover.PathID(r.IntN(6))
			if r.IntN(12) == 0 {
				see(t, c, m, []cover.Branch{b, b, cover.Branch(r.IntN(40))})
			} else if word := uint256.NewInt(cost); c.Nearer(b, path, word) {
				e := &Entry{Path: path}
				c.Approach(b, e, word)
				if m.near[b] == nil {
					m.order = append(m.order, b)
				}
				m.near[b] = append(m.near[b], approached{e, cost})
			} else if best, ok := m.best(b); !m.seen[b] && (!ok || cost < best.cost) {
				t.Fatalf("%d is not nearer to %d than %v", cost, b, best)
			}
			compare(t, c, m)
		}
	}
}

// The nearest Entries on the nearest other paths are kept as well.
func TestNear(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 2))
		c, nearest := New(), map[cover.PathID]uint64{}
		for range 100 {
			path, cost := cover.PathID(r.IntN(8)), 1+r.Uint64N(1000)
			if word := uint256.NewInt(cost); c.Nearer(3, path, word) {
				c.Approach(3, &Entry{Path: path, Gas: cost}, word)
			}
			if was, ok := nearest[path]; !ok || cost < was {
				nearest[path] = cost
			}
		}
		costs := slices.Compact(slices.Sorted(maps.Values(nearest))[:1+maxAlso])
		drawn := map[uint64]int{}
		for range 400 {
			e := c.Near(r, 3)
			if e.Gas != nearest[e.Path] {
				t.Fatalf("seed %d: of path %d %d is kept, not %d", seed, e.Path, e.Gas, nearest[e.Path])
			}
			drawn[e.Gas]++
		}
		if got := slices.Sorted(maps.Keys(drawn)); !slices.Equal(got, costs) || drawn[costs[0]] < 150 {
			t.Fatalf("seed %d: %v were drawn, want those of %v", seed, drawn, costs)
		}
		c.Cover([]cover.Branch{3})
		if c.Near(r, 3) != nil {
			t.Fatal("what was seen is missed")
		}
	}
}

func see(t *testing.T, c *Corpus, m *model, branches []cover.Branch) {
	t.Helper()
	want := 0
	for _, b := range branches {
		if !m.seen[b] {
			m.seen[b] = true
			want++
		}
	}
	if news := c.Cover(branches); news != want {
		t.Fatalf("%v has %d new outcomes, want %d", branches, news, want)
	}
}

func compare(t *testing.T, c *Corpus, m *model) {
	t.Helper()
	if !slices.Equal(c.Missed(), m.missed()) {
		t.Fatalf("missed are %v, want %v", c.Missed(), m.missed())
	}
	for b := range cover.Branch(45) {
		if c.Covered(b) != m.seen[b] {
			t.Fatalf("outcome %d covered: %v", b, c.Covered(b))
		}
		e, cost := c.Best(b)
		want, ok := m.best(b)
		if ok != (e != nil) || ok && (e != want.e || cost.Uint64() != want.cost) {
			t.Fatalf("best for %d is %p at %v, want %v", b, e, cost, want)
		}
	}
}

// corpusOf returns a Corpus with one Entry for each number of runs.
func corpusOf(runs ...int) *Corpus {
	c := New()
	for i, n := range runs {
		c.Add(&Entry{Path: cover.PathID(i)})
		for range n - 1 {
			c.Hit(cover.PathID(i))
		}
	}
	return c
}

// [AFLFast 3.4]: nothing above the mean, 2^s(i) with a bound below it.
func TestCutOffExponential(t *testing.T) {
	c := corpusOf(1, 3, 3, 5) // the mean is 3
	for selected := range 70 {
		want := maxEnergy
		if selected < 10 {
			want = 1 << selected
		}
		for i, want := range []int{want, want, want, 0} {
			e := c.Entries[i]
			e.Usage.Selected = selected
			if got := CutOffExponential.Energy(c, e); got != want {
				t.Errorf("entry %d, selected %d times, is worth %d, want %d", i, selected, got, want)
			}
		}
	}
}

func TestSlowed(t *testing.T) {
	for _, row := range []struct {
		gas          uint64
		energy, want int
	}{
		{0, 100, 100},
		{usualGas, 100, 100},
		{2 * usualGas, 100, 50},
		{10 * usualGas, maxEnergy, maxEnergy / 10},
		{1000 * usualGas, 100, 1}, // slow, not hopeless
		{1000 * usualGas, 0, 0},   // nothing stays nothing
	} {
		if got := Slowed(&Entry{Gas: row.gas}, row.energy); got != row.want {
			t.Errorf("%d gas: %d of %d, want %d", row.gas, got, row.energy, row.want)
		}
	}
	c := corpusOf(1, 2)
	c.Entries[0].Usage.Selected, c.Entries[0].Gas = 6, 4*usualGas
	if got := CutOffExponential.Energy(c, c.Entries[0]); got != 16 {
		t.Errorf("a slow entry is worth %d", got)
	}
}
