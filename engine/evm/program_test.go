package evm

import (
	"encoding/binary"
	"math/rand/v2"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/vm"
)

// A program is bytecode under construction, made of random statements that
// each leave the stack as they found it. Random programs that call each other
// meet combinations of calls, creations, reverts and state that nobody would
// write down.
type program struct {
	r     *rand.Rand
	code  []byte
	depth int // of creations within creations
}

// pool are the addresses that random programs deal with: contracts, accounts
// without code, precompiles, and one that does not exist.
var pool = func() []common.Address {
	addrs := []common.Address{alice, bob, common.HexToAddress("0xdead")}
	for i := range 8 {
		addrs = append(addrs, contractAddress(i))
	}
	for _, n := range []byte{1, 2, 3, 4, 5, 6, 9} {
		addrs = append(addrs, common.BytesToAddress([]byte{n}))
	}
	return addrs
}()

func contractAddress(i int) common.Address {
	return common.BytesToAddress([]byte{0xc0, 0xde, byte(i)})
}

func randomProgram(r *rand.Rand, depth int) []byte {
	p := &program{r: r, depth: depth}
	for range 1 + r.IntN(12) {
		p.statement()
	}
	p.end()
	return p.code
}

func (p *program) op(ops ...vm.OpCode) {
	for _, op := range ops {
		p.code = append(p.code, byte(op))
	}
}

func (p *program) push(n uint64) {
	var word [8]byte
	binary.BigEndian.PutUint64(word[:], n)
	p.code = append(append(p.code, byte(vm.PUSH8)), word[:]...)
}

func (p *program) address() {
	addr := pool[p.r.IntN(len(pool))]
	switch p.r.IntN(8) {
	case 0:
		p.op(vm.ADDRESS)
		return
	case 1, 2: // what the caller made, see create
		p.push(0)
		p.op(vm.CALLDATALOAD)
		return
	}
	p.code = append(append(p.code, byte(vm.PUSH20)), addr[:]...)
}

// small pushes one of few values, so that they meet again.
func (p *program) small() { p.push(uint64(p.r.IntN(4))) }

// unless jumps over what body adds if the byte of the calldata at a random
// place is odd.
func (p *program) unless(body func()) {
	p.push(uint64(p.r.IntN(32)))
	p.op(vm.CALLDATALOAD)
	p.push(1)
	p.op(vm.AND, vm.PUSH2)
	at := len(p.code)
	p.code = append(p.code, 0, 0)
	p.op(vm.JUMPI)
	body()
	binary.BigEndian.PutUint16(p.code[at:], uint16(len(p.code)))
	p.op(vm.JUMPDEST)
}

var callGas = []uint64{0, 100, 700, 2300, 5_000, 22_000, 60_000, 1 << 40}

func (p *program) call(op vm.OpCode) { p.callWith(op, uint64(p.r.IntN(64))) }

// callWith calls with arguments that lie at from in memory.
func (p *program) callWith(op vm.OpCode, from uint64) {
	p.push(uint64(p.r.IntN(64))) // length and offset of the return data
	p.push(uint64(p.r.IntN(64)))
	p.push(uint64(p.r.IntN(96))) // of the arguments
	p.push(from)
	if op == vm.CALL || op == vm.CALLCODE {
		p.push(uint64(max(0, p.r.IntN(6)-3)))
	}
	p.address()
	p.push(callGas[p.r.IntN(len(callGas))])
	p.op(op)
	p.mixIn()
}

// mixIn keeps a result in memory, from where it gets into calls, logs, storage
// and return data.
func (p *program) mixIn() {
	at := uint64(p.r.IntN(3) * 32)
	p.push(at)
	p.op(vm.MLOAD, vm.ADD)
	p.push(at)
	p.op(vm.MSTORE)
}

