package evmtest

import (
	"math/rand/v2"

	"github.com/ethereum/go-ethereum/core/vm"
)

// statementProgram is made of random statements that each leave the stack as
// they found it. Such programs that call each other meet combinations of calls,
// creations, reverts and state that nobody would write down.
func statementProgram(r *rand.Rand, depth int) []byte {
	p := &program{r: r, depth: depth}
	for range 1 + r.IntN(12) {
		p.statement()
	}
	p.end()
	return p.finish()
}

// statement adds one statement; each kind's share is that of its table.
func (p *program) statement() {
	kinds := [][]func(p *program){stateStatements, readStatements, memoryStatements, callStatements(), controlStatements()}
	n := 0
	for _, kind := range kinds {
		n += len(kind)
	}
	n = p.r.IntN(n)
	for _, kind := range kinds {
		if n < len(kind) {
			kind[n](p)
			return
		}
		n -= len(kind)
	}
}

var stateStatements = []func(p *program){
	func(p *program) { p.small(); p.small(); p.op(vm.SSTORE) },
	func(p *program) { p.small(); p.small(); p.op(vm.SSTORE) },
	func(p *program) { p.push(0); p.op(vm.CALLDATALOAD); p.small(); p.op(vm.SSTORE) },
	func(p *program) { p.small(); p.op(vm.SLOAD); p.mixIn() },
	func(p *program) {
		p.small()
		p.op(vm.SLOAD)
		p.push(1)
		p.op(vm.ADD)
		p.small()
		p.op(vm.SSTORE)
	},
	func(p *program) { p.word(anyWord(p.r)); p.word(pick(p.r, edges)); p.op(vm.SSTORE) },
	func(p *program) { p.small(); p.small(); p.op(vm.TSTORE) },
	func(p *program) { p.small(); p.op(vm.TLOAD); p.mixIn() },
	func(p *program) { p.op(vm.CALLER, vm.SLOAD, vm.CALLVALUE, vm.ADD, vm.CALLER, vm.SSTORE) },
	func(p *program) { p.push(7); p.length(); p.offset(); p.op(vm.LOG1) },
	func(p *program) { p.op(vm.CALLER, vm.CALLVALUE); p.push(8); p.push(0); p.op(vm.LOG2) },
	func(p *program) { p.length(); p.offset(); p.op(vm.LOG0) },
	(*program).event,
	(*program).event,
	// a variable at a hash, as compilers place those of mappings
	func(p *program) {
		p.op(vm.CALLER)
		p.push(0)
		p.op(vm.MSTORE)
		p.small()
		p.push(32)
		p.op(vm.MSTORE)
		p.push(64)
		p.push(0)
		p.op(vm.KECCAK256, vm.DUP1, vm.SLOAD)
		p.push(1)
		p.op(vm.ADD, vm.SWAP1, vm.SSTORE)
	},
}

// event emits a part of the memory.
func (p *program) event() {
	topics := p.r.IntN(5)
	for range topics {
		p.small()
	}
	p.length()
	p.offset()
	p.op(vm.LOG0 + vm.OpCode(topics))
}

var readStatements = []func(p *program){
	func(p *program) { p.address(); p.op(vm.BALANCE); p.mixIn() },
	func(p *program) { p.op(vm.SELFBALANCE); p.mixIn() },
	func(p *program) { p.address(); p.op(vm.EXTCODESIZE); p.mixIn() },
	func(p *program) { p.address(); p.op(vm.EXTCODEHASH); p.mixIn() },
	func(p *program) { p.length(); p.offset(); p.offset(); p.address(); p.op(vm.EXTCODECOPY) },
	func(p *program) { p.op(vm.GAS); p.mixIn() },
	func(p *program) { p.op(vm.PC); p.mixIn() },
	func(p *program) { p.op(vm.MSIZE); p.mixIn() },
	func(p *program) { p.op(vm.CODESIZE, vm.CALLDATASIZE, vm.ADD); p.mixIn() },
	func(p *program) { p.push(uint64(p.r.IntN(300))); p.op(vm.BLOCKHASH); p.mixIn() },
	func(p *program) { p.word(pick(p.r, edges)); p.op(vm.BLOCKHASH); p.mixIn() },
	func(p *program) {
		p.op(vm.NUMBER, vm.TIMESTAMP, vm.ADD, vm.PREVRANDAO, vm.ADD, vm.COINBASE, vm.ADD, vm.GASLIMIT, vm.ADD)
		p.mixIn()
	},
	func(p *program) {
		p.op(vm.ORIGIN, vm.CALLER, vm.XOR, vm.CHAINID, vm.ADD, vm.BASEFEE, vm.ADD, vm.GASPRICE, vm.ADD, vm.BLOBBASEFEE, vm.ADD)
		p.mixIn()
	},
	func(p *program) { p.small(); p.op(vm.BLOBHASH); p.mixIn() },
	func(p *program) { p.push(64); p.push(0); p.op(vm.KECCAK256); p.mixIn() },
	func(p *program) { p.length(); p.offset(); p.op(vm.KECCAK256); p.mixIn() },
	func(p *program) { p.op(vm.RETURNDATASIZE); p.mixIn() },
	func(p *program) { p.word(pick(p.r, edges)); p.op(vm.CALLDATALOAD); p.mixIn() },
	func(p *program) { p.expression(3); p.mixIn() },
	func(p *program) { p.expression(3); p.mixIn() },
}

