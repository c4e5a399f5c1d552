package engine

import (
	"math/rand/v2"

	"leveret/engine/corpus"
	"leveret/engine/search"
)

// A row is an input source in the table: what it makes, and what it learns.
type row struct {
	*search.Origin
	weight int                      // among the sources that share the inputs; 0: none
	urgent func() *search.Candidate // asked before them, in the order of the table; nil: never
	next   func() *search.Candidate // returns nil if it has nothing to offer
	learn  func(*search.Result)     // gets every result; nil: learns nothing
	repeat func(*search.Repeat)     // gets every input that was dropped as a repeat; nil: learns nothing
	late   bool                     // learns after the triage

	// Inputs suppose storage. They show the way to others, and find nothing by
	// themselves, so that less is left of the weight where they show none.
	supposes bool

	draws     bool // words at random, in place of such that mean something
	attacks   bool // acts as an attacker would: means nothing to tests
	lengthens bool // makes sequences of several transactions, or asks for them
}

// dryHalf is after how many inputs without anything new a source has half of its
// weight left; a quarter stays for good, or less: see row.
const dryHalf = 256

// share is what a source gets of the inputs that sources share, in no unit. The
// weights adapt to what sources bring, as operators' do in MOpt [Lyu et al.,
// USENIX Security 2019]: to new coverage, and to how many of the latest inputs
// were executed before, as repeats cost time and bring nothing; an eighth stays.
// Of inputs that take more work than usual, such as those that change the first of
// many transactions, a source makes fewer in proportion, down to one in 32.
func (s *row) share(usual uint64) int {
	if s.weight == 0 {
		return 0
	}
	const whole = 16 // of a weight of 1
	least := whole / 4
	if s.supposes {
		least = whole / 8
	}
	const most, fewest = 64, 2 // of its inputs
	cheap := min(max(most*(choice+usual)/(choice+s.Work.Of(usual)), fewest), most)
	return s.weight * max(whole*dryHalf/(dryHalf+s.Dry), least) * max(s.Rate.New(whole), whole/8) * int(cheap)
}

// A strategy composes sources. Urgent inputs come first: a predicted input runs
// even if its parent's energy is spent [HARVEY 4.1]. The others share what is
// left by weight and by how much they covered lately.
type strategy struct {
	rows    []*row
	random  *rand.Rand
	prepare func(*search.Candidate)      // called with each candidate
	further func(*search.Candidate) bool // nil: candidates are not changed further
	shares  []int                        // of the rows, while one is drawn
	work    corpus.Mean                  // of an input of any source
}

// next returns the next candidate; nil only if no source has any.
func (s *strategy) next() *search.Candidate {
	c := s.urgent()
	if c == nil {
		c = s.pick()
	}
	if c != nil {
		s.prepare(c)
	}
	return c
}

// change changes one thing more of a candidate; false if it is to stay as it is.
func (s *strategy) change(c *search.Candidate) bool {
	if s.further == nil || !s.further(c) {
		return false
	}
	s.prepare(c)
	return true
}

func (s *strategy) urgent() *search.Candidate {
	for _, r := range s.rows {
		if r.urgent != nil {
			if c := r.urgent(); c != nil {
				return c
			}
		}
	}
	return nil
}

// pick asks a source that it draws by weight. If it has nothing, the others are
// drawn from in the same way.
func (s *strategy) pick() *search.Candidate {
	total := 0
	s.shares = s.shares[:0]
	for _, r := range s.rows {
		share := r.share(s.work.Of(0))
		s.shares = append(s.shares, share)
		total += share
	}
	for total > 0 {
		chosen := 0
		for n := s.random.IntN(total) - s.shares[0]; n >= 0; n -= s.shares[chosen] {
			chosen++
		}
		r := s.rows[chosen]
		if c := r.next(); c != nil {
			if c.Origin == nil {
				c.Origin = r.Origin
			}
			return c
		}
		total -= s.shares[chosen]
		s.shares[chosen] = 0
	}
	return nil
}

// learn hands a result to the sources that learn early or late.
func (s *strategy) learn(r *search.Result, late bool) {
	if !late {
		s.work.Count(r.Work)
	}
	for _, row := range s.rows {
		if row.learn != nil && row.late == late {
			row.learn(r)
		}
	}
}

// repeat tells the sources of an input that was dropped.
func (s *strategy) repeat(r *search.Repeat) {
	for _, row := range s.rows {
		if row.repeat != nil {
			row.repeat(r)
		}
	}
}
