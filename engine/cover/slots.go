package cover

import "leveret/engine/evm"

// A slotSet is a small set that keeps insertion order. Transactions touch few
// slots, so it searches linearly until a table is faster.
type slotSet struct {
	list  []evm.Slot
	table map[evm.Slot]struct{}
}

const (
	linearSlots = 16
	mostSlots   = 512 // further ones are left out: a loop over a storage array never ends
)

func (s *slotSet) reset() {
	s.list = s.list[:0]
	clear(s.table)
}

// add reports whether slot is new and was added.
func (s *slotSet) add(slot evm.Slot) bool {
	if len(s.list) < linearSlots {
		for i := range s.list {
			if s.list[i] == slot {
				return false
			}
		}
	} else {
		if s.table == nil {
			s.table = map[evm.Slot]struct{}{}
		}
		if len(s.table) == 0 {
			for _, have := range s.list {
				s.table[have] = struct{}{}
			}
		}
		if _, have := s.table[slot]; have {
			return false
		}
		if len(s.list) >= mostSlots {
			return false
		}
		s.table[slot] = struct{}{}
	}
	s.list = append(s.list, slot)
	return true
}
