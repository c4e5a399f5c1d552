package evm

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// A layer is a set of changes on top of the layers below it. Layers are
// immutable, so Worlds and goroutines share them.
//
// The layers of a World form a log-structured merge tree: a new layer merges
// with those right below it while they are less than twice its size. A chain is
// at most logarithmic in its contents, and a transaction costs only what it
// wrote, up to a small constant, regardless of the storage below.
type layer struct {
	below    *layer
	accounts []record // ordered by address
	backing  *Backing // what is below all layers; nil: nothing
	size     int      // estimated size in bytes of this layer alone
}

// A record is an account and the changes of its storage.
type record struct {
	addr    common.Address
	exists  bool
	wiped   bool // hides all storage below
	nonce   uint64
	balance uint256.Int
	code    *Code          // nil: none
	slots   []layerSlot    // ordered by key; zero values hide those below
	storage *sourceStorage // if wiped: has the words that slots have not; nil: they are zero
}

func (r *record) compare(other *record) int { return bytes.Compare(r.addr[:], other.addr[:]) }

type layerSlot struct {
	key, value common.Hash
}

func (s *layerSlot) compare(other *layerSlot) int { return bytes.Compare(s.key[:], other.key[:]) }

// Estimated bytes of a record and a slot in a layer.
const (
	layerSize  = 64
	recordSize = 112
	slotSize   = 64
)

// weigh estimates the size of a layer.
func weigh(accounts []record) int {
	size := layerSize
	for i := range accounts {
		size += recordSize + slotSize*len(accounts[i].slots)
	}
	return size
}

// find returns the layer's own record of addr; nil if there is none.
func (l *layer) find(addr *common.Address) *record {
	lo, hi := 0, len(l.accounts)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		switch bytes.Compare(l.accounts[mid].addr[:], addr[:]) {
		case -1:
			lo = mid + 1
		case 1:
			hi = mid
		default:
			return &l.accounts[mid]
		}
	}
	if l.backing != nil {
		return l.backing.record(addr)
	}
	return nil
}

// lookup returns the newest record of addr in the chain; nil if there is none.
func (l *layer) lookup(addr *common.Address) *record {
	for ; l != nil; l = l.below {
		if r := l.find(addr); r != nil {
			return r
		}
	}
	return nil
}

// absent is the record of an account that does not exist.
var absent record

// existing returns the newest record of addr; absent if the account does not exist.
func (l *layer) existing(addr *common.Address) *record {
	if r := l.lookup(addr); r != nil && r.exists {
		return r
	}
	return &absent
}

// stores appends the records that make up the storage of addr to dst, newest
// first.
func (l *layer) stores(addr *common.Address, dst []*record) []*record {
	for ; l != nil; l = l.below {
		r := l.find(addr)
		if r == nil {
			continue
		}
		if len(r.slots) > 0 || r.storage != nil {
			dst = append(dst, r)
		}
		if r.wiped {
			break
		}
	}
	return dst
}

// words returns the non-zero storage words of an account that are known, ordered
// by key.
func (l *layer) words(addr *common.Address) []layerSlot {
	var merged []layerSlot
	for _, r := range slices.Backward(l.stores(addr, nil)) {
		if r.storage != nil {
			merged = r.storage.known()
		}
		merged = mergeSlots(r.slots, merged, true)
	}
	return merged
}

// find returns the record's own value of key. Keys that are hashes differ in their
// first bytes.
func (r *record) find(key *common.Hash) (common.Hash, bool) {
	first := binary.BigEndian.Uint64(key[:])
	lo, hi := 0, len(r.slots)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		slot := &r.slots[mid]
		order := cmp.Compare(binary.BigEndian.Uint64(slot.key[:]), first)
		if order == 0 {
			order = bytes.Compare(slot.key[8:], key[8:])
		}
		switch order {
		case -1:
			lo = mid + 1
		case 1:
			hi = mid
		default:
			return slot.value, true
		}
	}
	return common.Hash{}, false
}

