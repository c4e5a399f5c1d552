package evmtest

import (
	"encoding/binary"
	"math/rand/v2"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// Accounts without code, and the contract of tests with one.
var (
	Alice = common.HexToAddress("0xa11ce")
	Bob   = common.HexToAddress("0xb0b00")
	Here  = common.HexToAddress("0xc0de00")
)

// contracts is the number of contracts in a random Twin.
const contracts = 8

// ContractAddress returns the address of a contract of a random Twin.
func ContractAddress(i int) common.Address { return common.BytesToAddress([]byte{0xc0, 0xde, byte(i)}) }

// precompiles are addresses with a precompiled contract, and two next to them.
var precompiles = func() (list []common.Address) {
	for n := range byte(0x13) {
		list = append(list, common.BytesToAddress([]byte{n}))
	}
	return append(list, common.BytesToAddress([]byte{1, 0}))
}()

// pool are the addresses that random programs deal with: contracts, accounts
// without code, addresses that contracts create at, precompiles, and one that
// does not exist.
var pool = func() []common.Address {
	addrs := []common.Address{Alice, Bob, common.HexToAddress("0xdead")}
	for i := range contracts {
		addrs = append(addrs, ContractAddress(i))
	}
	for _, n := range []byte{1, 2, 3, 4, 5, 6, 9} {
		addrs = append(addrs, common.BytesToAddress([]byte{n}))
	}
	return append(addrs, crypto.CreateAddress(ContractAddress(0), 0), crypto.CreateAddress(ContractAddress(1), 0))
}()

// A program is bytecode under construction.
type program struct {
	r      *rand.Rand
	code   []byte
	depth  int // of creations within creations
	labels []int
	uses   []use
}

// A label is a jump destination; its place in the code may come later.
type label int

// A use is two bytes of the code that hold the place of a label.
type use struct {
	at int
	label
}

func (p *program) op(ops ...vm.OpCode) {
	for _, op := range ops {
		p.code = append(p.code, byte(op))
	}
}

// push pushes a number.
func (p *program) push(n uint64) { p.word(uint256.NewInt(n)) }

// word pushes a word, mostly with the shortest instruction.
func (p *program) word(w *uint256.Int) {
	bytes := w.Bytes()
	if p.r.IntN(8) == 0 {
		word := w.Bytes32()
		bytes = word[p.r.IntN(33-len(bytes)):]
	}
	p.op(vm.PUSH0 + vm.OpCode(len(bytes)))
	p.code = append(p.code, bytes...)
}

func (p *program) pushAddress(addr common.Address) {
	p.code = append(append(p.code, byte(vm.PUSH20)), addr[:]...)
}

// newLabel returns a label without a place.
func (p *program) newLabel() label {
	p.labels = append(p.labels, -1)
	return label(len(p.labels) - 1)
}

// pushLabel pushes the place of l.
func (p *program) pushLabel(l label) {
	p.op(vm.PUSH2)
	p.uses = append(p.uses, use{len(p.code), l})
	p.code = append(p.code, 0, 0)
}

func (p *program) jump(l label) {
	p.pushLabel(l)
	p.op(vm.JUMP)
}

func (p *program) jumpIf(l label) {
	p.pushLabel(l)
	p.op(vm.JUMPI)
}

// place puts l here.
func (p *program) place(l label) {
	p.labels[l] = len(p.code)
	p.op(vm.JUMPDEST)
}

// finish returns the code with the places of labels. Labels without a place
// are at the end of the code, which is no jump destination.
func (p *program) finish() []byte {
	for _, u := range p.uses {
		at := p.labels[u.label]
		if at < 0 {
			at = len(p.code)
		}
		binary.BigEndian.PutUint16(p.code[u.at:], uint16(at))
	}
	p.uses = nil
	return p.code
}

// pick returns a random element.
func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// address pushes an address of the pool, the own one, or one that the calldata
// has.
func (p *program) address() {
	switch p.r.IntN(8) {
	case 0:
		p.op(vm.ADDRESS)
	case 1, 2: // what the caller made, see create
		p.push(0)
		p.op(vm.CALLDATALOAD)
	default:
		p.pushAddress(pick(p.r, pool))
	}
}

// small pushes one of few values, so that they meet again.
func (p *program) small() { p.push(uint64(p.r.IntN(4))) }

// edges are words at the limits of instructions.
var edges = func() []*uint256.Int {
	one := uint256.NewInt(1)
	power := func(n uint) *uint256.Int { return new(uint256.Int).Lsh(one, n) }
	list := []*uint256.Int{new(uint256.Int)}
	for _, n := range []uint64{1, 2, 3, 5, 7, 8, 31, 32, 33, 63, 64, 127, 128, 255, 256, 257, 1023, 0xffff} {
		list = append(list, uint256.NewInt(n))
	}
	for _, n := range []uint{16, 31, 32, 63, 64, 127, 128, 160, 192, 255} {
		list = append(list, power(n), new(uint256.Int).Sub(power(n), one), new(uint256.Int).Neg(power(n)))
	}
	return append(list, new(uint256.Int).SetAllOne(), new(uint256.Int).Neg(uint256.NewInt(2)))
}()

// anyWord returns a new word: an edge, a small number, or random bits.
func anyWord(r *rand.Rand) *uint256.Int {
	switch r.IntN(6) {
	case 0, 1, 2:
		return pick(r, edges).Clone()
	case 3, 4:
		return uint256.NewInt(uint64(r.IntN(40)))
	default:
		word := &uint256.Int{r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64()}
		return word.Rsh(word, uint(r.IntN(256)))
	}
}

// offset pushes a place in memory: mostly within the first words, rarely one
// that no gas pays.
func (p *program) offset() {
	if p.r.IntN(40) == 0 {
		p.word(pick(p.r, edges))
		return
	}
	p.push(uint64(pick(p.r, []int{0, 0, 1, 4, 31, 32, 33, 64, 68, 96, 127, 128, 255, 1024})))
}

// length pushes a number of bytes, rarely one that no gas pays.
func (p *program) length() {
	if p.r.IntN(40) == 0 {
		p.word(pick(p.r, edges))
		return
	}
	p.push(uint64(pick(p.r, []int{0, 0, 1, 4, 20, 31, 32, 32, 33, 64, 64, 96, 128, 213, 256})))
}

// unless jumps over what body adds if the byte of the calldata at a random
// place is odd.
func (p *program) unless(body func()) {
	p.push(uint64(p.r.IntN(32)))
	p.op(vm.CALLDATALOAD)
	p.push(1)
	p.op(vm.AND)
	after := p.newLabel()
	p.jumpIf(after)
	body()
	p.place(after)
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

// deploying returns creation code that deploys code.
func deploying(code []byte) []byte {
	creation := []byte{byte(vm.PUSH2), byte(len(code) >> 8), byte(len(code)), byte(vm.DUP1), byte(vm.PUSH1), 11,
		byte(vm.PUSH0), byte(vm.CODECOPY), byte(vm.PUSH0), byte(vm.RETURN), byte(vm.STOP)}
	return append(creation, code...)
}
