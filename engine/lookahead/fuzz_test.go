package lookahead

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/bytecode"
	"leveret/solc/solctest"
)

// runCode runs code on input and checks all frames against the analysis.
func runCode(t *testing.T, code, input []byte, seed uint64) (states, placed int) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 5))
	p := newProving()
	p.keys = []uint64{0, 1, 2, 3, 31, 32, 62, 93, 96}
	at := common.Address{0xcc}
	p.setCode(at, code)
	p.setCode(common.BytesToAddress([]byte{0xee}), code)
	for range 2 {
		p.call(t, sender, at, input, 15_000, r)
	}
	return p.states, p.placed
}

// FuzzSound runs any bytecode: what the analysis says of it is true.
func FuzzSound(f *testing.F) {
	r := rand.New(rand.NewPCG(9, 9))
	for range 60 {
		f.Add(randomProgram(r), []byte{1, 2, 3, 4, 0, 0, 0, 5}, uint64(1))
	}
	f.Fuzz(func(t *testing.T, code, input []byte, seed uint64) {
		if len(code) > 4096 || len(input) > 512 {
			return
		}
		runCode(t, code, input, seed)
	})
}

// TestSoundOnRandomPrograms does the same with programs that jump, loop,
// call and write more than random bytes do.
func TestSoundOnRandomPrograms(t *testing.T) { checkRandomPrograms(t, 100) }

func TestSoundOnRandomProgramsLong(t *testing.T) {
	solctest.Long(t)
	checkRandomPrograms(t, 1000)
}

func checkRandomPrograms(t *testing.T, programs int) {
	r := rand.New(rand.NewPCG(11, 12))
	states, placed := 0, 0
	for i := range programs {
		input := make([]byte, r.IntN(70))
		for k := range input {
			input[k] = byte(r.IntN(4))
		}
		x, y := runCode(t, randomProgram(r), input, uint64(i))
		states, placed = states+x, placed+y
	}
	t.Logf("%d programs, %d states along prefixes, %d behind split points", programs, states, placed)
	if states < 10*programs {
		t.Error("the programs hardly run")
	}
}

// randomProgram makes a program of blocks that mostly keep a stack of some
// words and jump to one another.
func randomProgram(r *rand.Rand) []byte {
	blocks := 3 + r.IntN(8)
	// Every block begins at a multiple of 64, so that jumps are easy.
	code := bytes.Repeat([]byte{bytecode.PC, bytecode.POP}, blocks*32)
	for b := range blocks {
		part := []byte{bytecode.JUMPDEST}
		if b == 0 {
			for range 6 {
				part = append(part, bytecode.PUSH1, byte(r.IntN(4)))
			}
		}
		for len(part) < 34 {
			part = append(part, randomInstruction(r, blocks)...)
		}
		part = append(part, balance(part, b == 0, r.IntN(40) > 0)...)
		part = append(part, randomCondition(r)...)
		part = append(part, bytecode.PUSH2, 0, 0, bytecode.JUMPI)
		to := 64 * (1 + r.IntN(blocks-1)) // block 0 pushes what the others keep
		part[len(part)-3], part[len(part)-2] = byte(to>>8), byte(to)
		switch r.IntN(5) {
		case 0:
			part = append(part, bytecode.JUMP) // to what the stack holds
		case 1:
			part = append(part, bytecode.STOP)
		}
		if len(part)%2 == 1 {
			part = append(part, bytecode.JUMPDEST)
		}
		copy(code[b*64:(b+1)*64], part)
	}
	return code
}

// randomCondition tests words that blocks before may have tested or stored.
func randomCondition(r *rand.Rand) []byte {
	dup := func() byte { return bytecode.DUP1 + byte(r.IntN(6)) }
	compare := func() byte {
		return []byte{bytecode.EQ, bytecode.SUB, bytecode.XOR, bytecode.LT, bytecode.GT, bytecode.OR, bytecode.AND}[r.IntN(7)]
	}
	switch r.IntN(6) {
	case 0:
		return []byte{dup()}
	case 1:
		return []byte{dup(), dup(), compare()}
	case 2:
		return []byte{bytecode.PUSH1, byte(r.IntN(3)), dup(), compare(), bytecode.ISZERO}
	case 3:
		return []byte{bytecode.PUSH1, byte(r.IntN(3)), bytecode.PUSH1, byte(r.IntN(3)),
			[]byte{bytecode.SLOAD, bytecode.TLOAD, bytecode.CALLDATALOAD}[r.IntN(3)], compare()}
	case 4:
		return []byte{bytecode.PUSH1, byte(r.IntN(2) * 32), bytecode.MLOAD, dup(), compare()}
	default:
		return []byte{bytecode.PUSH1, byte(r.IntN(4)), bytecode.PUSH1, byte(r.IntN(4)), dup(), bytecode.SUB, compare()}
	}
}

