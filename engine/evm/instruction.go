package evm

import (
	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
)

// An instruction is what one opcode does in the exact mode. Its operands are on
// the stack, and the result takes the place of the deepest one.
type instruction struct {
	gas      uint64 // static price
	min, max int    // words on the stack before it
	meter    func(f *frame) error
	run      func(f *frame) error
	bulky    bool // so slow that it looks for a cancellation
}

// maxStack is the number of words that a stack may hold.
const maxStack = 1024

// static are the static prices by opcode.
var static = [256]uint64{
	bytecode.ADD: 3, bytecode.MUL: 5, bytecode.SUB: 3, bytecode.DIV: 5, bytecode.SDIV: 5, bytecode.MOD: 5, bytecode.SMOD: 5,
	bytecode.ADDMOD: 8, bytecode.MULMOD: 8, bytecode.EXP: 10, bytecode.SIGNEXTEND: 5,
	bytecode.LT: 3, bytecode.GT: 3, bytecode.SLT: 3, bytecode.SGT: 3, bytecode.EQ: 3, bytecode.ISZERO: 3, bytecode.AND: 3, bytecode.OR: 3,
	bytecode.XOR: 3, bytecode.NOT: 3, bytecode.BYTE: 3, bytecode.SHL: 3, bytecode.SHR: 3, bytecode.SAR: 3, bytecode.CLZ: 5,
	bytecode.KECCAK256: 30, bytecode.ADDRESS: 2, bytecode.BALANCE: warmAccess, bytecode.ORIGIN: 2, bytecode.CALLER: 2,
	bytecode.CALLVALUE: 2, bytecode.CALLDATALOAD: 3, bytecode.CALLDATASIZE: 2, bytecode.CALLDATACOPY: 3, bytecode.CODESIZE: 2,
	bytecode.CODECOPY: 3, bytecode.GASPRICE: 2, bytecode.EXTCODESIZE: warmAccess, bytecode.EXTCODECOPY: warmAccess,
	bytecode.RETURNDATASIZE: 2, bytecode.RETURNDATACOPY: 3, bytecode.EXTCODEHASH: warmAccess, bytecode.BLOCKHASH: 20,
	bytecode.COINBASE: 2, bytecode.TIMESTAMP: 2, bytecode.NUMBER: 2, bytecode.PREVRANDAO: 2, bytecode.GASLIMIT: 2, bytecode.CHAINID: 2,
	bytecode.SELFBALANCE: 5, bytecode.BASEFEE: 2, bytecode.BLOBHASH: 3, bytecode.BLOBBASEFEE: 2,
	bytecode.POP: 2, bytecode.MLOAD: 3, bytecode.MSTORE: 3, bytecode.MSTORE8: 3, bytecode.JUMP: 8, bytecode.JUMPI: 10, bytecode.PC: 2,
	bytecode.MSIZE: 2, bytecode.GAS: 2, bytecode.JUMPDEST: 1, bytecode.TLOAD: warmAccess, bytecode.TSTORE: warmAccess, bytecode.MCOPY: 3,
	bytecode.PUSH0: 2, bytecode.CREATE: 32_000, bytecode.CREATE2: 32_000, bytecode.CALL: warmAccess, bytecode.CALLCODE: warmAccess,
	bytecode.DELEGATECALL: warmAccess, bytecode.STATICCALL: warmAccess, bytecode.SELFDESTRUCT: 5_000,
}

// instructions are the instructions of each fork by opcode.
var instructions = func() (all [forks][256]instruction) {
	for fork := range all {
		for op := range 256 {
			all[fork][op] = newInstruction(byte(op), Fork(fork))
		}
	}
	return all
}()

