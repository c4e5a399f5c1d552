package evm

import (
	"bytes"
	"maps"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"
)

// Transactions inside a Call, as forge's isolate makes them of the calls of a test
// (InspectorStackRefMut::transact_inner in crates/evm of foundry-rs/foundry).

// An enclosing is what a transaction has that one inside of it does not see.
type enclosing struct {
	accounts  []accountFlags // by place
	words     []wordState    // by place
	transient []common.Hash  // by place
	journal   int            // its length
	refund    uint64
	baseFee   uint256.Int
	tx        TxContext
}

type accountFlags struct{ warm, created bool }

type wordState struct {
	warm     bool
	original uint256.Int
}

// transact executes a message as a transaction of its own, without a price for gas:
// it pays for its calldata, finds the access list and transient storage empty, and
// its refund is paid at its end. One that is not valid reverts and costs nothing.
func (m *Machine) transact(parent *frame, msg *Message) Ending {
	o := &m.overlay
	intrinsic, floor := IntrinsicGas(msg.Input, msg.Creates()), m.floorGas(msg.Input)
	intrinsic += uint64(len(msg.AccessList))*params.TxAccessListAddressGas + uint64(msg.AccessList.StorageKeys())*params.TxAccessListStorageKeyGas
	gas := min(msg.Gas+params.TxGas, m.context.gasLimit())
	if gas < max(intrinsic, floor) || o.account(&msg.From).balance.Lt(&msg.Value) {
		return Ending{Left: msg.Gas, Unspent: msg.Gas, Err: ErrReverted}
	}
	outer := m.beginInner(msg)
	inner := *msg
	inner.Gas = gas - intrinsic
	var end Ending
	if msg.Creates() {
		end = m.create(parent, &inner)
		msg.Self, msg.To = inner.Self, inner.To
	} else {
		o.setNonce(&msg.From, o.account(&msg.From).nonce+1)
		end.Output, end.Left, end.Err = m.send(parent, inner.Kind, &inner.From, &inner.Self, &inner.To, inner.Input, inner.Gas, &inner.Value)
	}
	if unwinds(end.Err) {
		return end
	}
	used, refund := gas-end.Left, uint64(0)
	if end.Err == nil {
		refund = min(o.refund, used/params.RefundQuotientEIP3529)
	}
	if used -= refund; used < floor {
		used, refund = floor, 0
	}
	m.endInner(outer, refund)
	end.Left = msg.Gas
	if used <= msg.Gas { // forge takes nothing if the base cost, which comes on top, does not fit
		end.Left -= used
	}
	end.Unspent = end.Left
	if end.Err != nil && end.Err != errRevert {
		end.Left, end.Unspent = 0, msg.Gas
	}
	return end
}

// IntrinsicGas returns what a transaction costs before it runs [EIP-2028, EIP-3860].
func IntrinsicGas(input []byte, creates bool) uint64 {
	zeros := uint64(bytes.Count(input, []byte{0}))
	gas := params.TxGas + zeros*params.TxDataZeroGas + (uint64(len(input))-zeros)*params.TxDataNonZeroGasEIP2028
	if creates {
		gas += params.TxGasContractCreation - params.TxGas + (uint64(len(input))+31)/32*params.InitCodeWordGas
	}
	return gas
}

// floorGas returns what a transaction costs at least [EIP-7623].
func (m *Machine) floorGas(input []byte) uint64 {
	if m.Chain.Fork > Prague {
		return 0
	}
	zeros := uint64(bytes.Count(input, []byte{0}))
	return params.TxGas + (zeros+(uint64(len(input))-zeros)*params.TxTokenPerNonZeroByte)*params.TxCostFloorPerToken
}

