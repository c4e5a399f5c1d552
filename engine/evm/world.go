package evm

import (
	"bytes"
	"iter"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// A World is the state of a chain between transactions: accounts, code and
// storage. It is a handle on a chain of immutable layers; only the handle
// changes. Fork is O(1) and never copies storage, and Forks of one World may
// be taken and changed by several goroutines at once. A single World belongs
// to one goroutine while it is changed.
//
// As on the chain since EIP-161, an account that is empty (no balance, no
// nonce, no code) does not exist once a transaction is over.
type World struct {
	codes *Codes
	top   *layer // nil: nothing exists
	owned int    // layers on top that came after the Fork
}

// NewWorld returns a World without accounts, whose code is interned in codes.
func NewWorld(codes *Codes) *World { return &World{codes: codes} }

// Codes returns the table that the World's code is interned in.
func (w *World) Codes() *Codes { return w.codes }

// Fork returns a World with the same state that changes independently.
func (w *World) Fork() *World { return &World{codes: w.codes, top: w.top} }

// Size estimates the bytes that the World holds beyond the one it was forked
// from. What Worlds share counts once, with the first.
func (w *World) Size() int {
	size := layerSize
	for l, n := w.top, w.owned; n > 0 && l != nil; l, n = l.below, n-1 {
		size += l.size
	}
	return size
}

// push puts changes on top. It takes over accounts.
func (w *World) push(accounts []record) {
	top, swallowed := w.top.push(accounts)
	w.top = top
	w.owned = max(w.owned-swallowed, 0) + 1
}

// Exists tells whether there is an account at addr.
func (w *World) Exists(addr common.Address) bool {
	r := w.top.lookup(&addr)
	return r != nil && r.exists
}

// Balance returns an account's wei, 0 if it does not exist.
func (w *World) Balance(addr common.Address) uint256.Int {
	if r := w.top.lookup(&addr); r != nil && r.exists {
		return r.balance
	}
	return uint256.Int{}
}

// Nonce returns an account's nonce, 0 if it does not exist.
func (w *World) Nonce(addr common.Address) uint64 {
	if r := w.top.lookup(&addr); r != nil && r.exists {
		return r.nonce
	}
	return 0
}

// Code returns an account's code, nil if it has none.
func (w *World) Code(addr common.Address) *Code {
	if r := w.top.lookup(&addr); r != nil && r.exists {
		return r.code
	}
	return nil
}

// Storage returns one storage word.
func (w *World) Storage(addr common.Address, key common.Hash) common.Hash {
	for l := w.top; l != nil; l = l.below {
		r := l.find(&addr)
		if r == nil {
			continue
		}
		if value, ok := r.find(&key); ok {
			return value
		}
		if r.wiped {
			break
		}
	}
	return common.Hash{}
}

// Accounts yields the addresses of all accounts in ascending order.
func (w *World) Accounts() iter.Seq[common.Address] {
	return func(yield func(common.Address) bool) {
		for _, addr := range addresses(w.top, nil) {
			if w.Exists(addr) && !yield(addr) {
				return
			}
		}
	}
}

// addresses lists in order whom the layers from top down to, but without, end
// have records of.
func addresses(top, end *layer) []common.Address {
	var all []common.Address
	for l := top; l != end; l = l.below {
		for i := range l.accounts {
			all = append(all, l.accounts[i].addr)
		}
	}
	slices.SortFunc(all, func(a, b common.Address) int { return bytes.Compare(a[:], b[:]) })
	return slices.Compact(all)
}

// Slots yields the non-zero storage words of an account in ascending order of
// their keys.
func (w *World) Slots(addr common.Address) iter.Seq2[common.Hash, common.Hash] {
	return func(yield func(key, value common.Hash) bool) {
		var merged []layerSlot
		stores := w.top.stores(&addr, nil)
		for i := len(stores) - 1; i >= 0; i-- {
			merged = mergeSlots(stores[i].slots, merged, true)
		}
		for _, s := range merged {
			if !yield(s.key, s.value) {
				return
			}
		}
	}
}

// change applies f to an account's record, without its storage.
func (w *World) change(addr common.Address, f func(*record)) {
	r := record{addr: addr}
	if old := w.top.lookup(&addr); old != nil {
		r = *old
		r.slots, r.wiped = nil, false
	}
	f(&r)
	r.exists = r.nonce != 0 || !r.balance.IsZero() || r.code != nil
	if !r.exists {
		r.wiped, r.slots = true, nil
	}
	w.push([]record{r})
}

// SetBalance gives an account wei, creating it if need be.
func (w *World) SetBalance(addr common.Address, wei *uint256.Int) {
	w.change(addr, func(r *record) { r.balance = *wei })
}

// SetNonce sets an account's nonce, creating it if need be.
func (w *World) SetNonce(addr common.Address, nonce uint64) {
	w.change(addr, func(r *record) { r.nonce = nonce })
}

// SetCode puts code at addr without running a constructor. The bytes are
// kept, and must not change.
func (w *World) SetCode(addr common.Address, code []byte) *Code {
	interned := w.codes.Runtime(code)
	w.change(addr, func(r *record) { r.code = interned })
	return interned
}

// SetStorage writes one storage word of an account that exists; without an
// account it does nothing.
func (w *World) SetStorage(addr common.Address, key, value common.Hash) {
	if !w.Exists(addr) || w.Storage(addr, key) == value {
		return
	}
	w.change(addr, func(r *record) { r.slots = []layerSlot{{key, value}} })
}
