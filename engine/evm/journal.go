package evm

import (
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
	at    int32 // account, word or transient word
	count uint64
	value uint256.Int // balance, or a word's 32 bytes as limbs
	code  *Code
}

// The journal of a transaction: a snapshot is its length, and a revert undoes
// all later entries.
func (o *overlay) note(u undo) { o.journal = append(o.journal, u) }

func (o *overlay) snapshot() int { return len(o.journal) }

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
	case changeWarm:
		o.accounts.list[u.at].warm = false
	case changeWordWarm:
		o.words.list[u.at].warm = false
	case changeWord:
		o.words.list[u.at].current = limbsHash(u.value)
	case changeTransient:
		o.transient.list[u.at].value = limbsHash(u.value)
	case changeRefund:
		o.refund = u.count
	case changeLog:
		o.logs.drop()
	}
}

// hashLimbs and limbsHash convert a word to and from the value of an undo
// entry.
func hashLimbs(h common.Hash) (limbs uint256.Int) {
	limbs.SetBytes32(h[:])
	return limbs
}

func limbsHash(limbs uint256.Int) common.Hash { return limbs.Bytes32() }
