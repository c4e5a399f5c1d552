package evm

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"
)

// An overlay is the view that one transaction has of a World. A Machine reuses
// one overlay: begin attaches it to a World, commit adds its changes.
type overlay struct {
	codes     *Codes
	top       *layer
	moved     *World // that top is of since a switch; nil: that of begin
	fork      Fork
	coinbase  common.Address
	accounts  accounts
	words     words
	differ    []record // memory of records
	journal   []undo
	floor     int // length of the journal at the last snapshot
	transient transients
	logs      logs
	refund    uint64
	refunded  int32                 // see noteWord
	outer     *enclosing            // what the running transaction is inside of; nil: nothing
	enclosed  bool                  // a transaction ran inside of this one
	leaves    bool                  // the journal has what cheatcodes left of frames that failed
	stored    map[int32]uint256.Int // by place of a word: what it was before the Call, if its original is not
	holding
}

// begin starts a transaction on w.
func (o *overlay) begin(w *World) {
	o.codes, o.top, o.moved = w.codes, w.top(), nil
	o.accounts.reset()
	o.words.reset()
	o.journal, o.floor = reused(o.journal, keptEntries), 0
	o.transient.reset()
	o.logs.reset()
	o.refund, o.refunded = 0, 0
	o.outer, o.enclosed, o.leaves, o.stored = nil, false, false, nil
}

// commit ends the transaction: it removes self-destructed and empty accounts
// and adds the differences to w, which must be the World of begin.
func (o *overlay) commit(w *World) {
	o.dropLeft()
	if o.moved != nil {
		w.replace(o.moved)
	}
	if records := o.records(); len(records) > 0 {
		w.commit(records)
	}
}

// records are the differences of the transaction to the World it runs on.
func (o *overlay) records() []record {
	records := o.differ[:0]
	words := o.changedWords()
	for _, a := range o.accounts.live() {
		if !a.changed && !a.written {
			continue
		}
		r := record{addr: a.addr, nonce: a.nonce, balance: a.balance, code: a.code}
		r.exists = !a.doomed && !a.empty()
		old := o.top.lookup(&a.addr)
		existed := old != nil && old.exists
		switch {
		case !r.exists && !existed:
			continue
		case !r.exists:
			r = record{addr: a.addr, wiped: true}
		case a.written:
			r.slots, words = o.slotsOf(a.index, words)
		}
		if existed && r.exists && len(r.slots) == 0 && old.same(&r) {
			continue
		}
		records = append(records, r)
	}
	o.differ = reused(records, keptEntries)
	return slices.Clone(records)
}

// same reports whether two records are equal except for storage.
func (r *record) same(n *record) bool {
	return r.nonce == n.nonce && r.balance == n.balance && r.code == n.code
}

// changedWords returns memory for the words that differ.
func (o *overlay) changedWords() []layerSlot {
	n := 0
	for i := range o.words.list {
		if o.words.list[i].current != o.before(int32(i)) {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	return make([]layerSlot, 0, n)
}

// slotsOf returns the words of an account that differ, which are the first in some memory,
// and the memory behind them.
func (o *overlay) slotsOf(account int32, memory []layerSlot) (own, rest []layerSlot) {
	if cap(memory) == 0 {
		return nil, nil
	}
	for i := range o.words.list {
		if w := &o.words.list[i]; w.account == account && w.current != o.before(int32(i)) {
			memory = append(memory, layerSlot{*hashOf(&w.key), *hashOf(&w.current)})
		}
	}
	return memory[:len(memory):len(memory)], memory[len(memory):]
}

func (a *account) empty() bool {
	return a.nonce == 0 && a.code == nil && a.balance.IsZero()
}

func (o *overlay) account(addr *common.Address) *account { return o.accounts.get(o.top, addr) }

// make returns the account at addr and marks it as existing.
func (o *overlay) make(addr *common.Address) *account {
	a := o.account(addr)
	o.exist(a)
	return a
}

// exist marks an account as existing.
func (o *overlay) exist(a *account) {
	if !a.exists {
		a.exists, a.changed = true, true
		o.noteMark(changeExists, a.index)
	}
}

// touch marks an account as called.
func (o *overlay) touch(a *account) {
	if !a.touched {
		a.touched = true
		o.noteMark(changeTouched, a.index)
	}
}

// deploy marks the contract at a as deployed in this transaction.
func (o *overlay) deploy(a *account) {
	if !a.created {
		a.created = true
		o.noteMark(changeCreated, a.index)
	}
}

func (o *overlay) setBalance(a *account, wei *uint256.Int) {
	o.note(undo{kind: changeBalance, at: a.index, value: a.balance})
	a.balance, a.changed = *wei, true
}

// subBalance takes wei from an account, which has as much.
func (o *overlay) subBalance(addr *common.Address, wei *uint256.Int) {
	a := o.make(addr)
	if !wei.IsZero() {
		var left uint256.Int
		o.setBalance(a, left.Sub(&a.balance, wei))
	}
}

// addBalance gives wei to an account, which it makes if there is none.
func (o *overlay) addBalance(addr *common.Address, wei *uint256.Int) {
	a := o.make(addr)
	if !wei.IsZero() {
		var sum uint256.Int
		o.setBalance(a, sum.Add(&a.balance, wei))
	}
}

// transfer transfers wei.
func (o *overlay) transfer(from, to *common.Address, wei *uint256.Int) {
	o.subBalance(from, wei)
	o.addBalance(to, wei)
}

func (o *overlay) setNonce(addr *common.Address, nonce uint64) {
	a := o.make(addr)
	o.note(undo{kind: changeNonce, at: a.index, count: a.nonce})
	a.nonce, a.changed = nonce, true
}

// codeHash is the result of EXTCODEHASH for an account that is not empty.
func (a *account) codeHash() common.Hash {
	if a.code != nil {
		return a.code.Hash
	}
	return types.EmptyCodeHash
}

// bytes returns the code of an account; nil if it has none.
func (a *account) bytes() []byte {
	if a.code == nil {
		return nil
	}
	return a.code.Bytes
}

func (o *overlay) setCode(addr *common.Address, code []byte) {
	a := o.make(addr)
	o.note(undo{kind: changeCode, at: a.index, code: a.code})
	a.code, a.changed = o.codes.Runtime(code), true
	o.keep(codeFactor * len(code))
}

// destruct marks an account as self-destructed.
func (o *overlay) destruct(a *account) {
	if a.exists && !a.doomed {
		o.noteMark(changeDoomed, a.index)
		a.doomed, a.changed = true, true
	}
}

// addRefund changes the refund counter.
func (o *overlay) addRefund(gas int64) {
	if u := o.noteWord(&o.refunded, changeRefund, 0); u != nil {
		u.count = o.refund
	}
	o.refund += uint64(gas)
}
