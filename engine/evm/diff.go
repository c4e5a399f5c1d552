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
	now, then := w.view(), before.view()
	shared := sharedLayer(now, then)
	var few [16]common.Address
	suspects := appendAddresses(appendAddresses(few[:0], now, shared), then, shared)
	var diffs []AccountDiff
	for _, addr := range sortAddresses(suspects) {
		was, is := then.existing(&addr), now.existing(&addr)
		d := AccountDiff{
			Address:     addr,
			Balance:     [2]uint256.Int{was.balance, is.balance},
			Nonce:       [2]uint64{was.nonce, is.nonce},
			CodeChanged: !sameCode(was.code, is.code),
			Storage:     storageDiff(now, then, shared, &addr),
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

// storageDiff lists the words of addr that differ between two chains.
func storageDiff(now, then, shared *layer, addr *common.Address) []StorageDiff {
	var (
		fewKeys   [16]common.Hash
		fewStores [2][4]*record
		keys      = fewKeys[:0]
	)
	for _, top := range [2]*layer{now, then} {
		for l := top; l != shared; l = l.below {
			r := l.find(addr)
			if r == nil {
				continue
			}
			keys = r.keys(slices.Grow(keys, len(r.slots)))
			if r.wiped {
				keys = append(keys, shared.keys(addr)...)
			}
		}
	}
	if len(keys) == 0 {
		return nil
	}
	slices.SortFunc(keys, func(a, b common.Hash) int { return bytes.Compare(a[:], b[:]) })
	var diffs []StorageDiff
	was, is := then.stores(addr, fewStores[0][:0]), now.stores(addr, fewStores[1][:0])
	keys = slices.Compact(keys)
	for _, key := range keys {
		d := StorageDiff{Key: key}
		d.Before, _ = load(was, &key)
		d.After, _ = load(is, &key)
		if d.Before != d.After {
			if diffs == nil {
				diffs = make([]StorageDiff, 0, len(keys))
			}
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
