package evm

import (
	"sort"

	"github.com/ethereum/go-ethereum/common"
)

// A Change is what an account or a word was before a Call changed it.
type Change struct {
	undo
	address common.Address
	key     common.Hash // of a word
	place   int         // in the journal; behind it for what ends with the Call
}

// Since returns those of the Changes of a Call that are after a snapshot of it. They
// share memory.
func Since(all []Change, snapshot int) []Change {
	return all[:sort.Search(len(all), func(i int) bool { return all[i].place < snapshot })]
}

// Changes returns what changed since a Snapshot of this Call, the last change
// first. Restore undoes it. It leaves out refunds and events. For a later Call, ask at
// the end of this one without passing: then it leaves out transient storage and the
// access list, and has the storage of accounts that end with the Call.
func (s *State) Changes(snapshot int, passing bool) []Change {
	o := &s.machine.overlay
	var all []Change
	if !passing {
		all = s.ending()
	}
	for i := len(o.journal) - 1; i >= snapshot; i-- {
		c := Change{undo: o.journal[i], place: i}
		switch c.kind {
		case changeBalance, changeNonce, changeCode, changeExists, changeCreated, changeDoomed:
			c.address = o.accounts.list[c.at].addr
		case changeWarm:
			if !passing {
				continue
			}
			c.address = o.accounts.list[c.at].addr
		case changeWord, changeWordWarm:
			if c.kind == changeWordWarm && !passing {
				continue
			}
			w := &o.words.list[c.at]
			c.address, c.key = o.accounts.list[w.account].addr, *hashOf(&w.key)
		case changeTransient:
			if !passing {
				continue
			}
			t := &o.transient.list[c.at]
			c.address, c.key = t.addr, t.key
		default:
			continue
		}
		all = append(all, c)
	}
	return all
}

// ending returns the storage of the accounts that do not exist after the Call.
func (s *State) ending() (words []Change) {
	for _, a := range s.machine.overlay.accounts.live() {
		if !a.changed || !a.doomed && !a.empty() {
			continue
		}
		for key, word := range s.Slots(a.addr) {
			words = append(words, Change{undo{kind: changeWord, value: *wordOf(&word)}, a.addr, key, len(s.machine.overlay.journal)})
		}
	}
	return words
}

// Restore undoes Changes of this Call or, without the passing ones, of one that
// led to its World. A revert of a frame undoes the restoration in it, except of
// what stays then.
func (s *State) Restore(changes []Change) {
	o := &s.machine.overlay
	for i := range changes {
		c := &changes[i]
		switch c.kind {
		case changeTransient:
			o.setTransient(&c.address, &c.key, hashOf(&c.value))
			continue
		case changeWord:
			s.Store(c.address, c.key, *hashOf(&c.value))
			continue
		case changeWarm:
			s.Warm(c.address, nil, false)
			continue
		case changeWordWarm:
			s.Warm(c.address, &c.key, false)
			continue
		}
		a := o.account(&c.address)
		before := a.before(c.kind, c.stays)
		a.changed = true
		switch c.kind {
		case changeBalance:
			a.balance = c.value
		case changeNonce:
			a.nonce = c.count
		case changeCode:
			a.code = c.code
		default: // flags: what undoes their change ends with the Call
			o.restoreFlag(a, c.kind)
			continue
		}
		o.note(before)
		if !a.empty() {
			o.make(&c.address)
		}
	}
}

// restoreFlag unsets what a Call set of an account.
func (o *overlay) restoreFlag(a *account, kind changeKind) {
	switch kind {
	case changeExists:
		a.exists = !a.empty()
	case changeCreated:
		a.created = false
	case changeDoomed:
		a.doomed = false
	}
}

// Slots returns the words of an account that are not 0. Of those of a Source, it
// returns the ones that were read.
func (s *State) Slots(a common.Address) map[common.Hash]common.Hash {
	o := &s.machine.overlay
	all := make(map[common.Hash]common.Hash)
	for _, w := range o.top.words(&a) {
		all[w.key] = w.value
	}
	index := o.account(&a).index
	for i := range o.words.list {
		if w := &o.words.list[i]; w.account == index && w.loaded {
			key := *hashOf(&w.key)
			all[key] = *hashOf(&w.current)
			if w.current.IsZero() {
				delete(all, key)
			}
		}
	}
	return all
}

// Warmed reports whether a word is in the access list.
func (s *State) Warmed(a common.Address, key common.Hash) bool {
	o := &s.machine.overlay
	return o.word(o.account(&a), wordOf(&key)).warm
}

// Refund returns the gas that the transaction so far refunds.
func (s *State) Refund() uint64 { return s.machine.overlay.refund }

// Refill gives a running frame the gas that it began with, the part passed on to
// the running call excepted. The Call must be exact.
func (s *State) Refill(f *Frame, passed uint64) {
	s.machine.frameAt(f.Depth - 1).gas = f.Gas - min(passed, f.Gas)
}

// Charge takes gas from a running frame, at most what it has left.
func (s *State) Charge(f *Frame, gas uint64) {
	frame := s.machine.frameAt(f.Depth - 1)
	frame.gas -= min(gas, frame.gas)
}