func newInstruction(op byte, fork Fork) instruction {
	row := bytecode.Ops[op]
	in := instruction{gas: static[op], meter: meters[op], min: int(row.Pops), max: maxStack + int(row.Pops) - int(row.Pushes)}
	if !fork.defines(op) {
		return instruction{max: maxStack, run: func(*frame) error { return opcodeError(op) }}
	}
	switch {
	case unaryOps[op] != nil:
		in.run = func(f *frame) error { return f.unary(unaryOps[op]) }
	case binaryOps[op] != nil:
		in.run = func(f *frame) error { return f.binary(binaryOps[op]) }
	case op == bytecode.MULMOD:
		in.run = func(f *frame) error { return f.ternary(f.machine.inverse.mulMod) }
	case ternaryOps[op] != nil:
		in.run = func(f *frame) error { return f.ternary(ternaryOps[op]) }
	case pushOps[op] != nil:
		in.run = func(f *frame) error { pushOps[op](f, f.pushed()); return nil }
	case bytecode.IsPush(op):
		if op != bytecode.PUSH0 {
			in.gas = 3
		}
		in.run = func(f *frame) error { return f.pushImmediate(int(op - bytecode.PUSH0)) }
	case bytecode.IsDup(op):
		in.gas = 3
		in.run = func(f *frame) error { *f.pushed() = *f.top(int(op - bytecode.DUP1 + 1)); return nil }
	case bytecode.IsSwap(op):
		in.gas = 3
		in.run = func(f *frame) error {
			a, b := f.top(0), f.top(int(op-bytecode.SWAP1+1))
			*a, *b = *b, *a
			return nil
		}
	case op >= bytecode.LOG0 && op <= bytecode.LOG4:
		topics := int(op - bytecode.LOG0)
		in.meter = func(f *frame) error { return f.meterLog(topics, f.top(0), f.top(1)) }
		in.run = func(f *frame) error { return f.logOf(topics) }
	default:
		in.run = runs[op]
	}
	in.bulky = bulky[op]
	return in
}

// bulky are the slowest instructions per call. Without a jump between them a
// Machine would run hundreds of milliseconds of them before it notices a
// cancellation.
var bulky = [256]bool{
	bytecode.KECCAK256: true, bytecode.CALLDATACOPY: true, bytecode.CODECOPY: true, bytecode.EXTCODECOPY: true,
	bytecode.RETURNDATACOPY: true, bytecode.MCOPY: true, bytecode.LOG0: true, bytecode.LOG1: true, bytecode.LOG2: true,
	bytecode.LOG3: true, bytecode.LOG4: true, bytecode.JUMP: true, bytecode.JUMPI: true,
}

// top returns the nth word from the top of the stack, 0 the topmost.
func (f *frame) top(n int) *uint256.Int { return &f.words[f.height-1-n] }

// pushed adds a word to the stack.
func (f *frame) pushed() *uint256.Int {
	f.height++
	return &f.words[f.height-1]
}

func (f *frame) unary(op func(z, x *uint256.Int)) error {
	op(&f.result, f.top(0))
	*f.top(0) = f.result
	return nil
}

func (f *frame) binary(op func(z, x, y *uint256.Int)) error {
	op(&f.result, f.top(0), f.top(1))
	f.height--
	*f.top(0) = f.result
	return nil
}

func (f *frame) ternary(op func(z, x, y, n *uint256.Int)) error {
	op(&f.result, f.top(0), f.top(1), f.top(2))
	f.height -= 2
	*f.top(0) = f.result
	return nil
}

func (f *frame) pushImmediate(n int) error {
	var word [32]byte
	if from := int(f.pc) + 1; from < len(f.code) {
		copy(word[32-n:], f.code[from:min(from+n, len(f.code))])
	}
	f.pushed().SetBytes32(word[:])
	f.pc += uint64(n)
	return nil
}

func (f *frame) logOf(topics int) error {
	var list [4]*uint256.Int
	for i := range topics {
		list[i] = f.top(2 + i)
	}
	err := f.log(f.top(0), f.top(1), list[:topics]...)
	f.height -= 2 + topics
	return err
}