var memoryStatements = []func(p *program){
	func(p *program) { p.push(uint64(p.r.IntN(2))); p.push(0); p.push(8); p.op(vm.RETURNDATACOPY) },
	func(p *program) { p.op(vm.RETURNDATASIZE); p.push(0); p.offset(); p.op(vm.RETURNDATACOPY) },
	func(p *program) { p.unless(func() { p.length(); p.offset(); p.offset(); p.op(vm.RETURNDATACOPY) }) },
	func(p *program) { p.push(96); p.push(0); p.push(8); p.op(vm.CALLDATACOPY) },
	func(p *program) { p.length(); p.word(pick(p.r, edges)); p.offset(); p.op(vm.CALLDATACOPY) },
	func(p *program) { p.length(); p.word(pick(p.r, edges)); p.offset(); p.op(vm.CODECOPY) },
	func(p *program) { p.length(); p.offset(); p.offset(); p.op(vm.MCOPY) },
	func(p *program) { p.length(); p.offset(); p.offset(); p.op(vm.MCOPY) },
	func(p *program) { p.word(anyWord(p.r)); p.offset(); p.op(vm.MSTORE8) },
	func(p *program) { p.word(anyWord(p.r)); p.offset(); p.op(vm.MSTORE) },
	func(p *program) { p.offset(); p.op(vm.MLOAD); p.mixIn() },
	// copying nothing costs nothing, wherever it is
	func(p *program) { p.push(0); p.word(pick(p.r, edges)); p.word(pick(p.r, edges)); p.op(vm.MCOPY) },
	func(p *program) { p.push(0); p.word(pick(p.r, edges)); p.op(vm.KECCAK256); p.mixIn() },
}

// end finishes the program in one of the ways there are.
func (p *program) end() {
	ending := p.r.IntN(16)
	if p.depth > 0 && p.r.IntN(3) == 0 {
		ending = 2
	}
	switch ending {
	case 0:
		p.push(uint64(p.r.IntN(64)))
		p.push(0)
		p.op(vm.REVERT)
	case 1:
		p.op(pick(p.r, []vm.OpCode{vm.INVALID, vm.POP, vm.JUMP, 0x0c, 0xef}))
	case 2:
		p.address()
		p.op(vm.SELFDESTRUCT)
	case 3:
		p.word(pick(p.r, edges))
		p.op(pick(p.r, []vm.OpCode{vm.MLOAD, vm.JUMP, vm.CALLDATALOAD, vm.SLOAD, vm.EXTCODESIZE}))
	case 4, 5, 6:
		p.length()
		p.offset()
		p.op(vm.RETURN)
	case 7:
		pick(p.r, failures)(p)
	default:
		p.op(vm.STOP)
	}
}

// failures end a frame with an exceptional halt in some way that a compiler of
// blocks has to notice.
var failures = []func(p *program){
	// push until the stack is full
	func(p *program) {
		loop := p.newLabel()
		p.place(loop)
		for range 1 + p.r.IntN(5) {
			p.op(vm.PC)
		}
		p.jump(loop)
	},
	// pop until it is empty
	func(p *program) {
		p.small()
		loop := p.newLabel()
		p.place(loop)
		p.op(pick(p.r, []vm.OpCode{vm.POP, vm.ADD, vm.SWAP2, vm.MSTORE}))
		p.jump(loop)
	},
	// jump into the data of a push
	func(p *program) {
		p.op(vm.PUSH3, vm.JUMPDEST, vm.JUMPDEST, vm.JUMPDEST)
		p.push(uint64(len(p.code) - p.r.IntN(4)))
		p.op(vm.JUMP)
	},
	// a push that the end of the code cuts off
	func(p *program) { p.op(vm.PUSH1+vm.OpCode(p.r.IntN(32)), 1) },
	// the condition is false: the wrong destination does not matter
	func(p *program) {
		p.small()
		p.word(pick(p.r, edges))
		p.op(vm.JUMPI)
	},
	func(p *program) { p.length(); p.word(pick(p.r, edges)); p.op(vm.REVERT) },
	// deeper than the stack
	func(p *program) { p.small(); p.op(vm.DUP1+vm.OpCode(p.r.IntN(16)), vm.STOP) },
	func(p *program) { p.small(); p.small(); p.op(vm.SWAP1+vm.OpCode(p.r.IntN(16)), vm.STOP) },
	// all gas
	func(p *program) {
		loop := p.newLabel()
		p.place(loop)
		p.jump(loop)
	},
}
