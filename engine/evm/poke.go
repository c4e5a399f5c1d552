package evm

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// A Poke changes the state of the running Call while its Hooks.Step is called, as a
// debugger does: the instruction that is about to run sees it. Changes to accounts are
// undone with the innermost frame, those to the block with the Call. Frame.From and
// Frame.Value may be changed, too.
type Poke struct{ machine *Machine }

// Poke returns the Poke of the running Call.
func (m *Machine) Poke() Poke { return Poke{m} }

// Stack sets a word on the stack of a running frame, 0 the bottom. It does nothing if
// there is none.
func (p Poke) Stack(f *Frame, at int, word *uint256.Int) {
	if running := p.machine.frameAt(f.Depth - 1); at >= 0 && at < running.height {
		running.words[at] = *word
	}
}

// Memory sets a word in the memory of a running frame. It does nothing behind the end.
func (p Poke) Memory(f *Frame, at int, word *uint256.Int) {
	if memory := p.machine.frameAt(f.Depth - 1).memory; at >= 0 && at <= len(memory)-32 {
		word.WriteToSlice(memory[at : at+32])
	}
}

// Storage sets a word of storage.
func (p Poke) Storage(a common.Address, key, value common.Hash) {
	(&State{p.machine}).Store(a, key, value)
}

// Transient sets a word of transient storage.
func (p Poke) Transient(a common.Address, key, value common.Hash) {
	p.machine.overlay.setTransient(&a, &key, &value)
}

// Balance sets an account's wei.
func (p Poke) Balance(a common.Address, wei *uint256.Int) { (&State{p.machine}).SetBalance(a, wei) }

// Block returns the block, which may be changed.
func (p Poke) Block() *BlockContext { return &p.machine.context.block }

// Origin returns tx.origin, which may be changed.
func (p Poke) Origin() *common.Address { return &p.machine.context.origin }
