package evm

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
)

// An opKind is what an operation of a translation does.
type opKind uint8

const (
	opNone opKind = iota
	opMove
	opUnary
	opBinary
	opTernary
	opAdd
	opSub
	opMul
	opAnd
	opOr
	opNot
	opShl
	opShr
	opIsZero
	opLt
	opGt
	opSlt
	opSgt
	opEq
	opMload
	opMstore
	opCalldata
	opSload
	opSstore
	opKeccak
	opGas
	opPush
	opAccount
	opReplace
	opMstore8
	opTstore
	opCopy
	opLog
	opCall
	opCreate
	opSelfdestruct
	opEnd
	opStop
	opInvalid
	opInvalidJump
	opJump
	opProceed
	opBranchAnywhere
	opBranch
	opBranchLt
	opBranchGt
	opBranchSlt
	opBranchSgt
	opBranchEq
	opWatchBranch
	opBlocks
	opOperands
	opBlockValue
	opStack
)

// computes are the operations of the instructions that depend on their operands
// alone, by opcode.
var computes = func() (all [256]opKind) {
	for op := range all {
		switch {
		case unaryOps[op] != nil:
			all[op] = opUnary
		case binaryOps[op] != nil:
			all[op] = opBinary
		case ternaryOps[op] != nil:
			all[op] = opTernary
		}
	}
	for op, kind := range map[byte]opKind{
		bytecode.ADD: opAdd, bytecode.SUB: opSub, bytecode.MUL: opMul, bytecode.AND: opAnd, bytecode.OR: opOr, bytecode.NOT: opNot,
		bytecode.SHL: opShl, bytecode.SHR: opShr, bytecode.ISZERO: opIsZero, bytecode.LT: opLt, bytecode.GT: opGt,
		bytecode.SLT: opSlt, bytecode.SGT: opSgt, bytecode.EQ: opEq,
	} {
		all[op] = kind
	}
	return all
}()

// fused are the branches on a comparison, by the comparison.
var fused = [256]opKind{opLt: opBranchLt, opGt: opBranchGt, opSlt: opBranchSlt, opSgt: opBranchSgt, opEq: opBranchEq}

// ordered are the operations before which the Recorder gets the blocks of the path
// so far: operations whose own report must follow those blocks, and operations at
// which a frame may end.
var ordered = [256]bool{
	opCopy: true, opTstore: true, opLog: true, opCall: true, opCreate: true, opSelfdestruct: true, opEnd: true, opStop: true,
	opInvalid: true, opInvalidJump: true, opJump: true, opProceed: true, opBranchAnywhere: true, opBranch: true, opBranchLt: true,
	opBranchGt: true, opBranchSlt: true, opBranchSgt: true, opBranchEq: true, opWatchBranch: true, opStack: true,
}

// effects are the operations of the instructions that read or change more than
// the stack, by opcode.
var effects = func() (all [256]opKind) {
	for op, run := range pushOps {
		if run != nil {
			all[op] = opPush
		}
	}
	for op, kind := range map[byte]opKind{
		bytecode.GAS: opGas, bytecode.BALANCE: opAccount, bytecode.EXTCODESIZE: opAccount, bytecode.EXTCODEHASH: opAccount,
		bytecode.BLOCKHASH: opReplace, bytecode.BLOBHASH: opReplace, bytecode.TLOAD: opReplace,
		bytecode.CALLDATALOAD: opCalldata, bytecode.MLOAD: opMload, bytecode.SLOAD: opSload,
		bytecode.MSTORE: opMstore, bytecode.MSTORE8: opMstore8, bytecode.SSTORE: opSstore, bytecode.TSTORE: opTstore,
		bytecode.KECCAK256: opKeccak, bytecode.CALLDATACOPY: opCopy, bytecode.CODECOPY: opCopy,
		bytecode.RETURNDATACOPY: opCopy, bytecode.EXTCODECOPY: opCopy, bytecode.MCOPY: opCopy,
		bytecode.LOG0: opLog, bytecode.LOG1: opLog, bytecode.LOG2: opLog, bytecode.LOG3: opLog, bytecode.LOG4: opLog,
		bytecode.CREATE: opCreate, bytecode.CREATE2: opCreate, bytecode.CALL: opCall, bytecode.CALLCODE: opCall,
		bytecode.DELEGATECALL: opCall, bytecode.STATICCALL: opCall,
	} {
		all[op] = kind
	}
	return all
}()

