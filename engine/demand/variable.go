package demand

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"

	"leveret/engine/evm"
	"leveret/engine/input"
)

// A Variable is a storage variable as bytecode shows it: the base slot of a
// mapping or array, and the number of hashes between it and the word. All
// entries of a mapping belong to one Variable.
type Variable struct {
	Address common.Address
	Base    common.Hash
	Depth   int
}

// A VariableWord is one storage word: its Variable and the keys that select the
// word.
type VariableWord struct {
	Variable
	Keys []uint256.Int // mapping keys of one word, outermost first, and actors in other hashed data
}

// Preimages holds the inputs of hashes, to find the variable of a slot. The
// zero value is empty.
type Preimages struct {
	Senders []input.Actor // whose addresses may be packed into hashed data; none: input.Actors

	inputs map[common.Hash][]byte // of minSlotInput bytes and more
	short  map[common.Hash][]byte
	forms  []form
	near   map[common.Hash]common.Hash // the keys of inputs by stretch
	known  int                         // times that something was learned
	places map[evm.Slot]VariableWord   // resolved since the last of them
}

// minSlotInput is the minimum size in bytes of a preimage of a slot: an
// address, and a few bytes of a seed.
const minSlotInput = 24

// maxPreimages bounds the number of preimages.
const maxPreimages = 1 << 16

// maxOffset bounds the offset of array elements and struct members from a hash,
// in words.
const (
	offsetBits = 20
	maxOffset  = 1 << offsetBits
)

// maxDepth bounds the nesting of mappings and arrays.
const maxDepth = 8

// Add adds an input of KECCAK256, which it copies.
func (p *Preimages) Add(in []byte) {
	hash := crypto.Keccak256Hash(in)
	if _, known := p.Input(hash); known || len(p.inputs)+len(p.short) >= maxPreimages {
		return
	}
	if len(in) < minSlotInput {
		if p.short == nil {
			p.short = map[common.Hash][]byte{}
		}
		p.short[hash] = bytes.Clone(in)
		return
	}
	if p.inputs == nil {
		p.inputs, p.near = map[common.Hash][]byte{}, map[common.Hash]common.Hash{}
	}
	p.inputs[hash] = bytes.Clone(in)
	p.near[stretch(hash)] = hash
	p.learned()
	if len(in) != 64 {
		p.learn(in)
	}
}

// Input returns the preimage of hash.
func (p *Preimages) Input(hash common.Hash) ([]byte, bool) {
	if in, ok := p.inputs[hash]; ok {
		return in, true
	}
	in, ok := p.short[hash]
	return in, ok
}

// maxPlaces bounds the words whose variables are remembered.
const maxPlaces = 1 << 12

// learned forgets what more preimages may change.
func (p *Preimages) learned() {
	p.known++
	clear(p.places)
}

// Known counts what was learned: as long as it is the same, slots have the same
// variables, and Near has the same results.
func (p *Preimages) Known() int { return p.known }

// Resolve returns the variable of a slot of the contract at address. Callers must
// not change the keys.
func (p *Preimages) Resolve(address common.Address, slot common.Hash) VariableWord {
	at, ok := p.places[evm.Slot{Address: address, Key: slot}]
	if ok {
		return at
	}
	at = p.resolve(address, slot)
	switch {
	case p.places == nil:
		p.places = map[evm.Slot]VariableWord{}
	case len(p.places) >= maxPlaces:
		clear(p.places)
	}
	p.places[evm.Slot{Address: address, Key: slot}] = at
	return at
}

func (p *Preimages) resolve(address common.Address, slot common.Hash) VariableWord {
	at := VariableWord{Variable: Variable{Address: address, Base: slot}}
	for at.Depth < maxDepth {
		hash, ok := p.floor(at.Base)
		if !ok {
			break
		}
		in := p.inputs[hash]
		at.Base = common.BytesToHash(in[max(0, len(in)-32):])
		at.Depth++
		if len(in) == 64 {
			var key uint256.Int
			key.SetBytes(in[:32])
			at.Keys = append(at.Keys, key)
		} else if base, keys := p.packed(in); len(keys) > 0 {
			at.Base = base
			at.Keys = append(at.Keys, keys...)
			break // the base of a form is no slot, though it is the hash of the form with zeros
		}
	}
	slices.Reverse(at.Keys)
	return at
}

