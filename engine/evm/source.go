package evm

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
	"golang.org/x/sync/singleflight"
)

// A Source has the state of a chain after one block. It answers the same
// question always with the same value, and is safe for concurrent use.
type Source interface {
	// Account returns the account at addr, the zero value if there is none.
	Account(addr common.Address) (SourceAccount, error)
	// Storage returns one storage word of an account.
	Storage(addr common.Address, key common.Hash) (common.Hash, error)
	// BlockHash returns the hash of a block, the zero hash for blocks after that
	// of the state.
	BlockHash(number uint64) (common.Hash, error)
}

// A SourceAccount is an account of a Source. As on the chain since EIP-161, an
// account without balance, nonce and code does not exist.
type SourceAccount struct {
	Balance uint256.Int
	Nonce   uint64
	Code    []byte // never changed
}

// A SourceError is the Outcome.Halt of a Call that needs state which its Source
// could not give. It ends the whole Call, and says nothing about the contracts.
type SourceError struct{ Err error }

func (e *SourceError) Error() string { return e.Err.Error() }

// Unwrap returns the Source's error.
func (e *SourceError) Unwrap() error { return e.Err }

// A Backing lets Worlds have a Source below their layers. It reads lazily and
// remembers what it read: the Source is asked for nothing twice, except after an
// error. It is safe for concurrent use.
type Backing struct {
	codes    *Codes
	source   Source
	root     *layer
	accounts memo[common.Address, *record]
	hashes   memo[uint64, common.Hash]

	mu  sync.RWMutex
	err error
}

// NewBacking returns a Backing that has read nothing. It interns code in codes.
func NewBacking(codes *Codes, s Source) *Backing {
	b := &Backing{codes: codes, source: s}
	b.root = &layer{backing: b, size: math.MaxInt} // never merged
	return b
}

// World returns a World with the state of the Source.
func (b *Backing) World() *World { return &World{codes: b.codes, base: b.root} }

// Err returns the first error of the Source, nil if there was none. Methods of
// Worlds that return no error answer after one as if there were no account and
// no word.
func (b *Backing) Err() error {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.err
}

// fail remembers the first error.
func (b *Backing) fail(err error) *SourceError {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err == nil {
		b.err = err
	}
	return &SourceError{err}
}

// record returns the record of an account. If the Source fails, it returns one
// of an account that does not exist, with the error in its storage.
func (b *Backing) record(addr *common.Address) *record {
	r, err := b.accounts.get(*addr, func() (*record, error) { return b.readAccount(*addr) })
	if err != nil {
		return &record{addr: *addr, wiped: true, storage: &sourceStorage{err: b.fail(err)}}
	}
	return r
}

func (b *Backing) readAccount(addr common.Address) (*record, error) {
	a, err := b.source.Account(addr)
	if err != nil {
		return nil, err
	}
	r := &record{addr: addr, wiped: true, nonce: a.Nonce, balance: a.Balance, code: b.codes.Runtime(a.Code)}
	r.exists = r.nonce != 0 || !r.balance.IsZero() || r.code != nil
	if r.nonce != 0 || r.code != nil { // others have no storage
		r.storage = &sourceStorage{backing: b, addr: addr}
	}
	return r, nil
}

// addresses lists the accounts that were read, in any order.
func (b *Backing) addresses() (all []common.Address) {
	b.accounts.each(func(addr common.Address, _ *record) { all = append(all, addr) })
	return all
}

// blockHash returns the hash of a block, the zero hash if the Source has none.
func (b *Backing) blockHash(number uint64) (common.Hash, error) {
	hash, err := b.hashes.get(number, func() (common.Hash, error) { return b.source.BlockHash(number) })
	if err != nil {
		return common.Hash{}, b.fail(err)
	}
	return hash, nil
}

// A sourceStorage is the storage of an account of a Source, as far as it was
// read.
type sourceStorage struct {
	backing *Backing
	addr    common.Address
	err     error // the account could not be read
	words   memo[common.Hash, common.Hash]
}

// word returns a storage word.
func (s *sourceStorage) word(key *common.Hash) (common.Hash, error) {
	if s.err != nil {
		return common.Hash{}, s.err
	}
	word, err := s.words.get(*key, func() (common.Hash, error) { return s.backing.source.Storage(s.addr, *key) })
	if err != nil {
		return common.Hash{}, s.backing.fail(err)
	}
	return word, nil
}

// known returns the non-zero words that were read, ordered by key.
func (s *sourceStorage) known() (slots []layerSlot) {
	s.words.each(func(key, value common.Hash) {
		if value != (common.Hash{}) {
			slots = append(slots, layerSlot{key, value})
		}
	})
	sortSlots(slots)
	return slots
}

// A memo remembers what a Source answered to one kind of question, but for errors.
// The zero value has no answers. It is safe for concurrent use.
type memo[Q comparable, A any] struct {
	asking singleflight.Group

	mu    sync.RWMutex
	known map[Q]A
}

// get returns the answer to a question, which it asks if it has none.
func (m *memo[Q, A]) get(question Q, ask func() (A, error)) (A, error) {
	if answer, known := m.remembered(question); known {
		return answer, nil
	}
	got, err, _ := m.asking.Do(fmt.Sprint(question), func() (any, error) {
		if answer, known := m.remembered(question); known { // since the first look
			return answer, nil
		}
		answer, err := ask()
		if err == nil {
			m.remember(question, answer)
		}
		return answer, err
	})
	return got.(A), err
}

func (m *memo[Q, A]) remembered(question Q) (A, bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	answer, known := m.known[question]
	return answer, known
}

func (m *memo[Q, A]) remember(question Q, answer A) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known == nil {
		m.known = map[Q]A{}
	}
	m.known[question] = answer
}

// each calls do for all answers, in any order.
func (m *memo[Q, A]) each(do func(Q, A)) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	for question, answer := range m.known {
		do(question, answer)
	}
}

// backingOf returns the Backing below a chain of layers; nil if there is none.
func backingOf(l *layer) *Backing {
	for ; l != nil; l = l.below {
		if l.backing != nil {
			return l.backing
		}
	}
	return nil
}

// Adopt replaces the account at addr by that of another World with the same
// Codes. Words that were never read still come from the other World's Source.
func (w *World) Adopt(from *World, addr common.Address) {
	w.push([]record{from.top().flat(&addr)})
}

// AdoptAll adopts all accounts of another World with the same Codes. It asks no
// Source for the accounts that they replace.
func (w *World) AdoptAll(from *World) {
	top := from.top()
	var all []record
	for _, addr := range addresses(top) {
		all = append(all, top.flat(&addr))
	}
	if len(all) > 0 {
		w.push(all)
	}
}

// flat returns the record of an account with all its storage.
func (l *layer) flat(addr *common.Address) record {
	r := record{addr: *addr}
	if newest := l.lookup(addr); newest != nil {
		r = *newest
	}
	r.wiped, r.slots, r.storage = true, nil, nil
	stores := l.stores(addr, nil)
	if len(stores) > 0 {
		r.storage = stores[len(stores)-1].storage
	}
	for _, older := range slices.Backward(stores) {
		r.slots = mergeSlots(older.slots, r.slots, r.storage == nil)
	}
	return r
}

// sortAddresses orders addresses and drops repetitions.
func sortAddresses(all []common.Address) []common.Address {
	slices.SortFunc(all, func(a, b common.Address) int { return bytes.Compare(a[:], b[:]) })
	return slices.Compact(all)
}
