package evm

import (
	"bytes"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// An AccountDiff is the difference of one account between two Worlds.
type AccountDiff struct {
	Address     common.Address
	Balance     [2]uint256.Int // before, after
	Nonce       [2]uint64
	CodeChanged bool
	Storage     []StorageDiff // in ascending order of the keys
}

// A StorageDiff is a storage word that differs between two Worlds.
type StorageDiff struct {
	Key           common.Hash
	Before, After common.Hash
}

// Diff lists the accounts that differ between w and before, in ascending order
// of their addresses. It compares only layers that the two do not share: for a
// World and its Fork the cost is proportional to the changes. Of the storage of a
// Source, it compares what was read.
func (w *World) Diff(before *World) []AccountDiff {
	shared := sharedLayer(w.top(), before.top())
	suspects := append(addresses(w.top(), shared), addresses(before.top(), shared)...)
	var diffs []AccountDiff
	for _, addr := range sortAddresses(suspects) {
		d := AccountDiff{
			Address:     addr,
			Balance:     [2]uint256.Int{before.Balance(addr), w.Balance(addr)},
			Nonce:       [2]uint64{before.Nonce(addr), w.Nonce(addr)},
			CodeChanged: !sameCode(before.Code(addr), w.Code(addr)),
			Storage:     w.storageDiff(before, addr, shared),
		}
		if d.Balance[0] != d.Balance[1] || d.Nonce[0] != d.Nonce[1] || d.CodeChanged || len(d.Storage) > 0 {
			diffs = append(diffs, d)
		}
	}
	return diffs
}

// sameCode compares bytecode. Beyond the limit of Codes, equal bytes may be
// several Codes.
func sameCode(a, b *Code) bool {
	return a == b || a != nil && b != nil && a.Hash == b.Hash
}

// sharedLayer returns the topmost layer that is in both chains, or nil.
func sharedLayer(a, b *layer) *layer {
	for ; a != nil; a = a.below {
		for l := b; l != nil; l = l.below {
			if l == a {
				return a
			}
		}
	}
	return nil
}

func (w *World) storageDiff(before *World, addr common.Address, shared *layer) []StorageDiff {
	var keys []common.Hash
	for _, top := range []*layer{w.top(), before.top()} {
		for l := top; l != shared; l = l.below {
			r := l.find(&addr)
			if r == nil {
				continue
			}
			keys = r.keys(keys)
			if r.wiped {
				keys = append(keys, shared.keys(&addr)...)
			}
		}
	}
	slices.SortFunc(keys, func(a, b common.Hash) int { return bytes.Compare(a[:], b[:]) })
	var diffs []StorageDiff
	for _, key := range slices.Compact(keys) {
		d := StorageDiff{key, before.Storage(addr, key), w.Storage(addr, key)}
		if d.Before != d.After {
			diffs = append(diffs, d)
		}
	}
	return diffs
}

// keys lists the keys of all known words of addr in the chain.
func (l *layer) keys(addr *common.Address) []common.Hash {
	var keys []common.Hash
	for _, r := range l.stores(addr, nil) {
		keys = r.keys(keys)
	}
	return keys
}

// keys appends the keys of the record's own words.
func (r *record) keys(dst []common.Hash) []common.Hash {
	for i := range r.slots {
		dst = append(dst, r.slots[i].key)
	}
	if r.storage != nil {
		for _, s := range r.storage.known() {
			dst = append(dst, s.key)
		}
	}
	return dst
}
