package evm

import (
	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
)

// rare executes the operations that take long by themselves, or come seldom.
func (f *frame) rare(o *op, w *[addressed]uint256.Int, base int, z, x, y *uint256.Int) error {
	f.pc, f.size = uint64(o.at), 0
	switch o.kind {
	case opStack:
		f.tellStack(o, w, base)
		return nil
	case opTernary:
		n := o.rare.more[0].word(w)
		if o.code == bytecode.MULMOD {
			f.machine.inverse.mulMod(z, x, y, n)
		} else {
			ternaryOps[o.code](z, x, y, n)
		}
		return nil
	}
	var args [7]*uint256.Int
	args[0], args[1] = x, y
	for i := range o.more() {
		args[2+i] = o.rare.more[i].word(w)
	}
	switch o.kind {
	case opExp:
		if f.meterExp(y) != nil {
			return errInexact
		}
		binaryOps[o.code](z, x, y)
		return nil
	case opGas:
		z.SetUint64(f.gas + uint64(o.rest))
		return nil
	case opReplace:
		if o.code == bytecode.BLOCKHASH && f.machine.cancelled.Load() {
			return ErrCancelled
		}
		replaceOps[o.code](f, z, x)
		return nil
	case opTstore:
		return f.tstore(x, y)
	case opBlockValue:
		f.machine.recorder.BlockValue()
		return nil
	case opAccount:
		if f.meterAccount(f.accountOf(x)) != nil {
			return errInexact
		}
		if o.watched && o.code == bytecode.EXTCODESIZE {
			f.recordVacant(x)
		}
		replaceOps[o.code](f, z, x)
		return nil
	case opMstore8:
		if !f.reach(x, 1) {
			return errInexact
		}
		f.mstore8(x, y)
		return nil
	case opCall, opCreate:
		return f.openFrame(o, z, &args)
	case opSelfdestruct:
		if f.meterSelfdestruct(x) != nil {
			return errInexact
		}
		return f.selfdestruct(x)
	case opStop:
		return errStop
	case opInvalidJump:
		return errInvalidJump
	case opInexact:
		return errInexact
	case opInvalid:
		return opcodeError(o.code)
	}
	return f.bulk(o, &args)
}

// more returns the operands of an instruction with more than two.
func (o *op) more() []operand {
	if o.rare == nil {
		return nil
	}
	return o.rare.more
}

// tellStack tells the Recorder of the stack: the words of the root that are still
// there, and those on top of them.
func (f *frame) tellStack(o *op, w *[addressed]uint256.Int, base int) {
	m := f.machine
	m.stack = append(m.stack[:0], f.words[window:window+base+int(o.rare.height)]...)
	for i := range o.rare.more {
		m.stack = append(m.stack, *o.rare.more[i].word(w))
	}
	m.recorder.Stack(uint64(o.at), o.code, m.stack, o.rare.passed.after(f.passed))
}

// openFrame executes a call or a creation.
func (f *frame) openFrame(o *op, z *uint256.Int, args *[7]*uint256.Int) error {
	m, rest, steps := f.machine, uint64(o.rest), int(o.rare.steps)
	f.gas, m.left = f.gas+rest, m.left+steps
	kind := kinds[o.code]
	var err error
	if o.kind == opCreate {
		if f.meterCreate(args[1], args[2], kind == FrameCreate2) != nil {
			return errInexact
		}
		f.expand()
		err = f.create(kind, z, args[0], args[1], args[2], args[3])
	} else {
		c := callArgs{gas: args[0], to: args[1], value: args[2], in: args[3], inSize: args[4], result: args[5], outSize: args[6]}
		if kind == FrameDelegateCall || kind == FrameStaticCall {
			c = callArgs{gas: args[0], to: args[1], in: args[2], inSize: args[3], result: args[4], outSize: args[5]}
		}
		if f.meterCall(kind, &c) != nil {
			return errInexact
		}
		f.expand()
		err = f.call(kind, z, &c)
	}
	if err != nil {
		return err
	}
	if f.gas < rest || m.left < steps {
		return errInexact
	}
	f.gas, m.left = f.gas-rest, m.left-steps
	return nil
}

// bulk executes the operations on much memory.
func (f *frame) bulk(o *op, args *[7]*uint256.Int) error {
	if f.machine.cancelled.Load() {
		return ErrCancelled
	}
	var err error
	switch {
	case o.kind == opLog:
		err = f.meterLog(int(o.code-bytecode.LOG0), args[0], args[1])
	case o.kind == opEnd:
		err = f.meterRange(args[0], args[1], 0)
	case o.code == bytecode.EXTCODECOPY:
		err = f.meterExtcodecopy(args[0], args[1], args[3])
	case o.code == bytecode.MCOPY:
		err = f.meterMcopy(args[0], args[1], args[2])
	default:
		err = f.meterCopy(args[0], args[2])
	}
	if err != nil {
		return errInexact
	}
	f.expand()
	switch o.code {
	case bytecode.RETURN:
		return f.end(args[0], args[1], errStop)
	case bytecode.REVERT:
		return f.end(args[0], args[1], errRevert)
	case bytecode.CALLDATACOPY:
		f.copyTo(args[0], args[1], args[2], f.calldata())
	case bytecode.CODECOPY:
		f.copyTo(args[0], args[1], args[2], f.code)
	case bytecode.RETURNDATACOPY:
		return f.returndatacopy(args[0], args[1], args[2])
	case bytecode.EXTCODECOPY:
		f.extcodecopy(args[0], args[1], args[2], args[3])
	case bytecode.MCOPY:
		f.mcopy(args[0], args[1], args[2])
	default:
		return f.log(args[0], args[1], args[2:2+int(o.code-bytecode.LOG0)]...)
	}
	return nil
}