// beginInner begins a transaction inside the running one.
func (m *Machine) beginInner(msg *Message) *enclosing {
	o, x := &m.overlay, &m.context
	outer := &enclosing{journal: len(o.journal), refund: o.refund, baseFee: x.block.BaseFee, tx: *x.tx}
	for _, a := range o.accounts.live() {
		if a.doomed && (a.addr == msg.From || a.addr == msg.To) {
			o.finishDestructed(a)
		}
		outer.accounts = append(outer.accounts, accountFlags{a.warm, a.created})
		a.warm, a.created = false, false
	}
	for i := range o.words.list {
		outer.words = append(outer.words, wordState{o.words.list[i].warm, o.words.list[i].original})
	}
	o.coolWords(nil)
	for i := range o.transient.list {
		t := &o.transient.list[i]
		outer.transient = append(outer.transient, t.value)
		o.setTransient(&t.addr, &t.key, &common.Hash{})
	}
	o.refund, o.refunded = 0, 0
	x.block.BaseFee.Clear()
	x.changedTx().GasPrice.Clear()
	to := &msg.To
	if msg.Creates() {
		to = nil
	}
	o.prepare(&msg.From, &x.block.Coinbase, to, msg.AccessList)
	o.outer, o.enclosed = outer, true
	return outer
}

// endInner ends a transaction inside another one, which gets its refund too, as in
// forge.
func (m *Machine) endInner(outer *enclosing, refund uint64) {
	o, x := &m.overlay, &m.context
	for i, old := range outer.accounts {
		a := o.accounts.list[i]
		a.warm, a.created = old.warm, old.created || a.created
	}
	for i, old := range outer.words {
		w := &o.words.list[i]
		w.warm, w.original = w.warm || old.warm, old.original
	}
	for i := range o.transient.list {
		t, value := &o.transient.list[i], common.Hash{}
		if i < len(outer.transient) {
			value = outer.transient[i]
		}
		o.setTransient(&t.addr, &t.key, &value)
	}
	for i := outer.journal; i < len(o.journal); i++ {
		u, at := &o.journal[i], int(o.journal[i].at)
		warm := u.kind == changeWarm && at < len(outer.accounts) && outer.accounts[at].warm ||
			u.kind == changeWordWarm && at < len(outer.words) && outer.words[at].warm
		if warm { // before, too
			u.kind = changeNothing
		}
	}
	o.refund, o.refunded = outer.refund+refund, 0
	x.block.BaseFee, *x.changedTx() = outer.baseFee, outer.tx
	o.outer = nil
}

// coolWords removes words from the access list, those of some accounts excepted.
// What they are now is what they were before as far as gas is concerned.
func (o *overlay) coolWords(except func(common.Address) bool) {
	for i := range o.words.list {
		w := &o.words.list[i]
		if except != nil && except(o.accounts.list[w.account].addr) {
			continue
		}
		w.warm = false
		if w.current == w.original {
			continue
		}
		if _, known := o.stored[int32(i)]; !known {
			if o.stored == nil {
				o.stored = make(map[int32]uint256.Int)
			}
			o.stored[int32(i)] = w.original
		}
		w.original = w.current
	}
}

// Cool removes accounts and words from the access list, as if a transaction began,
// except those that except names.
func (s *State) Cool(except func(common.Address) bool) {
	o := &s.machine.overlay
	for _, a := range o.accounts.live() {
		if !except(a.addr) {
			a.warm = false
		}
	}
	o.coolWords(except)
}

// before returns what a word was before the Call.
func (o *overlay) before(word int32) uint256.Int {
	if value, ok := o.stored[word]; ok {
		return value
	}
	return o.words.list[word].original
}

// finishDestructed removes an account that self-destructed in a transaction inside
// the running one. As in revm, that is when it is loaded again.
func (o *overlay) finishDestructed(a *account) {
	a.nonce, a.code, a.doomed, a.created = 0, nil, false, false
	a.balance.Clear()
	for i := range o.words.list {
		if w := &o.words.list[i]; w.account == a.index {
			w.current.Clear()
		}
	}
}

// forgetBefore drops what accounts and their words were, which are those of another
// World now.
func (o *overlay) forgetBefore(drops func(account int32) bool) {
	maps.DeleteFunc(o.stored, func(word int32, _ uint256.Int) bool { return drops(o.words.list[word].account) })
	if o.outer == nil {
		return
	}
	o.outer.words = nil
	for i := range o.outer.accounts {
		if drops(int32(i)) {
			o.outer.accounts[i].created = false
		}
	}
}

// gasLimit returns the gas of a block; of one that sets none, any.
func (x *callContext) gasLimit() uint64 {
	if x.block.GasLimit == 0 {
		return 1<<64 - 1
	}
	return x.block.GasLimit
}
