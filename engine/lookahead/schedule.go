package lookahead

// maxEnergy is K of the power schedule [IV-B].
const maxEnergy = 1024

// A rarity counts how often things were fuzzed, and knows which of them are
// rare (Definitions 5 and 6). Counts only grow, by one at a time, so the
// smallest is kept without a search.
type rarity[T comparable] struct {
	fuzzed map[T]uint64
	having map[uint64]int // things by their count
	min    uint64
	sum    uint64
}

func (r *rarity[T]) add(t T) {
	if _, ok := r.fuzzed[t]; ok {
		return
	}
	if r.fuzzed == nil {
		r.fuzzed, r.having = map[T]uint64{}, map[uint64]int{}
	}
	r.fuzzed[t] = 0
	r.having[0]++
	r.min = 0
}

func (r *rarity[T]) count(t T) {
	r.add(t)
	old := r.fuzzed[t]
	r.fuzzed[t] = old + 1
	r.sum++
	r.having[old+1]++
	if r.having[old]--; r.having[old] == 0 {
		delete(r.having, old)
		if r.min == old {
			r.min++
		}
	}
}

// rare reports whether t was fuzzed less than the cut-off: the smallest power
// of two that is at least the smallest count.
func (r *rarity[T]) rare(t T) bool {
	cutoff := uint64(1)
	for cutoff < r.min {
		cutoff *= 2
	}
	return r.fuzzed[t] < cutoff
}

// A Schedule says how often to fuzz an input from the corpus. The zero value
// is ready.
type Schedule struct {
	ids    rarity[ID]
	splits rarity[SplitPoint]
}

// Add makes the lookahead id and the split points of a new entry known, so
// that they take part in what is rare.
func (s *Schedule) Add(r *Result) {
	s.ids.add(r.ID)
	for _, p := range r.SplitPoints {
		s.splits.add(p)
	}
}

// Fuzzed counts an input that exercised a prefix: one that was run, new or
// not, whose Result is known.
func (s *Schedule) Fuzzed(r *Result) {
	s.ids.count(r.ID)
	for _, p := range r.SplitPoints {
		s.splits.count(p)
	}
}

// Rare reports whether the lookahead id is rare or a split point along the
// prefix is.
func (s *Schedule) Rare(r *Result) bool {
	if s.ids.rare(r.ID) {
		return true
	}
	for _, p := range r.SplitPoints {
		if s.splits.rare(p) {
			return true
		}
	}
	return false
}

// Energy is how many inputs to make from an entry that was selected before
// selected times.
func (s *Schedule) Energy(m Mode, r *Result, selected int) int {
	return m.energy(s, r, selected)
}

// A Mode is one of the configurations of the paper's evaluation [VI-B].
type Mode struct {
	Name   string
	Blind  bool // the Analyzer must not prove anything
	Guides bool // the analysis tells the search where to go, beyond the paper's schedule
	energy func(s *Schedule, r *Result, selected int) int
}

// The modes. Configuration A, without lookahead, is not one of them.
var (
	On    = Mode{Name: "on", Guides: true, energy: rareFirst}
	Blind = Mode{Name: "blind", Blind: true, energy: rareFirst}
	Plain = Mode{Name: "plain", energy: cutOffExponential}
)

// Modes lists them: configurations B, C and D.
var Modes = []Mode{On, Blind, Plain}

// rareFirst is the paper's power schedule.
func rareFirst(s *Schedule, r *Result, selected int) int {
	if !s.Rare(r) {
		return 1
	}
	return exponential(selected)
}

// cutOffExponential is AFLFast's schedule, with lookahead ids in place of
// path ids: ids fuzzed more often than the average wait. They get 1, not 0,
// so that no choice of the corpus is in vain.
func cutOffExponential(s *Schedule, r *Result, selected int) int {
	n := uint64(len(s.ids.fuzzed))
	if s.ids.fuzzed[r.ID]*n > s.ids.sum {
		return 1
	}
	return exponential(selected)
}

func exponential(selected int) int {
	if selected >= 10 {
		return maxEnergy
	}
	return 1 << max(selected, 0)
}
