package evm

import (
	"errors"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"
)

// Prices of calls.
const (
	transferGas   = 9_000
	newAccountGas = 25_000
	callStipend   = 2_300
)

// A callArgs holds the operands of a call. value is nil for the kinds that have
// none.
type callArgs struct {
	gas, to, value              *uint256.Int
	in, inSize, result, outSize *uint256.Int
}

// meterCall charges for a call, and for the gas that it passes on, which it sets.
func (f *frame) meterCall(kind FrameKind, c *callArgs) error {
	transfers := c.value != nil && !c.value.IsZero()
	memory, ok := extent(c.result, c.outSize)
	if in, fits := extent(c.in, c.inSize); !fits {
		ok = false
	} else {
		memory = max(memory, in)
	}
	switch {
	case !ok:
		return errGasOverflow
	case kind == FrameCall && transfers && f.static:
		return errMeterWrite
	}
	to := f.accountOf(c.to)
	if err := f.meterAccount(to); err != nil {
		if unwinds(err) {
			return err
		}
		return errMeterGas
	}
	cost, err := f.memoryCost(memory)
	if err != nil {
		return err
	}
	if transfers {
		cost += transferGas
	}
	if f.charge(cost) != nil {
		return errMeterGas
	}
	if kind == FrameCall && transfers && to.empty() && f.charge(newAccountGas) != nil {
		return errMeterGas
	}
	if err := f.meterDelegation(to); err != nil {
		return err
	}
	f.callGas = f.gas - f.gas/64
	if c.gas.LtUint64(f.callGas) {
		f.callGas = c.gas.Uint64()
	}
	return f.charge(f.callGas)
}

// meterDelegation charges for the account that a delegates to [EIP-7702].
func (f *frame) meterDelegation(a *account) error {
	if a.code == nil || !f.machine.Chain.delegates() {
		return nil
	}
	target, ok := types.ParseDelegation(a.code.Bytes)
	if !ok {
		return nil
	}
	cost := uint64(warmAccess)
	if !f.machine.overlay.warmed(f.machine.overlay.account(&target)) {
		cost = coldAccount
	}
	if err := f.machine.overlay.accounts.err; err != nil {
		return err
	}
	if f.charge(cost) != nil {
		return errMeterGas
	}
	return nil
}

// call executes a call whose gas was charged, and sets z to its success. An
// error ends the whole Call.
func (f *frame) call(kind FrameKind, z *uint256.Int, c *callArgs) error {
	m := f.machine
	if m.cancelled.Load() {
		return ErrCancelled
	}
	if kind == FrameCall && f.static && !c.value.IsZero() {
		return errWrite
	}
	gas := f.callGas
	value := c.value
	switch {
	case value != nil && !value.IsZero():
		gas += callStipend
	case kind == FrameDelegateCall:
		value = &f.Value
	}
	to := common.Address(c.to.Bytes20())
	from, self := &f.Self, &to
	switch kind {
	case FrameDelegateCall:
		from, self = &f.From, &f.Self
	case FrameCallCode:
		self = &f.Self
	}
	output, left, err := m.message(f, kind, from, self, &to, f.view(c.in, c.inSize), gas, value)
	if unwinds(err) {
		return err
	}
	if err == nil || err == errRevert {
		copy(f.view(c.result, c.outSize), output)
	}
	z.Clear()
	if err == nil {
		z.SetOne()
	}
	f.gas += left
	f.returned = m.keep(output)
	if len(output) > bulkSize {
		return m.overlay.weigh(len(output))
	}
	return nil
}

// message calls an account, under the Inspector if there is one. The output is
// valid until the next message, or until the frame needs more memory.
func (m *Machine) message(parent *frame, kind FrameKind, from, self, to *common.Address, input []byte, gas uint64, value *uint256.Int) (output []byte, left uint64, err error) {
	if m.Inspector == nil {
		return m.send(parent, kind, from, self, to, input, gas, value)
	}
	msg := Message{Kind: kind, From: *from, Self: *self, To: *to, Input: input, Gas: gas, Static: kind == FrameStaticCall || parent != nil && parent.static}
	if value != nil {
		msg.Value = *value
	}
	end := m.inspect(parent, &msg)
	return end.Output, end.Left, end.Err
}

// send calls an account.
func (m *Machine) send(parent *frame, kind FrameKind, from, self, to *common.Address, input []byte, gas uint64, value *uint256.Int) (output []byte, left uint64, err error) {
	f := m.open(parent, kind, from, self, to, input, gas, value)
	o := &m.overlay
	target := o.account(to)
	f.Code = m.codeOf(target)
	f.announce()
	transfers := kind == FrameCall || kind == FrameCallCode
	if o.accounts.err != nil {
		err = o.accounts.err
	} else if f.Depth > maxDepth+1 {
		err = errDepth
	} else if transfers && value != nil && !value.IsZero() && o.account(from).balance.Lt(value) {
		err = ErrBalance
	}
	if err != nil {
		f.close(nil, gas, err)
		return nil, gas, err
	}
	snapshot := o.snapshot()
	f.failure.refund = o.refund
	if m.Inspector != nil && (kind == FrameCall || kind == FrameStaticCall) {
		o.touch(o.account(self))
	}
	precompile := m.Chain.Fork.precompile(to)
	switch {
	case kind == FrameCall && !target.exists && precompile == nil && f.Value.IsZero() && *self == *to:
		f.close(nil, gas, nil)
		return nil, gas, nil
	case kind == FrameCall:
		o.make(self) // not to: an Inspector may let a call run another account's code
		o.transfer(from, self, &f.Value)
	case kind == FrameStaticCall:
		o.make(to)
	}
	switch {
	case precompile != nil:
		output, f.gas, err = m.runPrecompile(precompile, to, input, gas)
	case f.Code != nil:
		output, err = f.run()
	}
	if err != nil {
		f.fail(snapshot, err)
		if err != errRevert && !unwinds(err) {
			f.gas = 0
		}
	}
	f.close(output, f.gas, err)
	return output, f.gas, err
}

// fail undoes what the frame did after a snapshot: all of it with the Call.
func (f *frame) fail(snapshot int, err error) {
	o := &f.machine.overlay
	f.failure.refund = o.refund - f.failure.refund
	if !errors.Is(err, ErrOutOfGas) || err == errMeterWrite || err == errSentry {
		f.failure.unspent = f.gas
	}
	if f.Depth > 1 {
		o.fail(snapshot)
	} else {
		o.revert(snapshot)
	}
}