// pushOps are the instructions that push a word without operands, by opcode.
var pushOps = [256]func(f *frame, z *uint256.Int){
	bytecode.ADDRESS:        func(f *frame, z *uint256.Int) { z.SetBytes20(f.Self[:]) },
	bytecode.ORIGIN:         func(f *frame, z *uint256.Int) { z.SetBytes20(f.machine.context.origin[:]) },
	bytecode.CALLER:         func(f *frame, z *uint256.Int) { z.SetBytes20(f.From[:]) },
	bytecode.CALLVALUE:      func(f *frame, z *uint256.Int) { *z = f.Value },
	bytecode.CALLDATASIZE:   func(f *frame, z *uint256.Int) { z.SetUint64(uint64(len(f.calldata()))) },
	bytecode.CODESIZE:       func(f *frame, z *uint256.Int) { z.SetUint64(uint64(len(f.code))) },
	bytecode.GASPRICE:       func(f *frame, z *uint256.Int) { *z = f.machine.context.tx.GasPrice },
	bytecode.RETURNDATASIZE: func(f *frame, z *uint256.Int) { z.SetUint64(uint64(len(f.returned))) },
	bytecode.COINBASE:       func(f *frame, z *uint256.Int) { z.SetBytes20(f.machine.context.block.Coinbase[:]) },
	bytecode.TIMESTAMP:      func(f *frame, z *uint256.Int) { *z = f.machine.context.block.Time() },
	bytecode.NUMBER:         func(f *frame, z *uint256.Int) { *z = f.machine.context.block.Height() },
	bytecode.PREVRANDAO:     func(f *frame, z *uint256.Int) { z.SetBytes32(f.machine.context.block.Prevrandao[:]) },
	bytecode.GASLIMIT:       func(f *frame, z *uint256.Int) { z.SetUint64(f.machine.context.block.GasLimit) },
	bytecode.CHAINID:        func(f *frame, z *uint256.Int) { *z = f.machine.context.block.chainID() },
	bytecode.SELFBALANCE:    func(f *frame, z *uint256.Int) { *z = f.account.balance },
	bytecode.BASEFEE:        func(f *frame, z *uint256.Int) { *z = f.machine.context.block.BaseFee },
	bytecode.BLOBBASEFEE:    func(f *frame, z *uint256.Int) { *z = f.machine.context.tx.BlobBaseFee },
	bytecode.PC:             func(f *frame, z *uint256.Int) { z.SetUint64(f.pc) },
	bytecode.MSIZE:          func(f *frame, z *uint256.Int) { z.SetUint64(uint64(len(f.memory))) },
	bytecode.GAS:            func(f *frame, z *uint256.Int) { z.SetUint64(f.gas) },
}

// calldata is what CALLDATALOAD and its kind read: creation code has none.
func (f *frame) calldata() []byte {
	if f.creates() {
		return nil
	}
	return f.Input
}

// replaceOps are the instructions that replace the topmost word, by opcode.
var replaceOps = [256]func(f *frame, z, x *uint256.Int){
	bytecode.BALANCE:      func(f *frame, z, x *uint256.Int) { *z = f.accountOf(x).balance },
	bytecode.EXTCODESIZE:  func(f *frame, z, x *uint256.Int) { z.SetUint64(uint64(len(f.accountOf(x).bytes()))) },
	bytecode.EXTCODEHASH:  extcodehash,
	bytecode.CALLDATALOAD: func(f *frame, z, x *uint256.Int) { load32(z, f.calldata(), x) },
	bytecode.BLOCKHASH:    func(f *frame, z, x *uint256.Int) { f.machine.blockHash(z, x) },
	bytecode.BLOBHASH:     blobhash,
	bytecode.MLOAD:        func(f *frame, z, x *uint256.Int) { at := x.Uint64(); z.SetBytes32(f.memory[at : at+32]) },
	bytecode.SLOAD:        func(f *frame, z, x *uint256.Int) { f.sload(z, x) },
	bytecode.TLOAD:        func(f *frame, z, x *uint256.Int) { f.tload(z, x) },
}

func extcodehash(f *frame, z, x *uint256.Int) {
	a := f.accountOf(x)
	if a.empty() {
		z.Clear()
		return
	}
	hash := a.codeHash()
	z.SetBytes32(hash[:])
}

func blobhash(f *frame, z, x *uint256.Int) {
	hashes := f.machine.context.tx.BlobHashes
	if !x.LtUint64(uint64(len(hashes))) {
		z.Clear()
		return
	}
	z.SetBytes32(hashes[x.Uint64()][:])
}

// callArgs returns the operands of a call from the stack.
func (f *frame) callArgs(kind FrameKind) callArgs {
	if kind == FrameDelegateCall || kind == FrameStaticCall {
		return callArgs{gas: f.top(0), to: f.top(1), in: f.top(2), inSize: f.top(3), result: f.top(4), outSize: f.top(5)}
	}
	return callArgs{gas: f.top(0), to: f.top(1), value: f.top(2), in: f.top(3), inSize: f.top(4), result: f.top(5), outSize: f.top(6)}
}

func meterCallOf(op byte) func(f *frame) error {
	return func(f *frame) error {
		args := f.callArgs(kinds[op])
		return f.meterCall(kinds[op], &args)
	}
}

func callOf(op byte) func(f *frame) error {
	return func(f *frame) error {
		args := f.callArgs(kinds[op])
		var z uint256.Int
		err := f.call(kinds[op], &z, &args)
		f.height -= int(bytecode.Ops[op].Pops) - 1
		*f.top(0) = z
		return err
	}
}

