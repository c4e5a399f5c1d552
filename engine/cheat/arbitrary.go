package cheat

import (
	"errors"
	"maps"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/bytecode"
	"leveret/engine/evm"
)

// arbitrary are the accounts whose storage holds random words where nothing was
// written.
type arbitrary struct {
	overwrite map[common.Address]bool           // whether words that were written get random ones too
	values    map[evm.Slot]common.Hash          // random words so far
	copies    map[common.Address]common.Address // of such an account
	explicit  map[evm.Slot]bool                 // written by vm.store
}

func (a *arbitrary) clone() arbitrary {
	return arbitrary{maps.Clone(a.overwrite), maps.Clone(a.values), maps.Clone(a.copies), maps.Clone(a.explicit)}
}

var arbitraryRows = []row{
	{"setArbitraryStorage(address)", "", func(c *call) error { return c.arbitraryStorage(false) }, "makes the words of an account's storage random that were not written"},
	{"setArbitraryStorage(address,bool)", "", func(c *call) error { return c.arbitraryStorage(c.flag(1)) }, "makes the words of an account's storage random, those too that were written if the flag is set"},
	{"copyStorage(address,address)", "", (*call).copyStorage, "copies the storage of one account to another"},
}

func (c *call) arbitraryStorage(overwrite bool) error {
	a := &c.memory.arbitrary
	if a.overwrite == nil {
		*a = arbitrary{make(map[common.Address]bool), make(map[evm.Slot]common.Hash), make(map[common.Address]common.Address), make(map[evm.Slot]bool)}
	}
	address := c.address(0)
	a.overwrite[address] = overwrite
	maps.DeleteFunc(a.values, func(s evm.Slot, _ common.Hash) bool { return s.Address == address })
	a.forget(address)
	return c.observe()
}

// forget forgets the words of an account that vm.store wrote.
func (a *arbitrary) forget(address common.Address) {
	maps.DeleteFunc(a.explicit, func(s evm.Slot, _ bool) bool { return s.Address == address })
}

func (c *call) copyStorage() error {
	from, to, a := c.address(0), c.address(1), &c.memory.arbitrary
	if _, ok := a.overwrite[to]; ok {
		return errors.New("target address cannot have arbitrary storage")
	}
	c.replaceStorage(from, to)
	if _, ok := a.overwrite[from]; !ok {
		return nil
	}
	a.copies[to] = from
	a.forget(to)
	for slot := range maps.Clone(a.explicit) {
		if slot.Address == from {
			a.wrote(to, slot.Key)
			c.remember(entrySize)
		}
	}
	return nil
}

// replaceStorage makes the storage of one account that of another.
func (c *call) replaceStorage(from, to common.Address) {
	words := c.state.Slots(from)
	for key := range c.state.Slots(to) {
		if _, kept := words[key]; !kept {
			c.state.Store(to, key, common.Hash{})
		}
	}
	for key, word := range words {
		c.state.Store(to, key, word)
	}
}

// has reports whether an account has random words.
func (a *arbitrary) has(address common.Address) bool {
	_, ok := a.overwrite[address]
	return ok
}

// wrote notes a word that vm.store wrote. It reports whether it has to.
func (a *arbitrary) wrote(address common.Address, key common.Hash) bool {
	if a.explicit == nil {
		return false
	}
	a.explicit[evm.Slot{Address: address, Key: key}] = true
	return true
}

// watched returns the instructions to be told of.
func (a *arbitrary) watched() []byte {
	if a.overwrite == nil {
		return nil
	}
	return []byte{bytecode.SLOAD}
}

// load gives a word that is about to be read a random value if it has none.
func (c *Cheats) loadArbitrary(address common.Address, key common.Hash) {
	a, slot := &c.memory.arbitrary, evm.Slot{Address: address, Key: key}
	source, ok := address, false
	overwrite := false
	if overwrite, ok = a.overwrite[address]; !ok {
		if source, ok = a.copies[address]; !ok {
			return
		}
	}
	if a.explicit[slot] {
		return
	}
	origin := evm.Slot{Address: source, Key: key}
	_, known := a.values[origin]
	fresh := !c.state.Warmed(address, key) && c.state.Load(address, key) == (common.Hash{})
	if !fresh && (!overwrite || known) {
		return
	}
	if !known {
		word := (&call{Cheats: c}).randomWord(256)
		a.values[origin] = word.Bytes32()
		c.remember(entrySize)
		c.state.Store(source, key, a.values[origin])
	}
	c.state.Store(address, key, a.values[origin])
}
