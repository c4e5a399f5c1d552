package evm

import (
	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
)

// An opKind is what an operation of a translation does.
type opKind uint8

const (
	opNone opKind = iota
	opUnary
	opBinary
	opExp
	opTernary
	opAdd
	opSub
	opSumTold
	opDifferenceTold
	opProductTold
	opMul
	opAnd
	opOr
	opNot
	opShl
	opShr
	opIsZero
	opIndex     // x*kx + y + ky
	opScale     // x*kx + ky
	opLoadIndex // the word of memory at x*kx + y + ky
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
	opImmediate
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
	opInexact
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
		bytecode.SLT: opSlt, bytecode.SGT: opSgt, bytecode.EQ: opEq, bytecode.EXP: opExp,
	} {
		all[op] = kind
	}
	return all
}()

// told are the operations of arithmetic that the Recorder wants to know of if the
// result does not fit a word.
var told = [256]opKind{opAdd: opSumTold, opSub: opDifferenceTold, opMul: opProductTold}

// fused are the branches on a comparison, by the comparison.
var fused = [256]opKind{opLt: opBranchLt, opGt: opBranchGt, opSlt: opBranchSlt, opSgt: opBranchSgt, opEq: opBranchEq}

// ordered are the operations before which the Recorder gets the blocks of the path
// so far: operations whose own report must follow those blocks, and operations at
// which a frame may end.
var ordered = [256]bool{
	opCopy: true, opTstore: true, opLog: true, opCall: true, opCreate: true, opSelfdestruct: true, opEnd: true, opStop: true,
	opInvalid: true, opInvalidJump: true, opInexact: true, opJump: true, opProceed: true, opBranchAnywhere: true, opBranch: true, opBranchLt: true,
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
// with errInexact where the gas does not suffice for an operation whose price is not
// static: only exact can tell how the frame ends, from its start.
//
// No case of the inner loop uses an operand after it calls a function: so operands
// stay in registers.
func (f *frame) fast(t *translation) error {
	m := f.machine
	base, w := 0, f.reserve(0)
	n := t.root(0)
	for {
		if f.gas < uint64(n.gas) || base < int(n.need) || base+int(n.rise) > maxStack || m.left < int(n.steps) {
			return f.retreat(n, base)
		}
		f.gas, m.left = f.gas-uint64(n.gas), m.left-int(n.steps)
		if n.tells && n.round != m.round {
			n.round = m.round
			m.recorder.Blocks(n.from.blocks)
		}
		ops := n.ops
		for i := range ops {
			o := &ops[i]
			x, y := operandsOf(o, w)
			z := &w[o.z%addressed]
			switch o.kind {
			case opAdd:
				z.Add(x, y)
			case opSub:
				z.Sub(x, y)
			case opMul:
				z.Mul(x, y)
			case opSumTold:
				if _, over := z.AddOverflow(x, y); over || o.round != m.round {
					f.tellOperands(o, x, y)
				}
			case opDifferenceTold:
				if _, over := z.SubOverflow(x, y); over || o.round != m.round {
					f.tellOperands(o, x, y)
				}
			case opProductTold:
				f.multiply(o, z, x, y)
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
			case opIndex:
				index(z, &w[o.x%addressed], &w[o.y%addressed], x, y)
			case opScale:
				index(z, &w[o.x%addressed], &zero, x, y)
			case opLoadIndex:
				index(z, &w[o.x%addressed], &w[o.y%addressed], x, y)
				if !f.mload(z, z) {
					return errInexact
				}
			case opUnary:
				unaryOps[o.code](z, x)
			case opBinary:
				binaryOps[o.code](z, x, y)
			case opPush:
				pushOps[o.code](f, z)
			case opImmediate:
				z.SetBytes(f.code[o.at+1 : o.at+1+uint32(f.code[o.at]-bytecode.PUSH0)])
			case opCalldata:
				load32(z, f.Input, x)
			case opMload:
				if !f.mload(z, x) {
					return errInexact
				}
			case opMstore:
				if !f.mstoreWord(x, y) {
					return errInexact
				}
			case opKeccak:
				if !f.keccak(o, z, x, y) {
					return errInexact
				}
			case opSload:
				if !f.read(o, z, x) {
					return errInexact
				}
			case opSstore:
				if !f.write(o, x, y) {
					return errInexact
				}
			case opBlocks:
				if o.round != m.round {
					f.tellBlocks(o)
				}
			case opWatchBranch:
				f.watchBranch(o, w, x)
			case opOperands:
				m.recorder.Operands(o.at, x, y)
			default:
				if err := f.rare(o, w, base, z, x, y); err != nil {
					return err
				}
			}
		}
		o := &n.exit
		x, y := operandsOf(o, w)
		taken := false
		switch o.kind {
		case opBranch:
			taken = !x.IsZero()
		case opBranchLt:
			taken = x.Lt(y)
		case opBranchGt:
			taken = x.Gt(y)
		case opBranchSlt:
			taken = x.Slt(y)
		case opBranchSgt:
			taken = x.Sgt(y)
		case opBranchEq:
			taken = x.Eq(y)
		default:
			var err error
			if n, base, err = f.leave(t, o, base, w); err != nil {
				return err
			}
			if f.scarce() {
				return f.retreat(n, base)
			}
			w = f.reserve(base)
			continue
		}
		at := 0
		if taken != (o.flags&negated != 0) {
			at = 1
		}
		if n.quiet != nil {
			if quiet := &n.quiet[at]; *quiet > 0 {
				*quiet--
				f.passed.Branch = o.at
			} else {
				f.tellBranch(o, at == 1, w, x, y)
			}
		}
		next := n.next[at]
		if next == nil {
			next = t.side(n, at)
		}
		n = next
	}
}

// addressed is how many words the operations of a path can name: as many below the
// height at its root as above. The first of f.words lie below the bottom of the
// stack, so that all places are positive.
const addressed = 2 * window

// reserve returns the words that a path reaches from a height.
func (f *frame) reserve(base int) *[addressed]uint256.Int {
	if base+addressed > len(f.words) {
		f.growWords(base + addressed)
	}
	return (*[addressed]uint256.Int)(f.words[base:])
}

// word returns the word of an operand.
func (a *operand) word(w *[addressed]uint256.Int) *uint256.Int {
	if a.value != nil {
		return a.value
	}
	return &w[place(a.reg)%addressed]
}

// place returns where a word is among those that a path reaches.
func place(reg int32) uint16 { return uint16(reg + window) }

// tellOperands tells the Recorder of the operands of an instruction.
func (f *frame) tellOperands(o *op, x, y *uint256.Int) {
	o.round = f.machine.round
	f.machine.recorder.Operands(o.at, x, y)
}

// tellBlocks tells the Recorder of JUMPDESTs.
func (f *frame) tellBlocks(o *op) {
	o.round = f.machine.round
	f.machine.recorder.Blocks(o.rare.blocks)
}

// watchBranch tells the Recorder of a branch that does not end its node by itself.
func (f *frame) watchBranch(o *op, w *[addressed]uint256.Int, condition *uint256.Int) {
	taken, at := !condition.IsZero(), 0
	if taken {
		at = 1
	}
	if quiet := &o.rare.quiet[at]; *quiet > 0 {
		*quiet--
		f.passed.Branch = o.at
		return
	}
	f.tellBranch(o, taken, w, condition, nil)
}

// multiply executes a multiplication of which the Recorder wants to know.
func (f *frame) multiply(o *op, z, x, y *uint256.Int) {
	over := false
	if x[2]|x[3]|y[2]|y[3] == 0 { // both are below 1 << 128
		z.Mul(x, y)
	} else {
		_, over = z.MulOverflow(x, y)
	}
	if over || o.round != f.machine.round {
		f.tellOperands(o, x, y)
	}
}

// tellBranch tells the Recorder of the branch that ends a node.
func (f *frame) tellBranch(o *op, taken bool, w *[addressed]uint256.Int, x, y *uint256.Int) {
	condition := x
	if o.kind != opBranch && o.kind != opWatchBranch || o.flags&logical != 0 {
		condition = &zero
		if taken {
			condition = &one
		}
	}
	var left, right *uint256.Int
	switch {
	case o.flags&mirrored != 0:
		left, right = y, x
	case o.flags&handsOver != 0:
		left, right = x, y
	case o.rare != nil && len(o.rare.more) > 0:
		left, right = o.rare.more[0].word(w), o.rare.more[1].word(w)
	}
	f.passed.Branch = o.at
	f.machine.recorder.Branch(o.at, taken, condition, left, right)
}

// leave goes on where no branch ends a node: in another tree, whose root is at the
// height to. An error tells that and how the frame ends.
func (f *frame) leave(t *translation, o *op, base int, w *[addressed]uint256.Int) (next *node, to int, err error) {
	if o.kind != opProceed && o.kind != opJump && o.kind != opBranchAnywhere {
		x, y := operandsOf(o, w)
		return nil, 0, f.rare(o, w, base, nil, x, y)
	}
	if f.machine.cancelled.Load() {
		return nil, 0, ErrCancelled
	}
	r, pc := o.rare, uint64(o.at)
	for i := range r.moves {
		m := &r.moves[i]
		w[m.to%addressed] = *m.from.word(w)
	}
	if o.kind != opProceed {
		if pc, err = f.destinationOf(t, o, w); err != nil {
			return nil, 0, err
		}
	}
	f.passed = r.passed.after(f.passed)
	to = base + int(r.height)
	if o.kind != opProceed {
		return t.root(pc), to, nil
	}
	if r.cold != nil {
		t.warm(r.cold)
	}
	if r.target == nil {
		r.target = t.after(o)
	}
	return r.target, to, nil
}

// operandsOf returns the first two words that an operation reads.
func operandsOf(o *op, w *[addressed]uint256.Int) (x, y *uint256.Int) {
	if x, y = o.kx, o.ky; x == nil {
		x = &w[o.x%addressed]
	}
	if y == nil {
		y = &w[o.y%addressed]
	}
	return x, y
}

// destinationOf returns where a jump to an unknown destination continues.
func (f *frame) destinationOf(t *translation, o *op, w *[addressed]uint256.Int) (pc uint64, err error) {
	to, condition := operandsOf(o, w)
	if o.kind == opBranchAnywhere && condition.IsZero() {
		after := uint64(o.at) + 1
		if f.machine.left -= t.code.ahead(after, false); f.machine.left < 0 {
			return 0, ErrSlow
		}
		return after, nil
	}
	pc, ok := t.code.destination(to)
	if !ok {
		return 0, errInvalidJump
	}
	return pc, nil
}

// scarce reports whether a path may not end within the gas that is left.
func (f *frame) scarce() bool { return f.gas < leastGas }

// retreat continues in the exact mode before a node of a tree at a height, as only
// that can tell where in the node the frame ends.
func (f *frame) retreat(n *node, base int) error {
	m, from := f.machine, &n.from.start
	if m.left -= int(from.steps); m.left < 0 {
		return ErrSlow
	}
	words := f.reserve(base)
	known := from.path.words.list(nil)
	items := make([]uint256.Int, len(known))
	for i := range known {
		items[i] = *known[i].word(words)
	}
	f.passed = from.path.passed.after(f.passed)
	f.height = base - from.path.below
	copy(f.words, f.words[window:window+f.height])
	f.growWords(f.height + len(items))
	f.height += copy(f.words[f.height:], items)
	f.pc, f.held = from.pc, 0
	return f.exact()
}

// The operations on memory and storage return false where a frame cannot go on in
// the fast mode.

func (f *frame) mload(z, offset *uint256.Int) bool {
	if !f.reach(offset, 32) {
		return false
	}
	at := offset[0]
	z.SetBytes32(f.memory[at : at+32])
	return true
}

func (f *frame) mstoreWord(offset, value *uint256.Int) bool {
	if !f.reach(offset, 32) {
		return false
	}
	at := offset[0]
	value.PutUint256(f.memory[at : at+32])
	return true
}

// reach charges for bytes of memory and expands it.
func (f *frame) reach(offset *uint256.Int, size uint64) bool {
	if offset.IsUint64() && offset[0]+size <= uint64(len(f.memory)) && offset[0] < maxMemory {
		return true
	}
	if f.meterBytes(offset, size) != nil {
		return false
	}
	f.expand()
	return true
}

func (f *frame) keccak(o *op, z, offset, size *uint256.Int) bool {
	if f.meterKeccak(offset, size) != nil {
		return false
	}
	f.expand()
	input := f.view(offset, size)
	if o.watched {
		f.machine.recorder.Hash(input)
	}
	f.machine.hashes.keccak(z, input)
	return true
}

func (f *frame) read(o *op, z, key *uint256.Int) bool {
	word, err := f.meterSload(key)
	if err != nil {
		return false
	}
	if o.watched && !word.toldRead {
		word.toldRead = true
		f.machine.recorder.Read(key)
	}
	*z = word.current
	return true
}

func (f *frame) write(o *op, key, value *uint256.Int) bool {
	m := f.machine
	f.gas += uint64(o.rest)
	word, err := f.meterSstore(key, value)
	if err != nil || f.gas < uint64(o.rest) {
		return false
	}
	f.gas -= uint64(o.rest)
	if o.watched && !word.toldWrite {
		word.toldWrite = true
		m.recorder.Write(uint64(o.at), key)
	}
	m.overlay.exist(f.account)
	m.overlay.setWord(f.account, word, value)
	return true
}
