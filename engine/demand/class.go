package demand

import (
	"bytes"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// A Class is a storage variable as bytecode shows it: the slot that a mapping
// or array begins at, and how many hashes lie between it and the word. All
// entries of a mapping are of one Class.
type Class struct {
	Address common.Address
	Base    common.Hash
	Depth   int
}

// A Place is one storage word: its Class and what chose the word within it.
type Place struct {
	Class
	Keys []uint256.Int // mapping keys that are words, outermost first
}

// Preimages remembers what was hashed, to tell which variable a slot belongs
// to. The zero value is empty.
type Preimages struct {
	inputs map[common.Hash][]byte // of a word and more
	short  map[common.Hash][]byte
	sorted []common.Hash
	dirty  bool
}

// maxPreimages bounds the memory of a campaign that hashes without end.
const maxPreimages = 1 << 16

// maxOffset bounds how far behind a hash the elements of an array and the
// members of a struct are looked for, in words.
const maxOffset = 1 << 20

// maxDepth bounds the nesting of mappings and arrays.
const maxDepth = 8

// Add remembers an input of KECCAK256, which it copies.
func (p *Preimages) Add(input []byte) {
	hash := crypto.Keccak256Hash(input)
	if _, known := p.Input(hash); known || len(p.inputs)+len(p.short) >= maxPreimages {
		return
	}
	if len(input) < 32 { // nothing that a slot is made from
		if p.short == nil {
			p.short = map[common.Hash][]byte{}
		}
		p.short[hash] = bytes.Clone(input)
		return
	}
	if p.inputs == nil {
		p.inputs = map[common.Hash][]byte{}
	}
	p.inputs[hash] = bytes.Clone(input)
	p.dirty = true
}

// Input returns what was hashed to make hash.
func (p *Preimages) Input(hash common.Hash) ([]byte, bool) {
	if in, ok := p.inputs[hash]; ok {
		return in, true
	}
	in, ok := p.short[hash]
	return in, ok
}

// Place tells which variable of the contract at address a slot belongs to.
func (p *Preimages) Place(address common.Address, slot common.Hash) Place {
	at := Place{Class: Class{Address: address, Base: slot}}
	for at.Depth < maxDepth {
		hash, ok := p.floor(at.Base)
		if !ok {
			break
		}
		in := p.inputs[hash]
		at.Base = common.BytesToHash(in[len(in)-32:])
		at.Depth++
		if len(in) == 64 {
			var key uint256.Int
			key.SetBytes(in[:32])
			at.Keys = append(at.Keys, key)
		}
	}
	slices.Reverse(at.Keys)
	return at
}

// Near returns what was hashed to reach a slot, and how far behind the hash it
// lies.
func (p *Preimages) Near(slot uint256.Int) (input []byte, offset uint256.Int, ok bool) {
	hash, ok := p.floor(slot.Bytes32())
	if !ok {
		return nil, offset, false
	}
	offset.SetBytes32(hash[:])
	offset.Sub(&slot, &offset)
	return p.inputs[hash], offset, true
}

// floor returns the known hash that slot is, or lies shortly behind of.
func (p *Preimages) floor(slot common.Hash) (common.Hash, bool) {
	if _, ok := p.inputs[slot]; ok {
		return slot, true
	}
	if slot[0] == 0 && slot[1] == 0 && slot[2] == 0 && slot[3] == 0 {
		return common.Hash{}, false // no hash is that small
	}
	if p.dirty {
		p.sorted = p.sorted[:0]
		for h := range p.inputs {
			p.sorted = append(p.sorted, h)
		}
		slices.SortFunc(p.sorted, common.Hash.Cmp)
		p.dirty = false
	}
	i, _ := slices.BinarySearchFunc(p.sorted, slot, common.Hash.Cmp)
	if i == 0 {
		return common.Hash{}, false
	}
	var distance, below uint256.Int
	distance.SetBytes32(slot[:])
	below.SetBytes32(p.sorted[i-1][:])
	distance.Sub(&distance, &below)
	return p.sorted[i-1], distance.LtUint64(maxOffset)
}
