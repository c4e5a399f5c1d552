package evm

import (
	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
)

// exact executes the code of a frame one instruction at a time, as the chain
// does, and tells Hooks and the Recorder what they asked for. It returns errStop
// where the code ends without an error.
func (f *frame) exact() error {
	m := f.machine
	watch := m.watchOf(f)
	steps := m.hooks != nil && m.hooks.Step != nil && f.Frame.watched
	f.growWords(firstWords)
	for {
		op := byte(bytecode.STOP)
		if f.pc < uint64(len(f.code)) {
			op = f.code[f.pc]
		}
		in := &m.table[op]
		before := f.gas
		if m.changes.steps {
			if err := f.inspectStep(op, before); err != nil {
				return err
			}
		}
		if err := f.pay(in); err != nil {
			f.fault(op, before, f.height, err)
			return err
		}
		if in.bulky && m.cancelled.Load() {
			return ErrCancelled
		}
		if op == bytecode.JUMPDEST {
			if m.left -= f.Code.ahead(f.pc, true); m.left < 0 {
				return ErrSlow
			}
		}
		if steps && m.wanted[op] {
			f.step(op, before, f.height)
			m.hooks.Step(&m.step)
		}
		if watch != nil {
			f.record(watch, op)
		}
		if op == bytecode.JUMPI && f.top(1).IsZero() {
			if m.left -= f.Code.ahead(f.pc+1, false); m.left < 0 {
				return ErrSlow
			}
		}
		f.expand()
		height := f.height
		if f.height+1 >= len(f.words) {
			f.growWords(2 * len(f.words))
		}
		if err := in.run(f); err != nil {
			if err != errStop && err != errRevert {
				f.fault(op, before, height, err)
			}
			return err
		}
		if m.changes.free {
			f.gas = before
		}
		f.pc++
	}
}

// firstWords is the first size of a stack.
const firstWords = 64

// pay checks the stack for an instruction and charges for it.
func (f *frame) pay(in *instruction) error {
	switch {
	case f.height < in.min:
		return &stackError{words: f.height, limit: in.min, few: true}
	case f.height > in.max:
		return &stackError{words: f.height, limit: in.max}
	case f.gas < in.gas:
		return ErrOutOfGas
	}
	f.gas -= in.gas
	f.size = 0
	if in.meter == nil {
		return nil
	}
	return in.meter(f)
}

// step describes the running instruction to observers.
func (f *frame) step(op byte, gas uint64, height int) {
	s := &f.machine.step
	s.PC, s.Op, s.Gas = f.pc, op, gas
	s.Stack, s.Memory, s.ReturnData = f.words[:height], f.memory, f.returned
	s.Frame = &f.Frame
}

// fault tells Hooks which instruction halts the frame.
func (f *frame) fault(op byte, gas uint64, height int, err error) {
	m := f.machine
	if m.hooks == nil || m.hooks.Fault == nil || !f.Frame.watched || unwinds(err) {
		return
	}
	f.step(op, gas, height)
	m.hooks.Fault(&m.step, err)
}

// record tells the Recorder what it asked for of one instruction.
func (f *frame) record(watch *Watch, op byte) {
	r := f.machine.recorder
	if f.pc >= uint64(len(f.Code.Bytes)) {
		return // arguments of a constructor
	}
	if number := watch.Operands[f.pc]; number != 0 {
		next := &zero
		if bytecode.Ops[op].Pops > 1 {
			next = f.top(1)
		}
		if watch.Held[f.pc] {
			f.held, f.compared[0], f.compared[1] = uint32(f.pc)+1, *f.top(0), *next
		} else {
			r.Operands(number, f.top(0), next)
		}
	}
	switch op {
	case bytecode.JUMPDEST:
		f.passed.Jumpdests = [2]uint32{f.passed.Jumpdests[1], uint32(f.pc)}
		r.Blocks(watch.Blocks[f.pc : f.pc+1])
	case bytecode.JUMPI:
		var left, right *uint256.Int
		if c := watch.Compared[f.pc]; c != 0 && c == f.held {
			left, right = &f.compared[0], &f.compared[1]
		}
		f.passed.Branch = watch.Branches[f.pc]
		r.Branch(watch.Branches[f.pc], !f.top(1).IsZero(), f.top(1), left, right)
	case bytecode.SLOAD:
		r.Read(f.top(0))
	case bytecode.SSTORE:
		r.Write(f.pc, f.top(0))
	case bytecode.KECCAK256:
		f.expand()
		r.Hash(f.view(f.top(0), f.top(1)))
	case bytecode.TIMESTAMP, bytecode.NUMBER, bytecode.BLOCKHASH, bytecode.PREVRANDAO, bytecode.COINBASE, bytecode.GASLIMIT:
		r.BlockValue()
	case bytecode.EXTCODESIZE:
		f.recordVacant(f.top(0))
	default:
		if watch.stack(op) {
			r.Stack(f.pc, op, f.words[:f.height], f.passed)
		}
	}
}

// recordVacant tells the Recorder that the code of an account is looked for, if there is none.
func (f *frame) recordVacant(address *uint256.Int) {
	if len(f.accountOf(address).bytes()) == 0 {
		f.machine.recorder.Vacant(address.Bytes20())
	}
}

var zero, one = uint256.Int{}, uint256.Int{1}
