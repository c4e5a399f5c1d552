package shadow

import (
	"cmp"

	"github.com/ethereum/go-ethereum/common"
)

// A stateSlot is the address of a storage word.
type stateSlot struct {
	account common.Address
	key     common.Hash
}

func (a stateSlot) compare(b stateSlot) int {
	return cmp.Or(a.account.Cmp(b.account), a.key.Cmp(b.key))
}

// A stored is the taint of a storage word that an earlier transaction wrote.
type stored struct {
	data, index, control Set
	bytes                uint32
	split                *[32]Set // nil: data in all of bytes
	fields               []storedField
	word                 Expr // 0: none
}

// A State is what outlives a transaction: the taint of storage, the preimages
// of hashes, and the number of transactions. It belongs to one goroutine.
type State struct {
	Sets *Sets
	Txs  int // transactions seen, including failed ones

	// Expressions collects the words of conditions and of storage in terms of
	// inputs; nil: nobody asks for them.
	Expressions *Expressions

	slots  map[stateSlot]stored
	flows  flowMemory // of the words in slots
	hashes map[common.Hash][]byte
}

// NewState returns an empty State.
func NewState() *State {
	return &State{Sets: newSets(), slots: map[stateSlot]stored{}, hashes: map[common.Hash][]byte{}}
}

// maxReused bounds the sets and unions of a State whose maps Clear uses again: maps
// never shrink, and to clear one takes as long as it ever was large. mostReused bounds
// those whose lists it uses again.
const (
	maxReused  = 1 << 13
	mostReused = 1 << 17
)

// Clear empties a State. Nothing that refers to what it held may be used any more, such as
// a Set or a Word.
func (s *State) Clear() {
	s.Txs, s.Expressions = 0, nil
	if len(s.slots)+len(s.hashes) > maxReused {
		s.slots, s.hashes = map[stateSlot]stored{}, map[common.Hash][]byte{}
	} else {
		clear(s.slots)
		clear(s.hashes)
	}
	s.flows.clear()
	s.Sets.clear()
}

// remember adds a preimage.
func (s *State) remember(hash common.Hash, in Bytes) {
	if _, ok := s.hashes[hash]; !ok && len(s.hashes) < maxHashes {
		s.hashes[hash] = in.Value()
	}
}
