package evm

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"
)

// meterCreate charges for a creation. hashed is whether its address depends on
// the hash of the code.
func (f *frame) meterCreate(offset, size *uint256.Int, hashed bool) error {
	end, ok := extent(offset, size)
	switch {
	case !ok:
		return errGasOverflow
	case f.static:
		return errMeterWrite
	}
	cost, err := f.memoryCost(end)
	if err != nil {
		return err
	}
	if limited := f.machine.Chain.Limits && f.machine.Chain.Fork <= Shanghai; limited && size.GtUint64(params.MaxInitCodeSize) {
		return errMeterInitCode
	}
	perWord := uint64(0)
	if f.machine.Chain.Fork <= Shanghai { // EIP-3860
		perWord = params.InitCodeWordGas
	}
	if hashed {
		perWord += params.Keccak256WordGas
	}
	return f.charge(cost + wordPrice(size, perWord))
}

// create executes CREATE, or CREATE2 with a salt, and sets z to the address. An
// error ends the whole Call.
func (f *frame) create(kind FrameKind, z, value, offset, size, salt *uint256.Int) error {
	m := f.machine
	if m.cancelled.Load() {
		return ErrCancelled
	}
	gas := f.gas - f.gas/64
	f.gas -= gas
	end := m.deploy(f, &Message{Kind: kind, From: f.Self, Input: f.view(offset, size), Gas: gas, Value: *value, Static: f.static, Salt: salt})
	if unwinds(end.Err) {
		return end.Err
	}
	z.Clear()
	if end.Err == nil {
		z.SetBytes20(end.Created[:])
	}
	f.gas += end.Left
	f.returned = nil
	if end.Err == errRevert {
		f.returned = m.keep(end.Output)
	}
	return nil
}

// deploy creates a contract, under the Inspector if there is one.
func (m *Machine) deploy(parent *frame, msg *Message) Ending {
	if m.Inspector != nil {
		return m.inspect(parent, msg)
	}
	return m.create(parent, msg)
}

// create creates a contract. The output is that of the creation code.
func (m *Machine) create(parent *frame, msg *Message) (end Ending) {
	switch {
	case msg.Kind == FrameCreate2:
		end.Created = crypto.CreateAddress2(msg.From, msg.Salt.Bytes32(), crypto.Keccak256(msg.Input))
	case msg.To != common.Address{}:
		end.Created = msg.To
	default:
		end.Created = crypto.CreateAddress(msg.From, m.overlay.account(&msg.From).nonce)
	}
	placed := msg.Kind == FrameCreate && msg.To != common.Address{}
	msg.Self, msg.To = end.Created, end.Created
	end.Output, end.Left, end.Err = m.construct(parent, msg.Kind, &msg.From, &end.Created, msg.Input, msg.Gas, &msg.Value, placed)
	return end
}

// construct runs creation code. A contract that is placed may have the address of an account
// that has sent transactions, such as the creator's.
func (m *Machine) construct(parent *frame, kind FrameKind, from, addr *common.Address, code []byte, gas uint64, value *uint256.Int, placed bool) (output []byte, left uint64, err error) {
	o := &m.overlay
	f := m.open(parent, kind, from, addr, addr, code, gas, value)
	if err = m.work(codeGas * uint64(len(code))); err == nil {
		f.Code = o.codes.Init(code)
		o.keep(codeFactor * len(code))
	}
	f.announce()
	creator, a := o.account(from), o.account(addr)
	switch {
	case o.accounts.err != nil:
		err = o.accounts.err
	case f.Depth > maxDepth+1:
		err = errDepth
	case creator.balance.Lt(&f.Value):
		err = ErrBalance
	case creator.nonce+1 == 0:
		err = vm.ErrNonceUintOverflow
	}
	if err != nil {
		f.close(nil, gas, err)
		return nil, gas, err
	}
	o.setNonce(from, creator.nonce+1)
	o.warmed(a)
	if a.nonce != 0 && !placed || a.code != nil {
		f.close(nil, 0, vm.ErrContractAddressCollision)
		return nil, 0, vm.ErrContractAddressCollision
	}
	snapshot := o.snapshot()
	f.failure.refund = o.refund
	o.make(addr)
	o.deploy(a)
	o.setNonce(addr, 1)
	o.transfer(from, addr, &f.Value)
	if f.Code != nil {
		output, err = f.run()
	}
	if err == nil {
		err = f.install(output)
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

// install deploys the code that creation code returned.
func (f *frame) install(code []byte) error {
	if len(code) > 0 && code[0] == 0xef { // EIP-3541
		return vm.ErrInvalidCode
	}
	if f.charge(uint64(len(code))*params.CreateDataGas) != nil {
		return vm.ErrCodeStoreOutOfGas
	}
	if err := f.machine.work(codeGas * uint64(len(code))); err != nil {
		return err
	}
	if f.machine.Chain.Limits && len(code) > params.MaxCodeSize {
		return vm.ErrMaxCodeSizeExceeded
	}
	if len(code) > 0 {
		f.machine.overlay.setCode(&f.To, append([]byte(nil), code...))
	}
	return nil
}

// meterSelfdestruct charges for SELFDESTRUCT.
func (f *frame) meterSelfdestruct(to *uint256.Int) error {
	if f.static {
		return errMeterWrite
	}
	a := f.accountOf(to)
	if err := f.machine.overlay.accounts.err; err != nil {
		return err
	}
	cost := uint64(0)
	if !f.machine.overlay.warmed(a) {
		cost = coldAccount
		if f.gas < cost {
			return errMeterGas
		}
	}
	if a.empty() && !f.account.balance.IsZero() {
		cost += newAccountGas
	}
	return f.charge(cost)
}

// selfdestruct executes SELFDESTRUCT, which from Cancun on deletes only contracts of
// the same transaction [EIP-6780].
func (f *frame) selfdestruct(to *uint256.Int) error {
	o := &f.machine.overlay
	heir := f.accountOf(to)
	addr, balance := heir.addr, f.account.balance
	deletes := f.account.created || f.machine.Chain.Fork > Cancun
	switch {
	case deletes && heir != f.account:
		o.addBalance(&addr, &balance)
		o.subBalance(&f.Self, &balance)
	case deletes:
		o.subBalance(&f.Self, &balance)
	case heir != f.account:
		o.subBalance(&f.Self, &balance)
		o.addBalance(&addr, &balance)
	}
	if deletes {
		o.destruct(f.account)
	}
	if m := f.machine; m.hooks != nil || m.recorder != nil {
		child := m.open(f, FrameSelfDestruct, &f.Self, &addr, &addr, nil, 0, &balance)
		child.announce()
		child.close(nil, 0, nil)
	}
	return errStop
}
