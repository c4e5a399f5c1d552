package lookahead

import "slices"

// maxEnergy is K of the power schedule [IV-B].
const maxEnergy = 1024

// A rarity counts how often items were fuzzed and which are rare (Definitions 5
// and 6). Items are numbered, because each input counts a few dozen of them.
type rarity[T comparable] struct {
	numbers map[T]int32
	fuzzed  []uint64
	least   uint64 // smallest count
	having  int    // number of items with it
	sum     uint64
}

// maxItems bounds the items that are numbered. Further ones share the last number.
const maxItems = 1 << 18

// add returns the number of t.
func (r *rarity[T]) add(t T) int32 {
	if n, ok := r.numbers[t]; ok {
		return n
	}
	if len(r.numbers) >= maxItems {
		return int32(len(r.fuzzed) - 1)
	}
	if r.numbers == nil {
		r.numbers = map[T]int32{}
	}
	if r.least > 0 {
		r.least, r.having = 0, 0
	}
	n := int32(len(r.fuzzed))
	r.numbers[t] = n
	r.fuzzed = append(r.fuzzed, 0)
	r.having++
	return n
}

func (r *rarity[T]) count(n int32) {
	if r.fuzzed[n] == r.least {
		r.having--
	}
	r.fuzzed[n]++
	r.sum++
	if r.having == 0 {
		r.findLeast()
	}
}

// findLeast scans all items; the cost is amortised by their counts.
func (r *rarity[T]) findLeast() {
	r.least = slices.Min(r.fuzzed)
	for _, n := range r.fuzzed {
		if n == r.least {
			r.having++
		}
	}
}

// rare reports whether an item was fuzzed less than the cut-off: the smallest
// power of two not below the smallest count.
func (r *rarity[T]) rare(n int32) bool {
	cutoff := uint64(1)
	for cutoff < r.least {
		cutoff *= 2
	}
	return r.fuzzed[n] < cutoff
}

// A Schedule computes the energy of corpus entries. The zero value is ready for
// use.
type Schedule struct {
	ids    rarity[ID]
	splits rarity[SplitPoint]
}

// A Member is the data of a corpus entry in a Schedule.
type Member struct {
	id     int32
	splits []int32
}

// Add registers the lookahead id and the split points of a new entry for the
// rarity counts.
func (s *Schedule) Add(r *Result) Member {
	m := Member{id: s.ids.add(r.ID), splits: make([]int32, len(r.SplitPoints))}
	for i, p := range r.SplitPoints {
		m.splits[i] = s.splits.add(p)
	}
	return m
}

// Fuzzed counts an executed input that exercised the prefix of a member.
func (s *Schedule) Fuzzed(m *Member) {
	s.ids.count(m.id)
	for _, p := range m.splits {
		s.splits.count(p)
	}
}

// Rare reports whether the lookahead id or a split point along the prefix is
// rare.
func (s *Schedule) Rare(m *Member) bool {
	return s.ids.rare(m.id) || slices.ContainsFunc(m.splits, s.splits.rare)
}

// Energy is the number of inputs to make from an entry that was selected
// selected times before.
func (s *Schedule) Energy(mode Mode, m *Member, selected int) int {
	return mode.energy(s, m, selected)
}

// A Mode is one of the configurations of the paper's evaluation [VI-B].
type Mode struct {
	Name   string
	Blind  bool // the Analyzer proves nothing
	Guides bool // the analysis also guides the search, beyond the paper's schedule
	energy func(s *Schedule, m *Member, selected int) int
}

// The modes: configurations B, C and D. Configuration A has no lookahead.
var (
	On    = Mode{Name: "on", Guides: true, energy: rareFirst}
	Blind = Mode{Name: "blind", Blind: true, energy: rareFirst}
	Plain = Mode{Name: "plain", energy: cutOffExponential}
)

// rareFirst is the paper's power schedule.
func rareFirst(s *Schedule, m *Member, selected int) int {
	if !s.Rare(m) {
		return 1
	}
	return exponential(selected)
}

// cutOffExponential is AFLFast's schedule with lookahead ids in place of path
// ids: ids fuzzed more often than the mean get energy 1 instead of 0, so that
// no selection is wasted.
func cutOffExponential(s *Schedule, m *Member, selected int) int {
	n := uint64(len(s.ids.fuzzed))
	if s.ids.fuzzed[m.id]*n > s.ids.sum {
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
