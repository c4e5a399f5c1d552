package replay

import (
	"maps"
	"slices"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"

	"leveret/engine/evm"
)

// Preimages stores the inputs of hashes, to trace storage slots back to mapping
// keys and array bases.
type Preimages struct {
	known  map[uint256.Int][]byte
	sorted []uint256.Int // keys of known; nil: outdated
}

// The optimiser computes constant hashes itself, so the slots of top-level
// arrays do not pass KECCAK256: those of the first slots are added.
const firstSlots = 256

// Limits of the stored inputs.
const (
	maxPreimage  = 1 << 12 // bytes
	maxPreimages = 1 << 14
)

// farthest is the maximal distance in bits of a slot from its hash: no array or
// struct is larger, and no two hashes are closer.
const farthest = 64

// ofFirstSlots are the inputs of the hashes of the first slots, by hash.
var ofFirstSlots = sync.OnceValue(func() map[uint256.Int][]byte {
	p := &Preimages{known: map[uint256.Int][]byte{}}
	for slot := range uint64(firstSlots) {
		word := uint256.NewInt(slot).Bytes32()
		p.add(word[:])
	}
	return p.known
})

// NewPreimages returns those of the first slots.
func NewPreimages() *Preimages { return &Preimages{known: maps.Clone(ofFirstSlots())} }

func (p *Preimages) add(preimage []byte) {
	var hash uint256.Int
	hash.SetBytes(crypto.Keccak256(preimage))
	if _, have := p.known[hash]; !have && len(p.known) < maxPreimages {
		p.known[hash], p.sorted = slices.Clone(preimage), nil
	}
}

// Step records the input of a KECCAK256.
func (p *Preimages) Step(s *evm.Step) {
	offset, size := s.Top(0), s.Top(1)
	if !size.IsUint64() || size.Uint64() < 32 || size.Uint64() > maxPreimage || !offset.IsUint64() || offset.Uint64() > 1<<32 {
		return
	}
	data := make([]byte, size.Uint64())
	if from := offset.Uint64(); from < uint64(len(s.Memory)) {
		copy(data, s.Memory[from:])
	}
	p.add(data)
}

// Find returns the preimage of the hash at or before a slot, and the offset of
// the slot.
func (p *Preimages) Find(slot uint256.Int) (preimage []byte, offset uint256.Int, ok bool) {
	if p.sorted == nil {
		for hash := range p.known {
			p.sorted = append(p.sorted, hash)
		}
		slices.SortFunc(p.sorted, func(a, b uint256.Int) int { return a.Cmp(&b) })
	}
	at, exact := slices.BinarySearchFunc(p.sorted, slot, func(a, b uint256.Int) int { return a.Cmp(&b) })
	if !exact {
		at--
	}
	if at < 0 {
		return nil, offset, false
	}
	offset.Sub(&slot, &p.sorted[at])
	return p.known[p.sorted[at]], offset, offset.BitLen() <= farthest
}

// A ledger holds the storage words during a transaction.
type ledger struct {
	world *evm.World // before the transaction
	now   map[word]uint256.Int
	undo  []undo
}

type word struct {
	account   common.Address
	key       uint256.Int
	transient bool
}

type undo struct {
	word
	before uint256.Int
}

func newLedger(w *evm.World) ledger { return ledger{world: w, now: map[word]uint256.Int{}} }

// get returns the current value of a word.
func (l *ledger) get(w word) uint256.Int {
	if value, ok := l.now[w]; ok || w.transient || l.world == nil {
		return value
	}
	var value uint256.Int
	stored := l.world.Storage(w.account, common.Hash(w.key.Bytes32()))
	value.SetBytes32(stored[:])
	return value
}

// set changes a word and returns its previous value.
func (l *ledger) set(w word, value uint256.Int) (before uint256.Int) {
	before = l.get(w)
	l.undo = append(l.undo, undo{w, before})
	l.now[w] = value
	return before
}

// revert undoes all changes after the first n.
func (l *ledger) revert(n int) {
	for i := len(l.undo) - 1; i >= n; i-- {
		l.now[l.undo[i].word] = l.undo[i].before
	}
	l.undo = l.undo[:n]
}
