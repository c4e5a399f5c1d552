package evmtest

import (
	"github.com/ethereum/go-ethereum/core/vm"
)

// callStatements is a function because its statements contain statements.
func callStatements() []func(p *program) {
	return []func(p *program){
		func(p *program) { p.call(vm.CALL) },
		func(p *program) { p.call(vm.CALL) },
		func(p *program) { p.call(vm.CALL) },
		func(p *program) { p.call(vm.STATICCALL) },
		func(p *program) { p.call(vm.DELEGATECALL) },
		func(p *program) { p.call(vm.DELEGATECALL) },
		func(p *program) { p.call(vm.CALLCODE) },
		func(p *program) { p.precompile() },
		// any contract, which must not change anything
		func(p *program) {
			p.op(vm.PUSH0, vm.PUSH0, vm.CALLDATASIZE, vm.PUSH0)
			p.pushAddress(ContractAddress(p.r.IntN(contracts)))
			p.op(vm.GAS, vm.STATICCALL)
			p.mixIn()
		},
		// the same creation twice
		func(p *program) {
			p.push(0x30ff) // ADDRESS SELFDESTRUCT
			p.push(uint64(32 * p.r.IntN(2)))
			p.op(vm.MSTORE)
			for range 2 {
				p.push(uint64(p.r.IntN(2)))
				p.push(2)
				p.push(uint64(30 + 32*p.r.IntN(2)))
				p.op(vm.PUSH0, vm.CREATE2)
				p.mixIn()
			}
		},
		func(p *program) { p.create(vm.CREATE) },
		func(p *program) { p.create(vm.CREATE2) },
	}
}

var callGas = []uint64{0, 1, 100, 700, 2299, 2300, 2301, 5_000, 22_000, 60_000, 1 << 40}

// gas pushes gas for a call: an amount, or all but a little.
func (p *program) gas() {
	switch p.r.IntN(6) {
	case 0, 3:
		p.op(vm.GAS)
	case 1:
		p.push(uint64(p.r.IntN(4000)))
	case 2:
		p.word(pick(p.r, edges))
	default:
		p.push(pick(p.r, callGas))
	}
}

func (p *program) call(op vm.OpCode) { p.callWith(op, uint64(p.r.IntN(64))) }

// callWith calls with arguments that lie at from in memory.
func (p *program) callWith(op vm.OpCode, from uint64) {
	p.length() // of the return data, and where it goes
	p.offset()
	p.push(uint64(p.r.IntN(96))) // of the arguments
	p.push(from)
	if op == vm.CALL || op == vm.CALLCODE {
		p.push(uint64(max(0, p.r.IntN(6)-3)))
	}
	p.address()
	p.gas()
	p.op(op)
	p.mixIn()
}

// precompile calls a precompiled contract with random words, or with ones that
// it accepts.
func (p *program) precompile() {
	size := pick(p.r, []int{0, 1, 32, 64, 96, 128, 128, 160, 192, 213, 256, 288, 384})
	valid := p.r.IntN(2) == 0
	for at := 0; at < size; at += 32 {
		word := anyWord(p.r)
		if valid {
			word.SetUint64(uint64(p.r.IntN(3))) // lengths, points on a curve
		}
		p.word(word)
		p.push(uint64(at))
		p.op(vm.MSTORE)
	}
	op := pick(p.r, []vm.OpCode{vm.CALL, vm.STATICCALL, vm.DELEGATECALL, vm.CALLCODE})
	p.length()
	p.offset()
	p.push(uint64(size))
	p.push(0)
	if op == vm.CALL || op == vm.CALLCODE {
		p.push(uint64(max(0, p.r.IntN(6)-4)))
	}
	p.pushAddress(pick(p.r, precompiles))
	p.push(pick(p.r, []uint64{0, 15, 60, 150, 500, 3_000, 6_900, 50_000, 1 << 40}))
	p.op(op)
	p.mixIn()
	p.op(vm.RETURNDATASIZE)
	p.push(0)
	p.push(32)
	p.op(vm.RETURNDATACOPY)
}

// create writes creation code into memory that deploys a random program, or
// that is one, and runs it.
func (p *program) create(op vm.OpCode) {
	if p.depth >= 2 {
		return
	}
	code := anyProgram(p.r, p.depth+1)
	if p.r.IntN(3) > 0 {
		code = deploying(code)
	}
	if len(code) > 2_000 {
		return
	}
	for at := 0; at < len(code); at += 32 {
		var word [32]byte
		copy(word[:], code[at:])
		p.code = append(append(p.code, byte(vm.PUSH32)), word[:]...)
		p.push(uint64(at))
		p.op(vm.MSTORE)
	}
	if op == vm.CREATE2 {
		p.small()
	}
	p.push(uint64(len(code)))
	p.push(0)
	p.push(uint64(p.r.IntN(2)))
	p.op(op)
	// Hand the address on: to be called, maybe destroyed, by frames that may revert.
	p.push(0)
	p.op(vm.MSTORE)
	for range p.r.IntN(4) {
		p.callWith(vm.CALL, 0)
	}
}

// controlStatements is a function because its statements contain statements.
func controlStatements() []func(p *program) {
	return []func(p *program){
		func(p *program) { p.unless(p.end) },
		func(p *program) { p.unless(func() { p.small(); p.small(); p.op(vm.SSTORE) }) },
		func(p *program) { p.unless(func() { pick(p.r, failures)(p) }) },
		func(p *program) { p.compare(2); p.op(vm.ISZERO); p.skip(func() { p.statement() }) },
		func(p *program) { p.compare(2); p.skip(func() { p.statement() }) },
		// rounds, with the counter on the stack
		func(p *program) {
			p.push(uint64(1 + p.r.IntN(6)))
			loop := p.newLabel()
			p.place(loop)
			for range 1 + p.r.IntN(2) {
				p.statement()
			}
			p.push(1)
			p.op(vm.SWAP1, vm.SUB, vm.DUP1)
			p.jumpIf(loop)
			p.op(vm.POP)
		},
		// to a computed place
		func(p *program) {
			there := p.newLabel()
			p.pushLabel(there)
			p.push(uint64(p.r.IntN(5)))
			p.op(vm.DUP1, vm.SWAP2, vm.ADD, vm.SUB, vm.JUMP)
			p.op(vm.INVALID)
			p.place(there)
		},
	}
}

// skip jumps over what body adds if the word on the stack is not zero.
func (p *program) skip(body func()) {
	after := p.newLabel()
	p.jumpIf(after)
	body()
	p.place(after)
}
