package cover

import (
	"encoding/binary"
	"hash/maphash"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/evm"
)

// A slotSet is a small set that keeps insertion order. Transactions touch few
// slots, so it searches linearly until a table is faster. Clearing it takes constant
// time.
type slotSet struct {
	list  []evm.Slot
	seed  maphash.Seed
	cells []slotCell // a power of two, open addressing; complete once built
	round uint32     // cells of other rounds are empty
	built bool
}

// A slotCell has the place of a slot in the list.
type slotCell struct{ round, at uint32 }

const (
	linearSlots = 16
	mostSlots   = 512 // further ones are left out: a loop over a storage array never ends
	slotCells   = 2 * mostSlots
)

func (s *slotSet) reset() { s.list, s.built = s.list[:0], false }

// add reports whether the word of an account is new and was added.
func (s *slotSet) add(address *common.Address, key *uint256.Int) bool {
	if n := len(s.list); n < linearSlots {
		if s.listed(address, key) {
			return false
		}
		s.list = slices.Grow(s.list, 1)[:n+1]
		slot := &s.list[n]
		slot.Address = *address
		key.PutUint256(slot.Key[:])
		return true
	}
	if len(s.list) >= mostSlots {
		return false
	}
	slot := evm.Slot{Address: *address, Key: key.Bytes32()}
	if !s.built {
		s.build()
	}
	cell := s.find(&slot)
	if cell.round == s.round {
		return false
	}
	*cell = slotCell{s.round, uint32(len(s.list))}
	s.list = append(s.list, slot)
	return true
}

// listed reports whether the list has a slot. Most keys differ in their last bytes.
func (s *slotSet) listed(address *common.Address, key *uint256.Int) bool {
	for i := range s.list {
		if known := &s.list[i]; binary.BigEndian.Uint64(known.Key[24:]) == key[0] && known.Address == *address && known.Key == key.Bytes32() {
			return true
		}
	}
	return false
}

// build fills the table with the list.
func (s *slotSet) build() {
	if s.round++; s.cells == nil || s.round == 0 {
		s.cells, s.seed, s.round = make([]slotCell, slotCells), maphash.MakeSeed(), 1
	}
	for i := range s.list {
		*s.find(&s.list[i]) = slotCell{s.round, uint32(i)}
	}
	s.built = true
}

// find returns the cell of a slot, an empty one if there is none.
func (s *slotSet) find(slot *evm.Slot) *slotCell {
	i := maphash.Comparable(s.seed, *slot)
	for {
		cell := &s.cells[i%slotCells]
		if cell.round != s.round || s.list[cell.at] == *slot {
			return cell
		}
		i++
	}
}
