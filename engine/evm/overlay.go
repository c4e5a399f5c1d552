package evm

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/state"
	"github.com/ethereum/go-ethereum/core/stateless"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/types/bal"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"
)

// An overlay is the view that one transaction has of a World. It implements
// vm.StateDB for go-ethereum's interpreter. A Machine reuses one overlay: begin
// attaches it to a World, commit adds its changes.
type overlay struct {
	codes     *Codes
	top       *layer
	accounts  accounts
	words     words
	journal   []undo
	transient transients
	logs      []*types.Log
	refund    uint64
	balance   uint256.Int      // last result of GetBalance
	onLog     func(*types.Log) // nil: no listener
	reverts   int              // calls of RevertToSnapshot: failed frames
}

var _ vm.StateDB = (*overlay)(nil)

// begin starts a transaction on w.
func (o *overlay) begin(w *World) {
	o.codes, o.top = w.codes, w.top
	o.accounts.reset()
	o.words.reset()
	o.journal = o.journal[:0]
	o.transient.reset()
	clear(o.logs)
	o.logs = o.logs[:0]
	o.refund = 0
	o.reverts = 0
}

// commit ends the transaction: it removes self-destructed and empty accounts
// and pushes the differences onto w, which must be the World of begin.
func (o *overlay) commit(w *World) {
	var records []record
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
			r.slots = o.changedWords(a.index)
		}
		if existed && r.exists && len(r.slots) == 0 && old.same(&r) {
			continue
		}
		records = append(records, r)
	}
	if len(records) > 0 {
		w.push(records)
	}
}

// same reports whether two records are equal except for storage.
func (r *record) same(n *record) bool {
	return r.nonce == n.nonce && r.balance == n.balance && r.code == n.code
}

