package evm

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"
)

// Storage, transient storage and the access lists of EIP-2929.

// An AccessList has accounts and words that are warm from the start of a transaction.
type (
	AccessList  = types.AccessList
	AccessTuple = types.AccessTuple
)

func (o *overlay) word(a *account, key *uint256.Int) *slotWord {
	return &o.words.list[o.words.at(a.index, key)]
}

// loadedWord returns a word with its values loaded. It is valid until the next
// word is asked for.
func (o *overlay) loadedWord(a *account, key *uint256.Int) *slotWord {
	w := o.word(a, key)
	if !w.loaded {
		w.loaded = true
		if o.accounts.err == nil && a.hasStorage(o.top) {
			value, err := load(a.stores, hashOf(key))
			if err != nil {
				o.accounts.err = err
			}
			w.original.SetBytes32(value[:])
			w.current = w.original
		}
	}
	return w
}

// hasStorage reports whether there may have been storage before the
// transaction.
func (a *account) hasStorage(top *layer) bool {
	if !a.loaded {
		a.loaded = true
		a.stores = top.stores(&a.addr, a.stores[:0])
	}
	return len(a.stores) > 0
}

// setWord writes the word that loadedWord returned last.
func (o *overlay) setWord(a *account, w *slotWord, value *uint256.Int) {
	if w.current != *value {
		if u := o.noteWord(&w.noted, changeWord, o.words.last); u != nil {
			u.value = w.current
		}
		w.current, a.written = *value, true
	}
}

func (o *overlay) transientWord(addr *common.Address, key *common.Hash) common.Hash {
	if at := o.transient.find(addr, key); at >= 0 {
		return o.transient.list[at].value
	}
	return common.Hash{}
}

func (o *overlay) setTransient(addr *common.Address, key, value *common.Hash) {
	at := o.transient.find(addr, key)
	if at < 0 {
		at = o.transient.add(addr, key)
	}
	t := &o.transient.list[at]
	if t.value != *value {
		if u := o.noteWord(&t.noted, changeTransient, int32(at)); u != nil {
			u.value.SetBytes32(t.value[:])
		}
		t.value = *value
	}
}

// prepare fills the access list. Precompiles and the coinbase are warm by rule and
// need no entries.
func (o *overlay) prepare(sender, coinbase, dest *common.Address, list types.AccessList) {
	o.account(sender).warm = true
	o.coinbase = *coinbase
	if dest != nil {
		o.account(dest).warm = true
	}
	for _, entry := range list {
		a := o.account(&entry.Address)
		a.warm = true
		for i := range entry.StorageKeys {
			o.word(a, wordOf(&entry.StorageKeys[i])).warm = true
		}
	}
}

// override sets what words are before the transaction.
func (o *overlay) override(list []StateOverride) {
	for i := range list {
		s := &list[i]
		w, value := o.word(o.account(&s.Slot.Address), wordOf(&s.Slot.Key)), wordOf(&s.Value)
		w.loaded, w.original, w.current = true, *value, *value
	}
}

// warmed reports whether an account was in the access list, and adds it.
func (o *overlay) warmed(a *account) bool {
	if a.warm || a.addr == o.coinbase && o.fork <= Shanghai || o.fork.precompile(&a.addr) != nil {
		return true
	}
	if a.doomed && o.enclosed {
		o.finishDestructed(a)
	}
	a.warm = true
	o.noteMark(changeWarm, a.index)
	return false
}

// warmWord reports whether a word was in the access list, and adds it. The
// account is in it already: its code is running.
func (o *overlay) warmWord(w *slotWord) bool {
	if w.warm {
		return true
	}
	w.warm = true
	o.noteMark(changeWordWarm, o.words.last)
	return false
}
