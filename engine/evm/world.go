package evm

import (
	"iter"
	"sync"
	"sync/atomic"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// A World is the state of a chain between transactions: accounts, code and
// storage. It is a handle on a chain of immutable layers; only the handle
// changes. Fork is O(1) and never copies storage, and several goroutines may
// fork one World and change their Forks. One goroutine at a time may change a
// World.
//
// As on the chain since EIP-161, an empty account (no balance, nonce or code)
// does not exist after a transaction.
type World struct {
	Env *Env // what Inspectors left for the next Call; nil: nothing

	origin *Env // of the World it was forked from
	codes  *Codes
	base   *layer // nil: empty
	owned  int    // top layers of base added since the Fork

	// The changes of the last Call wait until somebody reads the World, or needs it with
	// as few layers as possible: most Worlds are dropped before.
	fresh   []record
	viewed  atomic.Pointer[layer] // of fresh alone
	settled atomic.Pointer[settled]
	mu      sync.Mutex // of viewing and settling
}

// A settled is a World with its changes in layers.
type settled struct {
	top   *layer
	owned int
}

// NewWorld returns a World without accounts, whose code is interned in codes.
func NewWorld(codes *Codes) *World { return &World{codes: codes} }

// Fork returns a World with the same state that changes independently.
func (w *World) Fork() *World {
	return &World{Env: w.Env, origin: w.Env, codes: w.codes, base: w.top()}
}

// top returns the layers of the World, with as few as possible.
func (w *World) top() *layer {
	if len(w.fresh) == 0 {
		return w.base
	}
	return w.settle().top
}

// view returns the layers of the World as it takes the least time, to read a little.
func (w *World) view() *layer {
	if len(w.fresh) == 0 {
		return w.base
	}
	if s := w.settled.Load(); s != nil {
		return s.top
	}
	if l := w.viewed.Load(); l != nil {
		return l
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.freshLayer()
}

// freshLayer returns a layer of the changes of the last Call, while mu is locked.
func (w *World) freshLayer() *layer {
	l := w.viewed.Load()
	if l == nil {
		l = w.base.over(w.fresh)
		w.viewed.Store(l)
	}
	return l
}

// settle merges the changes of the last Call with the layers below.
func (w *World) settle() *settled {
	if s := w.settled.Load(); s != nil {
		return s
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if s := w.settled.Load(); s != nil {
		return s
	}
	top, swallowed := w.freshLayer().merge()
	s := &settled{top, max(w.owned-swallowed, 0) + 1}
	w.settled.Store(s)
	return s
}

// Compact puts the changes of the last Call into layers of the World's own, where they
// take less memory. It changes the World, which is writable afterwards.
func (w *World) Compact() {
	if len(w.fresh) > 0 {
		s := w.settle()
		w.base, w.owned, w.fresh = s.top, s.owned, nil
		w.settled.Store(nil)
		w.viewed.Store(nil)
	}
}

// Size estimates the bytes that the World holds in addition to the one it was
// forked from.
func (w *World) Size() int {
	size, owned := layerSize, w.owned
	if len(w.fresh) > 0 {
		owned = w.settle().owned
	}
	for l, n := w.top(), owned; n > 0 && l != nil; l, n = l.below, n-1 {
		size += l.size
	}
	if w.Env != nil && w.Env != w.origin {
		size += w.Env.Size
	}
	return size
}

// push adds changes on top and takes ownership of accounts.
func (w *World) push(accounts []record) {
	w.Compact()
	top, swallowed := w.base.over(accounts).merge()
	w.base, w.owned = top, max(w.owned-swallowed, 0)+1
}

// commit adds the changes of a Call and takes ownership of accounts.
func (w *World) commit(accounts []record) {
	w.Compact()
	w.fresh = accounts
}

// Exists reports whether there is an account at addr.
func (w *World) Exists(addr common.Address) bool {
	r := w.view().lookup(&addr)
	return r != nil && r.exists
}

// Balance returns an account's wei, 0 if it does not exist.
func (w *World) Balance(addr common.Address) uint256.Int {
	return w.view().existing(&addr).balance
}

// Nonce returns an account's nonce, 0 if it does not exist.
func (w *World) Nonce(addr common.Address) uint64 {
	return w.view().existing(&addr).nonce
}

// Code returns an account's code, nil if it has none.
func (w *World) Code(addr common.Address) *Code {
	return w.view().existing(&addr).code
}

// Storage returns one storage word.
func (w *World) Storage(addr common.Address, key common.Hash) common.Hash {
	for l := w.view(); l != nil; l = l.below {
		r := l.find(&addr)
		if r == nil {
			continue
		}
		if value, ok := r.find(&key); ok {
			return value
		}
		if r.storage != nil {
			value, _ := r.storage.word(&key)
			return value
		}
		if r.wiped {
			break
		}
	}
	return common.Hash{}
}

// Accounts yields the addresses of all accounts in ascending order. Of those of
// a Source, it yields the ones that were read.
func (w *World) Accounts() iter.Seq[common.Address] {
	return func(yield func(common.Address) bool) {
		for _, addr := range addresses(w.view()) {
			if w.Exists(addr) && !yield(addr) {
				return
			}
		}
	}
}

// addresses lists the addresses with records in the layers from top on, in order.
func addresses(top *layer) []common.Address {
	return sortAddresses(appendAddresses(nil, top, nil))
}

// appendAddresses appends the addresses with records in the layers from top to end, end
// excluded.
func appendAddresses(all []common.Address, top, end *layer) []common.Address {
	for l := top; l != end; l = l.below {
		for i := range l.accounts {
			all = append(all, l.accounts[i].addr)
		}
		if l.backing != nil {
			all = append(all, l.backing.addresses()...)
		}
	}
	return all
}

// Slots yields the non-zero storage words of an account in ascending order of
// their keys. Of those of a Source, it yields the ones that were read.
func (w *World) Slots(addr common.Address) iter.Seq2[common.Hash, common.Hash] {
	return func(yield func(key, value common.Hash) bool) {
		for _, s := range w.view().words(&addr) {
			if !yield(s.key, s.value) {
				return
			}
		}
	}
}

// change applies f to an account's record, without its storage.
func (w *World) change(addr common.Address, f func(*record)) {
	r := record{addr: addr}
	if old := w.view().lookup(&addr); old != nil {
		r = *old
		r.slots, r.wiped, r.storage = nil, false, nil
	}
	f(&r)
	r.exists = r.nonce != 0 || !r.balance.IsZero() || r.code != nil
	if !r.exists {
		r.wiped, r.slots = true, nil
	}
	w.push([]record{r})
}

// SetBalance sets the balance of an account and creates it if needed.
func (w *World) SetBalance(addr common.Address, wei *uint256.Int) {
	w.change(addr, func(r *record) { r.balance = *wei })
}

// SetNonce sets the nonce of an account and creates it if needed.
func (w *World) SetNonce(addr common.Address, nonce uint64) {
	w.change(addr, func(r *record) { r.nonce = nonce })
}

// SetCode sets the code at addr without a constructor. It keeps the bytes,
// which must not change.
func (w *World) SetCode(addr common.Address, code []byte) *Code {
	interned := w.codes.Runtime(code)
	w.change(addr, func(r *record) { r.code = interned })
	return interned
}

// SetStorage writes one storage word of an existing account; it does nothing
// for others.
func (w *World) SetStorage(addr common.Address, key, value common.Hash) {
	if !w.Exists(addr) || w.Storage(addr, key) == value {
		return
	}
	w.change(addr, func(r *record) { r.slots = []layerSlot{{key, value}} })
}