// create writes creation code into memory that deploys a random program, or
// that is one, and runs it.
func (p *program) create(op vm.OpCode) {
	if p.depth >= 2 {
		return
	}
	code := randomProgram(p.r, p.depth+1)
	if p.r.IntN(3) > 0 {
		code = deploying(code)
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

// deploying returns creation code that deploys code.
func deploying(code []byte) []byte {
	creation := []byte{byte(vm.PUSH2), byte(len(code) >> 8), byte(len(code)), byte(vm.DUP1), byte(vm.PUSH1), 11,
		byte(vm.PUSH0), byte(vm.CODECOPY), byte(vm.PUSH0), byte(vm.RETURN), byte(vm.STOP)}
	return append(creation, code...)
}

// end finishes the program in one of the ways there are.
func (p *program) end() {
	ending := p.r.IntN(12)
	if p.depth > 0 && p.r.IntN(3) == 0 {
		ending = 2
	}
	switch ending {
	case 0:
		p.push(uint64(p.r.IntN(64)))
		p.push(0)
		p.op(vm.REVERT)
	case 1:
		p.op([]vm.OpCode{vm.INVALID, vm.POP, vm.JUMP, 0x0c}[p.r.IntN(4)])
	case 2:
		p.address()
		p.op(vm.SELFDESTRUCT)
	case 3:
		p.push(1 << 50)
		p.op(vm.MLOAD)
	case 4, 5, 6:
		p.push(uint64(p.r.IntN(96)))
		p.push(0)
		p.op(vm.RETURN)
	default:
		p.op(vm.STOP)
	}
}

// statement adds one statement.
func (p *program) statement() {
	statements := []func(p *program){
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
		func(p *program) { p.small(); p.small(); p.op(vm.TSTORE) },
		func(p *program) { p.small(); p.op(vm.TLOAD); p.mixIn() },
		func(p *program) { p.op(vm.CALLER, vm.SLOAD, vm.CALLVALUE, vm.ADD, vm.CALLER, vm.SSTORE) },
		func(p *program) { p.address(); p.op(vm.BALANCE); p.mixIn() },
		func(p *program) { p.op(vm.SELFBALANCE); p.mixIn() },
		func(p *program) { p.address(); p.op(vm.EXTCODESIZE); p.mixIn() },
		func(p *program) { p.address(); p.op(vm.EXTCODEHASH); p.mixIn() },
		func(p *program) { p.push(40); p.small(); p.small(); p.address(); p.op(vm.EXTCODECOPY) },
		func(p *program) { p.op(vm.GAS); p.mixIn() },
		func(p *program) { p.push(uint64(p.r.IntN(300))); p.op(vm.BLOCKHASH); p.mixIn() },
		func(p *program) {
			p.op(vm.NUMBER, vm.TIMESTAMP, vm.ADD, vm.PREVRANDAO, vm.ADD, vm.COINBASE, vm.ADD)
			p.mixIn()
		},
		func(p *program) {
			p.op(vm.ORIGIN, vm.CALLER, vm.XOR, vm.CHAINID, vm.ADD, vm.BASEFEE, vm.ADD)
			p.mixIn()
		},
		func(p *program) { p.push(64); p.push(0); p.op(vm.KECCAK256); p.mixIn() },
		func(p *program) { p.op(vm.RETURNDATASIZE); p.mixIn() },
		func(p *program) { p.push(uint64(p.r.IntN(2))); p.push(0); p.push(8); p.op(vm.RETURNDATACOPY) },
		func(p *program) { p.push(96); p.push(0); p.push(8); p.op(vm.CALLDATACOPY) },
		func(p *program) { p.push(7); p.push(64); p.push(0); p.op(vm.LOG1) },
		func(p *program) { p.op(vm.CALLER, vm.CALLVALUE); p.push(8); p.push(0); p.op(vm.LOG2) },
		func(p *program) { p.call(vm.CALL) },
		func(p *program) { p.call(vm.CALL) },
		func(p *program) { p.call(vm.CALL) },
		func(p *program) { p.call(vm.STATICCALL) },
		func(p *program) { p.call(vm.DELEGATECALL) },
		func(p *program) { p.call(vm.DELEGATECALL) },
		func(p *program) { p.call(vm.CALLCODE) },
		func(p *program) { p.create(vm.CREATE) },
		func(p *program) { p.create(vm.CREATE2) },
		func(p *program) { p.unless(p.end) },
		func(p *program) { p.unless(func() { p.small(); p.small(); p.op(vm.SSTORE) }) },
	}
	statements[p.r.IntN(len(statements))](p)
}

func opName(op byte) string { return vm.OpCode(op).String() }