// terminals are the operations of the instructions that end a frame, by opcode.
var terminals = [256]opKind{
	bytecode.STOP: opStop, bytecode.RETURN: opEnd, bytecode.REVERT: opEnd, bytecode.SELFDESTRUCT: opSelfdestruct,
}

// fast executes a translation of the code of a frame. It ends as exact does, or
// with errInexact where only that can tell how the frame ends: gas, stack or
// instructions do not suffice for a node.
func (f *frame) fast(t *translation) error {
	m := f.machine
	base := 0
	f.growWords(window)
	w := f.words
	n := t.root(0)
	for {
		if f.gas < n.gas || base < n.need || base+n.rise > maxStack {
			return errInexact
		}
		if m.left -= n.steps; m.left < 0 {
			return errInexact
		}
		f.gas -= n.gas
		if len(n.blocks) > 0 && n.round != f.round {
			n.round = f.round
			m.recorder.Blocks(n.blocks)
		}
		taken, side := false, false
		var condition *uint256.Int
	node:
		for i := range n.ops {
			o := &n.ops[i]
			x, y := o.kx, o.ky
			if x == nil {
				x = &w[base+int(o.x)]
			}
			if y == nil {
				y = &w[base+int(o.y)]
			}
			z := &w[base+int(o.z)]
			switch o.kind {
			case opMove:
				*z = *x
			case opAdd:
				z.Add(x, y)
			case opSub:
				z.Sub(x, y)
			case opMul:
				z.Mul(x, y)
			case opAnd:
				z.And(x, y)
			case opOr:
				z.Or(x, y)
			case opNot:
				z.Not(x)
			case opShl:
				shl(z, x, y)
			case opShr:
				shr(z, x, y)
			case opIsZero:
				setBool(z, x.IsZero())
			case opLt:
				setBool(z, x.Lt(y))
			case opGt:
				setBool(z, x.Gt(y))
			case opSlt:
				setBool(z, x.Slt(y))
			case opSgt:
				setBool(z, x.Sgt(y))
			case opEq:
				setBool(z, x.Eq(y))
			case opUnary:
				unaryOps[o.code](z, x)
			case opBinary:
				if o.code == bytecode.EXP && f.meterExp(y) != nil {
					return errInexact
				}
				binaryOps[o.code](z, x, y)
			case opPush:
				pushOps[o.code](f, z)
			case opCalldata:
				load32(z, f.Input, x)
			case opMload:
				if f.reach(x, 32) != nil {
					return errInexact
				}
				at := x[0]
				z.SetBytes32(f.memory[at : at+32])
			case opMstore:
				if f.reach(x, 32) != nil {
					return errInexact
				}
				at := x[0]
				y.PutUint256(f.memory[at : at+32])
			case opKeccak:
				if f.meterKeccak(x, y) != nil {
					return errInexact
				}
				f.expand()
				input := f.view(x, y)
				if o.watched {
					m.recorder.Hash(input)
				}
				m.hashes.keccak(z, input)
			case opSload:
				word, err := f.meterSload(x)
				if err != nil {
					return errInexact
				}
				z.SetBytes32(word.current[:])
				if o.watched {
					m.recorder.Read(x)
				}
			case opSstore:
				f.gas += uint64(o.rest)
				next := common.Hash(y.Bytes32())
				word, err := f.meterSstore(x, &next)
				if err != nil || f.gas < uint64(o.rest) {
					return errInexact
				}
				f.gas -= uint64(o.rest)
				if o.watched {
					m.recorder.Write(uint64(o.at), x)
				}
				m.overlay.make(&f.Self)
				m.overlay.setWord(f.account, word, &next)
			case opBranch:
				condition = x
				taken, side = x.IsZero() == (o.flags&negated != 0), true
			case opBranchLt:
				taken, side = x.Lt(y) != (o.flags&negated != 0), true
			case opBranchGt:
				taken, side = x.Gt(y) != (o.flags&negated != 0), true
			case opBranchSlt:
				taken, side = x.Slt(y) != (o.flags&negated != 0), true
			case opBranchSgt:
				taken, side = x.Sgt(y) != (o.flags&negated != 0), true
			case opBranchEq:
				taken, side = x.Eq(y) != (o.flags&negated != 0), true
			case opOperands:
				m.recorder.Operands(o.at, x, y)
			case opBlocks:
				if o.rare.round != f.round {
					o.rare.round = f.round
					m.recorder.Blocks(o.rare.blocks)
				}
			case opWatchBranch:
				left, right := f.comparison(o, w, base)
				m.recorder.Branch(o.at, !x.IsZero(), x, left, right)
			case opProceed:
				if m.cancelled.Load() {
					return ErrCancelled
				}
				f.passed = o.rare.passed.after(f.passed)
				if base += int(o.z); f.scarce() {
					for i, place := range o.rare.places {
						w[base+int(place)] = *o.rare.known[i].value
					}
					return f.resume(uint64(o.at), base)
				}
				if o.rare.cold != nil {
					t.warm(o.rare.cold)
				}
				if o.rare.target == nil {
					o.rare.target = t.after(o)
				}
				n, w = o.rare.target, f.reserve(base)
				break node
			case opJump, opBranchAnywhere:
				pc, err := f.leave(t, o, x, y)
				if err != nil {
					return err
				}
				f.passed = o.rare.passed.after(f.passed)
				if base += int(o.z); f.scarce() {
					return f.resume(pc, base)
				}
				n, w = t.root(pc), f.reserve(base)
				break node
			default:
				if err := f.rare(o, w, base, z, x, y); err != nil {
					return err
				}
			}
		}
		if !side {
			continue
		}
		last := &n.ops[len(n.ops)-1]
		if last.watched {
			if last.kind != opBranch || last.flags&logical != 0 {
				condition = &zero
				if taken {
					condition = &one
				}
			}
			left, right := f.comparison(last, w, base)
			m.recorder.Branch(last.at, taken, condition, left, right)
		}
		at := 0
		if taken {
			at = 1
		}
		next := n.next[at]
		if next == nil {
			next = t.side(n, at)
		}
		n = next
	}
}