// createOf is CREATE or CREATE2.
func createOf(op byte) func(f *frame) error {
	return func(f *frame) error {
		var z uint256.Int
		salt := &z
		if op == bytecode.CREATE2 {
			salt = f.top(3)
		}
		err := f.create(kinds[op], &z, f.top(0), f.top(1), f.top(2), salt)
		f.height -= int(bytecode.Ops[op].Pops) - 1
		*f.top(0) = z
		return err
	}
}

// meterTopAccount charges for the account whose address is on top.
func meterTopAccount(f *frame) error { return f.meterAccount(f.accountOf(f.top(0))) }

func meterTopSstore(f *frame) error {
	_, err := f.meterSstore(f.top(0), f.top(1))
	return err
}

func meterTopCopy(f *frame) error { return f.meterCopy(f.top(0), f.top(2)) }

// meterExp charges for the bytes of an exponent.
func (f *frame) meterExp(exponent *uint256.Int) error { return f.charge(priceOfExponent(exponent)) }

func priceOfExponent(exponent *uint256.Int) uint64 {
	const perByte = 50
	return perByte * uint64(exponent.ByteLen())
}

// meterMcopy charges for a copy within the memory.
func (f *frame) meterMcopy(to, from, size *uint256.Int) error {
	if from.Gt(to) {
		to = from
	}
	return f.meterCopy(to, size)
}

// meterExtcodecopy charges for a copy of the code of an account.
func (f *frame) meterExtcodecopy(addr, to, size *uint256.Int) error {
	if err := f.meterCopy(to, size); err != nil {
		return err
	}
	return f.meterAccount(f.accountOf(addr))
}

// meters charge what depends on operands and state, by opcode.
var meters = [256]func(f *frame) error{
	bytecode.EXP:            func(f *frame) error { return f.meterExp(f.top(1)) },
	bytecode.KECCAK256:      func(f *frame) error { return f.meterKeccak(f.top(0), f.top(1)) },
	bytecode.BALANCE:        meterTopAccount,
	bytecode.EXTCODESIZE:    meterTopAccount,
	bytecode.EXTCODEHASH:    meterTopAccount,
	bytecode.CALLDATACOPY:   meterTopCopy,
	bytecode.CODECOPY:       meterTopCopy,
	bytecode.RETURNDATACOPY: meterTopCopy,
	bytecode.EXTCODECOPY:    func(f *frame) error { return f.meterExtcodecopy(f.top(0), f.top(1), f.top(3)) },
	bytecode.MCOPY:          func(f *frame) error { return f.meterMcopy(f.top(0), f.top(1), f.top(2)) },
	bytecode.MLOAD:          func(f *frame) error { return f.meterBytes(f.top(0), 32) },
	bytecode.MSTORE:         func(f *frame) error { return f.meterBytes(f.top(0), 32) },
	bytecode.MSTORE8:        func(f *frame) error { return f.meterBytes(f.top(0), 1) },
	bytecode.SLOAD:          func(f *frame) error { _, err := f.meterSload(f.top(0)); return err },
	bytecode.SSTORE:         meterTopSstore,
	bytecode.CREATE:         func(f *frame) error { return f.meterCreate(f.top(1), f.top(2), false) },
	bytecode.CREATE2:        func(f *frame) error { return f.meterCreate(f.top(1), f.top(2), true) },
	bytecode.CALL:           meterCallOf(bytecode.CALL),
	bytecode.CALLCODE:       meterCallOf(bytecode.CALLCODE),
	bytecode.DELEGATECALL:   meterCallOf(bytecode.DELEGATECALL),
	bytecode.STATICCALL:     meterCallOf(bytecode.STATICCALL),
	bytecode.RETURN:         func(f *frame) error { return f.meterRange(f.top(0), f.top(1), 0) },
	bytecode.REVERT:         func(f *frame) error { return f.meterRange(f.top(0), f.top(1), 0) },
	bytecode.SELFDESTRUCT:   func(f *frame) error { return f.meterSelfdestruct(f.top(0)) },
}

// mcopy copies within the memory.
func (f *frame) mcopy(to, from, size *uint256.Int) { copy(f.view(to, size), f.view(from, size)) }

