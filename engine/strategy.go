package engine

import (
	"math/rand/v2"

	"leveret/engine/finding"
)

// A source makes inputs of one kind.
type source struct {
	name   string
	weight int
	make   func() *candidate // nil: nothing to offer right now
	stat   finding.SourceStat
	dry    int // inputs since the last one that brought something new to light
}

// tiring is after how many inputs that brought nothing new to light a source
// has to be content with half of its weight; a quarter it has for good.
const tiring = 256

// share is what a source gets of the inputs that sources share, in no unit.
func (s *source) share() int {
	const whole = 16 // of a weight of 1
	return s.weight * max(whole*tiring/(tiring+s.dry), whole/4)
}

// A strategy composes sources. Inputs that are waiting, seeds and predictions,
// come first; a predicted input runs even if its parent's energy is spent
// [HARVEY 4.1]. The others share what is left by weight, and by what they
// brought to light of late.
type strategy struct {
	waiting func() *candidate
	first   []*source
	shared  []*source
	random  *rand.Rand
}

// next returns up to n candidates, none only if no source has anything.
func (s *strategy) next(n int) []*candidate {
	var batch []*candidate
	for len(batch) < n {
		c := s.waiting()
		if c == nil {
			c = s.pick()
		}
		if c == nil {
			break
		}
		batch = append(batch, c)
	}
	return batch
}

// pick asks one of the shared sources, chosen by weight; if it has nothing,
// the others in order.
func (s *strategy) pick() *candidate {
	total := 0
	for _, source := range s.shared {
		total += source.share()
	}
	n := s.random.IntN(total)
	chosen := 0
	for n -= s.shared[0].share(); n >= 0; n -= s.shared[chosen].share() {
		chosen++
	}
	for i := range s.shared {
		source := s.shared[(chosen+i)%len(s.shared)]
		if source.weight == 0 {
			continue
		}
		if c := source.make(); c != nil {
			if c.source == nil {
				c.source = source
			}
			return c
		}
	}
	return nil
}

// sources lists all sources.
func (s *strategy) sources() []*source {
	return append(s.first[:len(s.first):len(s.first)], s.shared...)
}