// comparison returns the operands of the comparison that a branch hands over; nil
// if there is none.
func (f *frame) comparison(o *op, w []uint256.Int, base int) (left, right *uint256.Int) {
	switch {
	case o.flags&handsOver != 0:
		left, right = word(o.kx, w, base, o.x), word(o.ky, w, base, o.y)
		if o.flags&mirrored != 0 {
			left, right = right, left
		}
	case o.rare != nil:
		x, y := &o.rare.more[0], &o.rare.more[1]
		left, right = word(x.value, w, base, x.reg), word(y.value, w, base, y.reg)
	}
	return left, right
}

// word returns an operand.
func word(value *uint256.Int, w []uint256.Int, base int, reg int32) *uint256.Int {
	if value != nil {
		return value
	}
	return &w[base+int(reg)]
}

// reserve returns the words of the frame, with room for a path at a height.
func (f *frame) reserve(base int) []uint256.Int {
	if base+window > len(f.words) {
		f.growWords(base + 2*window)
	}
	return f.words
}

// scarce reports whether a path may not end within the gas and the instructions
// that are left.
func (f *frame) scarce() bool { return f.gas < leastGas || f.machine.left < leastSteps }

// resume continues in the exact mode, at the root of a tree.
func (f *frame) resume(pc uint64, height int) error {
	f.pc, f.height, f.held = pc, height, 0
	return f.exact()
}

// leave returns where a jump to an unknown destination continues.
func (f *frame) leave(t *translation, o *op, to, condition *uint256.Int) (pc uint64, err error) {
	m := f.machine
	if m.cancelled.Load() {
		return 0, ErrCancelled
	}
	if o.kind == opBranchAnywhere && condition.IsZero() {
		after := uint64(o.at) + 1
		if m.left -= t.code.ahead(after, false); m.left < 0 {
			return 0, errInexact
		}
		return after, nil
	}
	pc, ok := t.code.destination(to)
	if !ok {
		return 0, errInvalidJump
	}
	return pc, nil
}

// reach charges for bytes of memory and expands it.
func (f *frame) reach(offset *uint256.Int, size uint64) error {
	if offset.IsUint64() && offset[0]+size <= uint64(len(f.memory)) && offset[0] < maxMemory {
		return nil
	}
	if err := f.meterBytes(offset, size); err != nil {
		return err
	}
	f.expand()
	return nil
}