// returndatacopy copies return data; it may not reach beyond its end.
func (f *frame) returndatacopy(to, from, size *uint256.Int) error {
	var end uint256.Int
	end.Add(from, size)
	if !from.IsUint64() || !end.IsUint64() || end.Uint64() > uint64(len(f.returned)) {
		return errReturnData
	}
	f.copyTo(to, from, size, f.returned)
	return nil
}

func (f *frame) extcodecopy(addr, to, from, size *uint256.Int) {
	code := f.accountOf(addr).bytes()
	f.copyTo(to, from, size, code)
}

func (f *frame) mstore8(offset, value *uint256.Int) { f.memory[offset.Uint64()] = byte(value.Uint64()) }

func (f *frame) mstore(offset, value *uint256.Int) {
	at := offset.Uint64()
	value.PutUint256(f.memory[at : at+32])
}

// end ends the frame with a range of memory as its output.
func (f *frame) end(offset, size *uint256.Int, how error) error {
	f.output = f.view(offset, size)
	return how
}

// jump continues at a destination.
func (f *frame) jump(to *uint256.Int) error {
	pc, ok := f.destination(to)
	if !ok {
		return errInvalidJump
	}
	f.pc = pc - 1
	return nil
}

// drop runs an instruction without result and removes its n operands.
func drop(n int, run func(f *frame) error) func(f *frame) error {
	return func(f *frame) error {
		err := run(f)
		f.height -= n
		return err
	}
}

// runs are the other instructions, by opcode.
var runs = func() (all [256]func(f *frame) error) {
	all = [256]func(f *frame) error{
		bytecode.STOP: func(*frame) error { return errStop },
		bytecode.KECCAK256: func(f *frame) error {
			f.machine.hashes.keccak(f.top(1), f.view(f.top(0), f.top(1)))
			f.height--
			return nil
		},
		bytecode.CALLDATACOPY: drop(3, func(f *frame) error {
			f.copyTo(f.top(0), f.top(1), f.top(2), f.calldata())
			return nil
		}),
		bytecode.CODECOPY:       drop(3, func(f *frame) error { f.copyTo(f.top(0), f.top(1), f.top(2), f.code); return nil }),
		bytecode.RETURNDATACOPY: drop(3, func(f *frame) error { return f.returndatacopy(f.top(0), f.top(1), f.top(2)) }),
		bytecode.EXTCODECOPY:    drop(4, func(f *frame) error { f.extcodecopy(f.top(0), f.top(1), f.top(2), f.top(3)); return nil }),
		bytecode.MCOPY:          drop(3, func(f *frame) error { f.mcopy(f.top(0), f.top(1), f.top(2)); return nil }),
		bytecode.POP:            drop(1, func(*frame) error { return nil }),
		bytecode.MSTORE:         drop(2, func(f *frame) error { f.mstore(f.top(0), f.top(1)); return nil }),
		bytecode.MSTORE8:        drop(2, func(f *frame) error { f.mstore8(f.top(0), f.top(1)); return nil }),
		bytecode.SSTORE:         drop(2, func(f *frame) error { f.sstore(f.top(0), f.top(1)); return nil }),
		bytecode.TSTORE:         drop(2, func(f *frame) error { return f.tstore(f.top(0), f.top(1)) }),
		bytecode.JUMP:           drop(1, func(f *frame) error { return f.jump(f.top(0)) }),
		bytecode.JUMPI: drop(2, func(f *frame) error {
			if f.top(1).IsZero() {
				return nil
			}
			return f.jump(f.top(0))
		}),
		bytecode.JUMPDEST:     func(*frame) error { return nil },
		bytecode.CREATE:       createOf(bytecode.CREATE),
		bytecode.CREATE2:      createOf(bytecode.CREATE2),
		bytecode.CALL:         callOf(bytecode.CALL),
		bytecode.CALLCODE:     callOf(bytecode.CALLCODE),
		bytecode.DELEGATECALL: callOf(bytecode.DELEGATECALL),
		bytecode.STATICCALL:   callOf(bytecode.STATICCALL),
		bytecode.RETURN:       func(f *frame) error { return f.end(f.top(0), f.top(1), errStop) },
		bytecode.REVERT:       func(f *frame) error { return f.end(f.top(0), f.top(1), errRevert) },
		bytecode.SELFDESTRUCT: func(f *frame) error { return f.selfdestruct(f.top(0)) },
	}
	for op, run := range replaceOps {
		if run != nil {
			all[op] = func(f *frame) error {
				run(f, &f.result, f.top(0))
				*f.top(0) = f.result
				return nil
			}
		}
	}
	return all
}()
