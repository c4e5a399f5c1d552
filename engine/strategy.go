package engine

import (
	"math/rand/v2"

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
}

// dryHalf is after how many inputs without new coverage a source has half of its
// weight left; a quarter stays for good.
const dryHalf = 256

// share is what a source gets of the inputs that sources share, in no unit.
func (s *row) share() int {
	const whole = 16 // of a weight of 1
	return s.weight * max(whole*dryHalf/(dryHalf+s.Dry), whole/4)
}

// A strategy composes sources. Urgent inputs come first: a predicted input runs
// even if its parent's energy is spent [HARVEY 4.1]. The others share what is
// left by weight and by how much they covered lately.
type strategy struct {
	rows    []*row
	random  *rand.Rand
	prepare func(*search.Candidate) // called with each candidate
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

// pick asks a source that it draws by weight; if it has nothing, the others in
// order.
func (s *strategy) pick() *search.Candidate {
	total := 0
	for _, r := range s.rows {
		total += r.share()
	}
	n := s.random.IntN(total)
	chosen := 0
	for n -= s.rows[0].share(); n >= 0; n -= s.rows[chosen].share() {
		chosen++
	}
	for i := range s.rows {
		r := s.rows[(chosen+i)%len(s.rows)]
		if r.weight == 0 {
			continue
		}
		if c := r.next(); c != nil {
			if c.Origin == nil {
				c.Origin = r.Origin
			}
			return c
		}
	}
	return nil
}

// learn hands a result to the sources that learn early or late.
func (s *strategy) learn(r *search.Result, late bool) {
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
