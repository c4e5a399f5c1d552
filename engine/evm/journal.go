package evm

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// A changeKind is what an undo entry restores.
type changeKind uint8

const (
	changeBalance changeKind = iota
	changeNonce
	changeCode
	changeExists  // account was created
	changeCreated // contract was deployed
	changeDoomed  // account self-destructed
	changeTouched // account was called
	changeWarm    // account joined the access list
	changeWordWarm
	changeWord
	changeTransient
	changeRefund
	changeLog
	changeNothing // of an account that a switch of the World dropped
)

// An undo is one entry of the journal. The kind determines which fields count.
type undo struct {
	kind  changeKind
	stays bool  // if the frame fails that made the change: a balance, a nonce or code of a cheatcode
	left  bool  // the frame has failed
	at    int32 // account, word or transient word
	count uint64
	value uint256.Int // balance, or a word
	code  *Code
}

// The journal of a transaction: a snapshot is its length, and a revert undoes
// all later entries.
func (o *overlay) note(u undo) {
	if o.ticks--; o.ticks < 0 {
		_ = o.weigh(0) // the Call ends at the next access
	}
	o.journal = append(o.journal, u)
}

// noteMark notes a change that has no former value.
func (o *overlay) noteMark(kind changeKind, at int32) {
	n := len(o.journal)
	if n == cap(o.journal) || o.ticks <= 0 {
		o.note(undo{kind: kind, at: at})
		return
	}
	o.ticks--
	o.journal = o.journal[:n+1]
	u := &o.journal[n]
	u.kind, u.stays, u.left, u.at = kind, false, false, at
}

func (o *overlay) snapshot() int {
	o.floor = len(o.journal)
	return o.floor
}

// noteWord returns the entry for what a word was, whose value is to be set; nil if the
// journal has it since the last snapshot: loops that write one word again and again
// would fill it. noted is one more than the place of the word's last entry.
func (o *overlay) noteWord(noted *int32, kind changeKind, at int32) *undo {
	if int(*noted) > o.floor {
		return nil
	}
	o.noteMark(kind, at)
	*noted = int32(len(o.journal))
	return &o.journal[*noted-1]
}

// revert undoes what was done after a snapshot. If an Inspector has undone more,
// there is nothing left to undo.
func (o *overlay) revert(length int) {
	if length > len(o.journal) {
		return
	}
	for i := len(o.journal) - 1; i >= length; i-- {
		o.undo(&o.journal[i])
	}
	o.journal = o.journal[:length]
}

// fail undoes what a frame that failed did after a snapshot. What stays is done
// again, as a difference to what the account had before the frame [revm's
// JournalInner.checkpoint_revert, which knows transfers by their value and nothing
// of the cheatcodes].
func (o *overlay) fail(length int) {
	var stay []undo // newest first
	for i := len(o.journal) - 1; i >= length; i-- {
		u := &o.journal[i]
		if u.stays {
			stay = append(stay, o.difference(u))
		}
		o.undo(u)
	}
	o.journal = o.journal[:min(length, len(o.journal))]
	for i := range slices.Backward(stay) {
		o.redo(&stay[i])
	}
}

// difference returns what a change that stays, the last one of the journal that is
// not undone, added to an account.
func (o *overlay) difference(u *undo) undo {
	d := *u
	switch a := o.accounts.list[u.at]; u.kind {
	case changeBalance:
		d.value.Sub(&a.balance, &u.value)
	case changeNonce:
		d.count = a.nonce - u.count
	}
	return d
}

// redo adds a difference to an account. Of code nothing stays, not even what was
// there before.
func (o *overlay) redo(d *undo) {
	if d.kind == changeNothing {
		return
	}
	a, from := o.accounts.list[d.at], len(o.journal)
	o.note(a.before(d.kind, true))
	switch d.kind {
	case changeBalance:
		a.balance.Add(&a.balance, &d.value)
	case changeNonce:
		a.nonce += d.count
	case changeCode:
		a.code = nil
	}
	if !a.empty() {
		o.make(&a.addr)
	}
	for i := range o.journal[from:] {
		o.journal[from+i].left = true
	}
	o.leaves = true
}

// dropLeft undoes, when the transaction ends, what cheatcodes left of frames that
// failed, in accounts that nothing else touched [revm commits accounts that are marked
// as touched, and a frame that fails takes its marks back].
func (o *overlay) dropLeft() {
	if !o.leaves {
		return
	}
	for i := range o.journal {
		switch u := &o.journal[i]; u.kind {
		case changeBalance, changeNonce, changeCode, changeExists, changeCreated, changeDoomed:
			if a := o.accounts.list[u.at]; !u.left {
				a.touched = true
			}
		case changeWord:
			o.accounts.list[o.words.list[u.at].account].touched = true
		}
	}
	for i := len(o.journal) - 1; i >= 0; i-- {
		if u := &o.journal[i]; u.left && !o.accounts.list[u.at].touched {
			o.undo(u)
		}
	}
}

// before is the entry for a change of an account.
func (a *account) before(kind changeKind, stays bool) undo {
	return undo{kind: kind, stays: stays, at: a.index, value: a.balance, count: a.nonce, code: a.code}
}

func (o *overlay) undo(u *undo) {
	switch u.kind {
	case changeBalance:
		o.accounts.list[u.at].balance = u.value
	case changeNonce:
		o.accounts.list[u.at].nonce = u.count
	case changeCode:
		o.accounts.list[u.at].code = u.code
	case changeExists:
		o.accounts.list[u.at].exists = false
	case changeCreated:
		o.accounts.list[u.at].created = false
	case changeDoomed:
		o.accounts.list[u.at].doomed = false
	case changeTouched:
		o.accounts.list[u.at].touched = false
	case changeWarm:
		o.accounts.list[u.at].warm = false
	case changeWordWarm:
		o.words.list[u.at].warm = false
	case changeWord:
		w := &o.words.list[u.at]
		w.current, w.noted = u.value, 0
	case changeTransient:
		t := &o.transient.list[u.at]
		t.value, t.noted = *hashOf(&u.value), 0
	case changeRefund:
		o.refund, o.refunded = u.count, 0
	case changeLog:
		o.logs.drop()
	}
}

// wordOf and hashOf convert between words as instructions and as the outside have them.
func wordOf(hash *common.Hash) *uint256.Int { return new(uint256.Int).SetBytes32(hash[:]) }

func hashOf(word *uint256.Int) *common.Hash {
	var hash common.Hash
	word.PutUint256(hash[:])
	return &hash
}
