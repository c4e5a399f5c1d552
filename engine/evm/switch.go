package evm

import (
	"github.com/ethereum/go-ethereum/common"
)

// Switch lets the rest of the Call run on another World with the same Codes, as
// if the Call had begun there. The accounts in keep come along, with their
// storage and what the Call changed in them. It returns the World that the Call
// leaves, with its changes so far, for a later Switch.
//
// A frame that fails undoes what it changed since the last Switch, and before it
// only what it changed in the accounts in keep. The access list, transient
// storage, events and the refund stay. The block stays too; see Block.
func (s *State) Switch(to *World, keep []common.Address) (left *World) {
	return s.machine.overlay.switchTo(to, keep)
}

// Backing returns a Backing for Worlds that the Call can switch to.
func (s *State) Backing(from Source) *Backing { return NewBacking(s.machine.overlay.codes, from) }

// Created lists the contracts that the Call has created so far.
func (s *State) Created() (list []common.Address) {
	for _, a := range s.machine.overlay.accounts.live() {
		if a.created && a.exists {
			list = append(list, a.addr)
		}
	}
	return list
}

// World returns a World with what the Call changed so far.
func (s *State) World() *World { return s.machine.overlay.world() }

func (o *overlay) world() *World {
	w := (&World{codes: o.codes, base: o.top}).Fork()
	if records := o.records(); len(records) > 0 {
		w.commit(records)
	}
	return w
}

func (o *overlay) switchTo(to *World, keep []common.Address) (left *World) {
	before := &World{codes: o.codes, base: o.top}
	left, next := o.world(), to.Fork()
	kept := make(map[common.Address]bool, len(keep))
	for _, addr := range keep {
		if !kept[addr] {
			next.Adopt(before, addr)
		}
		kept[addr] = true
	}
	o.top, o.moved = next.top(), next
	o.forget(kept)
	return left
}

// forget drops what the transaction knows and changed, except in some accounts:
// the others are as they are in top. They keep their places, to which frames and
// the journal refer.
func (o *overlay) forget(kept map[common.Address]bool) {
	drops := func(account int32) bool { return !kept[o.accounts.list[account].addr] }
	for i := range o.journal {
		switch u := &o.journal[i]; u.kind {
		case changeBalance, changeNonce, changeCode, changeExists, changeCreated, changeDoomed:
			if drops(u.at) {
				u.kind = changeNothing
			}
		case changeWord:
			if drops(o.words.list[u.at].account) {
				u.kind = changeNothing
			}
		}
	}
	o.forgetBefore(drops)
	for i := range o.words.list {
		if w := &o.words.list[i]; drops(w.account) {
			*w = slotWord{account: w.account, warm: w.warm, key: w.key}
		}
	}
	for _, a := range o.accounts.live() {
		if drops(a.index) {
			*a = account{addr: a.addr, warm: a.warm, index: a.index, stores: a.stores[:0]}
			o.accounts.load(a, o.top)
		}
	}
}

// replace gives w the state of another World.
func (w *World) replace(by *World) {
	w.Compact()
	top, shared := by.top(), sharedLayer(w.base, by.top())
	w.base, w.owned = top, 0
	for l := top; l != nil && l != shared && l.backing == nil; l = l.below {
		w.owned++
	}
}