// A form is how a contract packs addresses into hashed data, as assembly does
// without Solidity's layout: the positions of the addresses and the bytes
// around them.
type form struct {
	at   []int
	rest []byte // with zeros in place of the addresses
	base common.Hash
}

// maxForms bounds the number of forms.
const maxForms = 64

// formOf finds the senders in hashed data; nil if there is none.
func (p *Preimages) formOf(in []byte) *form {
	var f *form
	senders := p.Senders
	if len(senders) == 0 {
		senders = input.Actors[:]
	}
	for at := 0; at+common.AddressLength <= len(in); at++ {
		if !slices.Contains(senders, input.Actor(in[at:at+common.AddressLength])) {
			continue
		}
		if f == nil {
			f = &form{rest: bytes.Clone(in)}
		}
		f.at = append(f.at, at)
		clear(f.rest[at : at+common.AddressLength])
	}
	if f != nil {
		f.base = crypto.Keccak256Hash(f.rest)
	}
	return f
}

// learn adds the form of hashed data.
func (p *Preimages) learn(in []byte) {
	f := p.formOf(in)
	if f == nil || len(p.forms) == maxForms || slices.ContainsFunc(p.forms, func(o form) bool { return o.base == f.base && slices.Equal(o.at, f.at) }) {
		return
	}
	p.forms = append(p.forms, *f)
}

// packed returns the addresses in hashed data, innermost last; nil if no form
// fits.
func (p *Preimages) packed(in []byte) (base common.Hash, keys []uint256.Int) {
	for i := range p.forms {
		f := &p.forms[i]
		if !f.fits(in) {
			continue
		}
		for _, at := range slices.Backward(f.at) {
			var key uint256.Int
			key.SetBytes(in[at : at+common.AddressLength])
			keys = append(keys, key)
		}
		return f.base, keys
	}
	return base, nil
}

// fits reports whether in differs from the form only in addresses.
func (f *form) fits(in []byte) bool {
	if len(in) != len(f.rest) {
		return false
	}
	from := 0
	for _, at := range f.at {
		if at < from || !bytes.Equal(in[from:at], f.rest[from:at]) {
			return false
		}
		from = at + common.AddressLength
	}
	return bytes.Equal(in[from:], f.rest[from:])
}

// Near returns the preimage of the hash at or before a slot, and the offset of
// the slot from the hash.
func (p *Preimages) Near(slot uint256.Int) (input []byte, offset uint256.Int, ok bool) {
	hash, ok := p.floor(slot.Bytes32())
	if !ok || len(p.inputs[hash]) < 32 {
		return nil, offset, false
	}
	offset.SetBytes32(hash[:])
	offset.Sub(&slot, &offset)
	return p.inputs[hash], offset, true
}

// floor returns the known hash at or shortly before slot.
func (p *Preimages) floor(slot common.Hash) (common.Hash, bool) {
	if _, ok := p.inputs[slot]; ok {
		return slot, true
	}
	if slot[0] == 0 && slot[1] == 0 && slot[2] == 0 && slot[3] == 0 {
		return common.Hash{}, false // no hash is that small
	}
	var at, before uint256.Int
	at.SetBytes32(slot[:])
	before.SubUint64(&at, maxOffset)
	for _, s := range [2]common.Hash{stretch(slot), stretch(before.Bytes32())} {
		hash, known := p.near[s]
		if !known {
			continue
		}
		var below uint256.Int
		if below.SetBytes32(hash[:]); !at.Lt(&below) && below.Sub(&at, &below).LtUint64(maxOffset) {
			return hash, true
		}
	}
	return common.Hash{}, false
}

// stretch returns the start of the maxOffset words that a slot is among. No two hashes are
// known to be in one stretch.
func stretch(slot common.Hash) common.Hash {
	low := binary.BigEndian.Uint64(slot[24:]) >> offsetBits << offsetBits
	binary.BigEndian.PutUint64(slot[24:], low)
	return slot
}
