package evm

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"
)

// Storage, transient storage and the access lists of EIP-2929.

func (o *overlay) word(a *account, key *common.Hash) *slotWord {
	return &o.words.list[o.words.at(a.index, key)]
}

// loadedWord returns a word with its values loaded.
func (o *overlay) loadedWord(addr *common.Address, key *common.Hash) (*account, *slotWord) {
	a := o.account(addr)
	w := o.word(a, key)
	if !w.loaded {
		w.loaded = true
		if a.hasStorage(o.top) {
			w.original = load(a.stores, key)
			w.current = w.original
		}
	}
	return a, w
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

// GetState implements vm.StateDB.
func (o *overlay) GetState(addr common.Address, key common.Hash) common.Hash {
	_, w := o.loadedWord(&addr, &key)
	return w.current
}

// GetStateAndCommittedState implements vm.StateDB.
func (o *overlay) GetStateAndCommittedState(addr common.Address, key common.Hash) (current, original common.Hash) {
	_, w := o.loadedWord(&addr, &key)
	return w.current, w.original
}

// SetState implements vm.StateDB.
func (o *overlay) SetState(addr common.Address, key, value common.Hash) (prev common.Hash) {
	o.make(&addr)
	a, w := o.loadedWord(&addr, &key)
	prev = w.current
	if prev != value {
		o.note(undo{kind: changeWord, at: o.words.last, value: hashLimbs(prev)})
		w.current, a.written = value, true
	}
	return prev
}

// GetTransientState implements vm.StateDB.
func (o *overlay) GetTransientState(addr common.Address, key common.Hash) common.Hash {
	if at := o.transient.find(addr, key); at >= 0 {
		return o.transient.list[at].value
	}
	return common.Hash{}
}

// SetTransientState implements vm.StateDB.
func (o *overlay) SetTransientState(addr common.Address, key, value common.Hash) {
	at := o.transient.find(addr, key)
	if at < 0 {
		at = o.transient.add(addr, key)
	}
	t := &o.transient.list[at]
	if t.value != value {
		o.note(undo{kind: changeTransient, at: int32(at), value: hashLimbs(t.value)})
		t.value = value
	}
}

// Prepare implements vm.StateDB: it fills the access list. Precompiles are
// warm by rule and need no entries.
func (o *overlay) Prepare(_ params.Rules, sender, coinbase common.Address, dest *common.Address, _ []common.Address, list types.AccessList) {
	o.account(&sender).warm = true
	o.account(&coinbase).warm = true
	if dest != nil {
		o.account(dest).warm = true
	}
	for _, entry := range list {
		a := o.account(&entry.Address)
		a.warm = true
		for i := range entry.StorageKeys {
			o.word(a, &entry.StorageKeys[i]).warm = true
		}
	}
}

// AddressInAccessList implements vm.StateDB.
func (o *overlay) AddressInAccessList(addr common.Address) bool {
	return precompile(&addr) || o.account(&addr).warm
}

// SlotInAccessList implements vm.StateDB.
func (o *overlay) SlotInAccessList(addr common.Address, key common.Hash) (addressOK, slotOK bool) {
	a := o.account(&addr)
	return a.warm || precompile(&addr), o.word(a, &key).warm
}

// AddAddressToAccessList implements vm.StateDB.
func (o *overlay) AddAddressToAccessList(addr common.Address) {
	if !precompile(&addr) {
		o.warm(o.account(&addr))
	}
}

func (o *overlay) warm(a *account) {
	if !a.warm {
		a.warm = true
		o.note(undo{kind: changeWarm, at: a.index})
	}
}

// AddSlotToAccessList implements vm.StateDB.
func (o *overlay) AddSlotToAccessList(addr common.Address, key common.Hash) {
	a := o.account(&addr)
	o.warm(a)
	if w := o.word(a, &key); !w.warm {
		w.warm = true
		o.note(undo{kind: changeWordWarm, at: o.words.last})
	}
}
