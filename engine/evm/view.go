package evm

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// A View reads the state of the running Call while one of its Hooks is called, and
// changes nothing. What it returns is valid until the hook returns and is not to be
// changed.
type View struct{ machine *Machine }

// View returns the view of the running Call.
func (m *Machine) View() View { return View{m} }

// Stack returns the stack of a running frame; the top is last. Instructions that
// opened a frame have taken their operands.
func (v View) Stack(f *Frame) []uint256.Int {
	running := v.machine.frameAt(f.Depth - 1)
	return running.words[:running.height]
}

// Memory returns the memory of a running frame.
func (v View) Memory(f *Frame) []byte { return v.machine.frameAt(f.Depth - 1).memory }

// ReturnData returns what the last call of a running frame returned.
func (v View) ReturnData(f *Frame) []byte { return v.machine.frameAt(f.Depth - 1).returned }

// PC returns the pc of the instruction that a running frame executes.
func (v View) PC(f *Frame) uint64 { return v.machine.frameAt(f.Depth - 1).pc }

// Gas returns the gas that a running frame has left.
func (v View) Gas(f *Frame) uint64 { return v.machine.frameAt(f.Depth - 1).gas }

// Block returns the block of the Call.
func (v View) Block() BlockContext { return v.machine.context.block }

// Origin returns tx.origin.
func (v View) Origin() common.Address { return v.machine.context.origin }

// Balance returns an account's wei.
func (v View) Balance(a common.Address) uint256.Int {
	o := &v.machine.overlay
	if known := o.accounts.known(&a); known != nil {
		return known.balance
	}
	return v.world().Balance(a)
}

// Code returns the code of an account; nil if it has none.
func (v View) Code(a common.Address) *Code {
	if known := v.machine.overlay.accounts.known(&a); known != nil {
		return known.code
	}
	return v.world().Code(a)
}

// Storage returns a word of storage. If the Source of a World fails, it is 0.
func (v View) Storage(a common.Address, key common.Hash) common.Hash {
	o := &v.machine.overlay
	known := o.accounts.known(&a)
	if known == nil {
		return v.world().Storage(a, key)
	}
	if w := o.words.find(known.index, wordOf(&key)); w != nil && w.loaded {
		return *hashOf(&w.current)
	}
	value, _ := load(o.top.stores(&a, nil), &key)
	return value
}

// Transient returns a word of transient storage.
func (v View) Transient(a common.Address, key common.Hash) common.Hash {
	return v.machine.overlay.transientWord(&a, &key)
}

// Slots returns the keys of an account's words that the Call has touched so far,
// and those that are not 0 before it, in order.
func (v View) Slots(a common.Address) []common.Hash {
	o := &v.machine.overlay
	var keys []common.Hash
	for _, w := range o.top.words(&a) {
		keys = append(keys, w.key)
	}
	if known := o.accounts.known(&a); known != nil {
		for i := range o.words.list {
			if w := &o.words.list[i]; w.account == known.index && w.loaded {
				keys = append(keys, *hashOf(&w.key))
			}
		}
	}
	slices.SortFunc(keys, common.Hash.Cmp)
	return slices.Compact(keys)
}

// world returns the World that the Call runs on, without its changes.
func (v View) world() *World {
	return &World{codes: v.machine.overlay.codes, base: v.machine.overlay.top}
}

// find returns a word that the transaction touched; nil if it did not.
func (ws *words) find(account int32, key *uint256.Int) *slotWord {
	if ws.cells == nil {
		return nil
	}
	for i := ws.hash(account, key); ws.cells[i].round == ws.round; i = (i + 1) & (len(ws.cells) - 1) {
		if w := &ws.list[ws.cells[i].pos]; w.account == account && w.key == *key {
			return w
		}
	}
	return nil
}