// load reads a slot from records as stores returns them. An error is a
// *SourceError.
func load(stores []*record, key *common.Hash) (common.Hash, error) {
	for _, r := range stores {
		if value, ok := r.find(key); ok {
			return value, nil
		}
		if r.storage != nil {
			return r.storage.word(key)
		}
	}
	return common.Hash{}, nil
}

// over returns a layer of changes, with accounts and slots in any order, on top of the
// chain. It takes ownership of accounts.
func (l *layer) over(accounts []record) *layer {
	slices.SortFunc(accounts, func(a, b record) int { return a.compare(&b) })
	for i := range accounts {
		sortSlots(accounts[i].slots)
	}
	return &layer{below: l, accounts: accounts, size: weigh(accounts)}
}

// merge merges a layer with those right below it that are less than twice its size. It
// returns the result, which may be the layer, and the number of layers that it merged.
func (l *layer) merge() (top *layer, swallowed int) {
	accounts, size, below := l.accounts, l.size, l.below
	for below != nil && below.size < 2*size {
		accounts = mergeRecords(accounts, below.accounts, below.below == nil)
		size = weigh(accounts)
		below = below.below
		swallowed++
	}
	if swallowed == 0 {
		return l, 0
	}
	return &layer{below: below, accounts: accounts, size: size}, swallowed
}

func sortSlots(slots []layerSlot) {
	slices.SortFunc(slots, func(a, b layerSlot) int { return a.compare(&b) })
}

// mergeRecords merges newer over older. At the bottom it drops records that
// only hide others.
func mergeRecords(newer, older []record, bottom bool) []record {
	merged := make([]record, 0, union(newer, older, (*record).compare))
	keep := func(r record) {
		if !bottom || r.exists {
			merged = append(merged, r)
		}
	}
	for len(newer) > 0 && len(older) > 0 {
		switch newer[0].compare(&older[0]) {
		case -1:
			keep(newer[0])
			newer = newer[1:]
		case 1:
			keep(older[0])
			older = older[1:]
		default:
			keep(mergeRecord(newer[0], older[0], bottom))
			newer, older = newer[1:], older[1:]
		}
	}
	for _, r := range newer {
		keep(r)
	}
	for _, r := range older {
		keep(r)
	}
	return merged
}

// union counts the elements of two ordered lists, those of both once.
func union[T any](a, b []T, compare func(a, b *T) int) (n int) {
	for ; len(a) > 0 && len(b) > 0; n++ {
		order := compare(&a[0], &b[0])
		if order <= 0 {
			a = a[1:]
		}
		if order >= 0 {
			b = b[1:]
		}
	}
	return n + len(a) + len(b)
}

func mergeRecord(newer, older record, bottom bool) record {
	if newer.wiped {
		return newer
	}
	newer.wiped, newer.storage = older.wiped, older.storage
	newer.slots = mergeSlots(newer.slots, older.slots, older.storage == nil && (bottom || older.wiped))
	return newer
}

func mergeSlots(newer, older []layerSlot, bottom bool) []layerSlot {
	if len(newer) == 0 {
		return older
	}
	if len(older) == 0 && !bottom {
		return newer
	}
	merged := make([]layerSlot, 0, union(newer, older, (*layerSlot).compare))
	keep := func(s layerSlot) {
		if !bottom || s.value != (common.Hash{}) {
			merged = append(merged, s)
		}
	}
	for len(newer) > 0 && len(older) > 0 {
		switch newer[0].compare(&older[0]) {
		case -1:
			keep(newer[0])
			newer = newer[1:]
		case 1:
			keep(older[0])
			older = older[1:]
		default:
			keep(newer[0])
			newer, older = newer[1:], older[1:]
		}
	}
	for _, s := range newer {
		keep(s)
	}
	for _, s := range older {
		keep(s)
	}
	return merged
}
