package shadow

import (
	"cmp"
	"maps"

	"github.com/ethereum/go-ethereum/common"
)

// A slot is a storage word's address.
type stateSlot struct {
	account common.Address
	key     common.Hash
}

func (a stateSlot) compare(b stateSlot) int {
	return cmp.Or(a.account.Cmp(b.account), a.key.Cmp(b.key))
}

// stored is the provenance of a storage word that an earlier transaction
// wrote.
type stored struct {
	data, index, control Set
	bytes                uint32
	split                *[32]Set // nil: data in all of bytes
	fields               []storedField
}

// A State is what outlives a transaction: where the words in storage came
// from, what was hashed, and how many transactions there were. It belongs to one goroutine.
type State struct {
	Sets   *Sets
	Txs    int // transactions seen, failed ones included
	slots  map[stateSlot]stored
	hashes map[common.Hash][]byte
}

// NewState returns a State in which nothing is known of any storage word.
func NewState() *State {
	return &State{Sets: NewSets(), slots: map[stateSlot]stored{}, hashes: map[common.Hash][]byte{}}
}

// Clone returns a State that goes on from here on its own. The two share
// their Sets and so the goroutine.
func (s *State) Clone() *State {
	return &State{Sets: s.Sets, Txs: s.Txs, slots: maps.Clone(s.slots), hashes: maps.Clone(s.hashes)}
}

// Stored returns the Sources that flowed into the word at a slot when an
// earlier transaction wrote it; the empty Set if none did.
func (s *State) Stored(account common.Address, key common.Hash) Set {
	return s.slots[stateSlot{account, key}].data
}

// Preimage returns what hashed to hash in any transaction seen; nil if
// nothing did. The bytes must not be changed.
func (s *State) Preimage(hash common.Hash) []byte { return s.hashes[hash] }

// remember keeps a preimage.
func (s *State) remember(hash common.Hash, in Bytes) {
	if _, ok := s.hashes[hash]; !ok && len(s.hashes) < maxHashes {
		s.hashes[hash] = in.Value()
	}
}