func (o *overlay) changedWords(account int32) []layerSlot {
	n := 0
	for i := range o.words.list {
		if w := &o.words.list[i]; w.account == account && w.current != w.original {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	slots := make([]layerSlot, 0, n)
	for i := range o.words.list {
		if w := &o.words.list[i]; w.account == account && w.current != w.original {
			slots = append(slots, layerSlot{w.key, w.current})
		}
	}
	return slots
}

func (a *account) empty() bool {
	return a.nonce == 0 && a.code == nil && a.balance.IsZero()
}

func (o *overlay) account(addr *common.Address) *account { return o.accounts.get(o.top, addr) }

// make returns the account at addr and marks it as existing.
func (o *overlay) make(addr *common.Address) *account {
	a := o.account(addr)
	if !a.exists {
		a.exists, a.changed = true, true
		o.note(undo{kind: changeExists, at: a.index})
	}
	return a
}

// CreateAccount implements vm.StateDB.
func (o *overlay) CreateAccount(addr common.Address) { o.make(&addr) }

// CreateContract implements vm.StateDB.
func (o *overlay) CreateContract(addr common.Address) {
	a := o.account(&addr)
	if !a.created {
		a.created = true
		o.note(undo{kind: changeCreated, at: a.index})
	}
}

// IsNewContract implements vm.StateDB.
func (o *overlay) IsNewContract(addr common.Address) bool { return o.account(&addr).created }

func (o *overlay) setBalance(a *account, wei *uint256.Int) {
	o.note(undo{kind: changeBalance, at: a.index, value: a.balance})
	a.balance, a.changed = *wei, true
}

// SubBalance implements vm.StateDB.
func (o *overlay) SubBalance(addr common.Address, wei *uint256.Int, _ tracing.BalanceChangeReason) uint256.Int {
	a := o.make(&addr)
	prev := a.balance
	if !wei.IsZero() {
		var left uint256.Int
		o.setBalance(a, left.Sub(&prev, wei))
	}
	return prev
}

// AddBalance implements vm.StateDB.
func (o *overlay) AddBalance(addr common.Address, wei *uint256.Int, _ tracing.BalanceChangeReason) uint256.Int {
	a := o.make(&addr)
	prev := a.balance
	if !wei.IsZero() {
		var sum uint256.Int
		o.setBalance(a, sum.Add(&prev, wei))
	}
	return prev
}

// GetBalance implements vm.StateDB. The result is a copy that is valid until
// the next GetBalance: SELFDESTRUCT keeps it while it changes the balance.
func (o *overlay) GetBalance(addr common.Address) *uint256.Int {
	o.balance = o.account(&addr).balance
	return &o.balance
}

// GetNonce implements vm.StateDB.
func (o *overlay) GetNonce(addr common.Address) uint64 { return o.account(&addr).nonce }

// SetNonce implements vm.StateDB.
func (o *overlay) SetNonce(addr common.Address, nonce uint64, _ tracing.NonceChangeReason) {
	a := o.make(&addr)
	o.note(undo{kind: changeNonce, at: a.index, count: a.nonce})
	a.nonce, a.changed = nonce, true
}

// GetCodeHash implements vm.StateDB.
func (o *overlay) GetCodeHash(addr common.Address) common.Hash {
	a := o.account(&addr)
	switch {
	case a.code != nil:
		return a.code.Hash
	case a.exists:
		return types.EmptyCodeHash
	}
	return common.Hash{}
}

// GetCode implements vm.StateDB.
func (o *overlay) GetCode(addr common.Address) []byte {
	if c := o.account(&addr).code; c != nil {
		return c.Bytes
	}
	return nil
}

// GetCodeSize implements vm.StateDB.
func (o *overlay) GetCodeSize(addr common.Address) int { return len(o.GetCode(addr)) }

// SetCode implements vm.StateDB.
func (o *overlay) SetCode(addr common.Address, code []byte, _ tracing.CodeChangeReason) (prev []byte) {
	a := o.make(&addr)
	if a.code != nil {
		prev = a.code.Bytes
	}
	o.note(undo{kind: changeCode, at: a.index, code: a.code})
	a.code, a.changed = o.codes.Runtime(code), true
	return prev
}

// Exist implements vm.StateDB.
func (o *overlay) Exist(addr common.Address) bool { return o.account(&addr).exists }

// Empty implements vm.StateDB.
func (o *overlay) Empty(addr common.Address) bool { return o.account(&addr).empty() }

// Touch implements vm.StateDB.
func (o *overlay) Touch(common.Address) {}

// SelfDestruct implements vm.StateDB.
func (o *overlay) SelfDestruct(addr common.Address) {
	a := o.account(&addr)
	if a.exists && !a.doomed {
		o.note(undo{kind: changeDoomed, at: a.index})
		a.doomed, a.changed = true, true
	}
}

// HasSelfDestructed implements vm.StateDB.
func (o *overlay) HasSelfDestructed(addr common.Address) bool { return o.account(&addr).doomed }

// AddRefund implements vm.StateDB.
func (o *overlay) AddRefund(gas uint64) {
	o.note(undo{kind: changeRefund, count: o.refund})
	o.refund += gas
}

// SubRefund implements vm.StateDB.
func (o *overlay) SubRefund(gas uint64) {
	o.note(undo{kind: changeRefund, count: o.refund})
	o.refund -= gas
}

// GetRefund implements vm.StateDB.
func (o *overlay) GetRefund() uint64 { return o.refund }

// AddLog implements vm.StateDB.
func (o *overlay) AddLog(l *types.Log) {
	o.note(undo{kind: changeLog})
	o.logs = append(o.logs, l)
	if o.onLog != nil {
		o.onLog(l)
	}
}

// The remaining methods of vm.StateDB serve chains: block access lists,
// witnesses, preimages. No fork that a Machine runs needs them.

// AddPreimage implements vm.StateDB.
func (o *overlay) AddPreimage(common.Hash, []byte) {}

// Witness implements vm.StateDB.
func (o *overlay) Witness() *stateless.Witness { return nil }

// AccessEvents implements vm.StateDB.
func (o *overlay) AccessEvents() *state.AccessEvents { return nil }

// Finalise implements vm.StateDB; commit does its work.
func (o *overlay) Finalise(params.Rules) *bal.ConstructionBlockAccessList { return nil }

// SetTxContext implements vm.StateDB.
func (o *overlay) SetTxContext(common.Hash, int, uint32) {}