// balance brings the stack back to six words, as it is between blocks.
func balance(part []byte, first, exact bool) []byte {
	height := 6
	if first {
		height = 0
	}
	for _, in := range bytecode.New(part).Instructions {
		height += int(bytecode.Ops[in.Op].Pushes) - int(bytecode.Ops[in.Op].Pops)
	}
	if !exact || height < 1 || height > 14 {
		return nil
	}
	return append(bytes.Repeat([]byte{bytecode.POP}, max(height-6, 0)), bytes.Repeat([]byte{bytecode.PUSH0}, max(6-height, 0))...)
}

func randomInstruction(r *rand.Rand, blocks int) []byte {
	// Not 64: a constant that is a jump destination makes a context.
	small := func() []byte { return []byte{bytecode.PUSH1, []byte{0, 1, 2, 3, 31, 32, 62, 93, 96}[r.IntN(9)]} }
	switch r.IntN(14) {
	case 0, 1:
		return small()
	case 2:
		to := 64 * (1 + r.IntN(blocks-1)) // block 0 pushes what the others keep
		if r.IntN(3) > 0 {
			to++
		}
		return []byte{bytecode.PUSH2, byte(to >> 8), byte(to)}
	case 3:
		return []byte{bytecode.DUP1 + byte(r.IntN(6))}
	case 4:
		return []byte{bytecode.SWAP1 + byte(r.IntN(5))}
	case 5:
		return append(small(), []byte{bytecode.MLOAD, bytecode.SLOAD, bytecode.TLOAD, bytecode.CALLDATALOAD}[r.IntN(4)])
	case 6:
		return append(append([]byte{bytecode.DUP1 + byte(r.IntN(4))}, small()...),
			[]byte{bytecode.MSTORE, bytecode.MSTORE8, bytecode.SSTORE, bytecode.TSTORE}[r.IntN(4)])
	case 7:
		return []byte{bytecode.DUP1 + byte(r.IntN(3)), bytecode.DUP1 + byte(r.IntN(3)),
			[]byte{bytecode.ADD, bytecode.SUB, bytecode.EQ, bytecode.LT, bytecode.GT, bytecode.XOR, bytecode.AND, bytecode.OR, bytecode.MUL, bytecode.DIV, bytecode.SLT}[r.IntN(11)]}
	case 8:
		return []byte{bytecode.DUP1 + byte(r.IntN(3)), []byte{bytecode.ISZERO, bytecode.NOT, bytecode.CLZ}[r.IntN(3)]}
	case 9:
		return []byte{[]byte{bytecode.CALLER, bytecode.CALLDATASIZE, bytecode.RETURNDATASIZE, bytecode.MSIZE, bytecode.GAS, bytecode.PC, bytecode.SELFBALANCE}[r.IntN(7)]}
	case 10:
		return []byte{bytecode.POP}
	case 11: // copies
		op := []byte{bytecode.CALLDATACOPY, bytecode.CODECOPY, bytecode.MCOPY}[r.IntN(3)]
		return append(append(append(small(), small()...), small()...), op)
	case 12: // keccak of memory, used as a storage key
		return append(append(small(), small()...), bytecode.KECCAK256)
	default: // a call to the same code elsewhere, or to a precompiled contract
		to := []byte{0xee, 4}[r.IntN(2)]
		op := []byte{bytecode.CALL, bytecode.STATICCALL, bytecode.DELEGATECALL}[r.IntN(3)]
		call := []byte{bytecode.PUSH1, 32, bytecode.PUSH1, byte(r.IntN(3) * 16), bytecode.PUSH1, byte(r.IntN(3) * 4), bytecode.PUSH0}
		if op == bytecode.CALL {
			call = append(call, bytecode.PUSH0)
		}
		return append(call, bytecode.PUSH1, to, bytecode.PUSH2, 0x20, 0, op)
	}
}
