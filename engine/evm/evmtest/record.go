package evmtest

import (
	"fmt"

	"leveret/engine/bytecode"
	"leveret/engine/evm"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// A note is what a Recorder is told at one instruction.
type note struct {
	op          byte
	pc          uint64
	top, second uint256.Int
	data        common.Hash // of what is hashed
	height      int         // words on the stack, for Stack
}

func (n note) String() string {
	return fmt.Sprintf("%v at %d: %s %s %x %d", vm.OpCode(n.op), n.pc, n.top.Hex(), n.second.Hex(), n.data[:4], n.height)
}

// A recording is a Recorder that writes down what it is told, in the order of
// the instructions but for blocks, which have an order of their own. What a
// Machine may leave out is written down once: words that are read and written, and
// blocks by their pcs.
type recording struct {
	notes, operands []note
	blocks          []uint64
	selves          []common.Address // of the open frames
	told            map[any]bool
	watches         map[*evm.Code]*evm.Watch
}

// A toldWord is a word that was read or written.
type toldWord struct {
	write bool
	self  common.Address
	key   uint256.Int
}

func newRecording() *recording {
	return &recording{told: make(map[any]bool), watches: make(map[*evm.Code]*evm.Watch)}
}

// first reports whether something is new in the Call.
func (r *recording) first(what any) bool {
	was := r.told[what]
	r.told[what] = true
	return !was
}

// firstWord reports whether a word is read or written for the first time.
func (r *recording) firstWord(write bool, key *uint256.Int) bool {
	return r.first(toldWord{write, r.selves[len(r.selves)-1], *key})
}

// startOfBlocks and endOfBlocks separate the blocks of frames.
const (
	startOfBlocks = 1<<64 - 1
	endOfBlocks   = 1<<64 - 2
)

func (r *recording) Begin() {
	r.notes, r.operands, r.blocks, r.selves = r.notes[:0], r.operands[:0], r.blocks[:0], r.selves[:0]
	clear(r.told)
	if len(r.watches) > 1_000 {
		clear(r.watches)
	}
}
func (r *recording) Enter(f *evm.Frame) {
	r.blocks = append(r.blocks, startOfBlocks)
	r.selves = append(r.selves, f.Self)
}
func (r *recording) Exit(*evm.Frame, evm.Status, []byte) {
	r.blocks = append(r.blocks, endOfBlocks)
	r.selves = r.selves[:len(r.selves)-1]
}
func (r *recording) Log(*evm.Log)          {}
func (r *recording) BlockValue()           {}
func (r *recording) Vacant(common.Address) {}

// Watch wants the operands of some instructions.
func (r *recording) Watch(c *evm.Code) *evm.Watch {
	w := r.watches[c]
	if w == nil {
		w = &evm.Watch{Operands: make([]uint32, len(c.Bytes)), Blocks: make([]uint32, len(c.Bytes)), Events: true}
		w.Branches, w.Compared, w.Held = w.Blocks, make([]uint32, len(c.Bytes)), make([]bool, len(c.Bytes))
		w.Wraps = make([]bool, len(c.Bytes))
		for pc, op := range c.Bytes {
			w.Blocks[pc] = uint32(pc)
			if wanted(uint64(pc), op) {
				w.Operands[pc] = uint32(pc) + 1
			}
		}
		r.watches[c] = w
	}
	return w
}

// wanted reports whether the operands of an instruction are recorded.
func wanted(pc uint64, op byte) bool { return bytecode.Ops[op].Pops > 0 && pc%3 == 0 }

func (r *recording) Operands(number uint32, top, next *uint256.Int) {
	r.operands = append(r.operands, note{pc: uint64(number - 1), top: *top, second: *next})
}
func (r *recording) Blocks(numbers []uint32) {
	for _, n := range numbers {
		if r.first(n) {
			r.blocks = append(r.blocks, uint64(n))
		}
	}
}
func (r *recording) Branch(number uint32, taken bool, cond, _, _ *uint256.Int) {
	n := note{op: byte(vm.JUMPI), pc: uint64(number), top: *cond}
	if taken {
		n.height = 1
	}
	r.notes = append(r.notes, n)
}
func (r *recording) Read(key *uint256.Int) {
	if r.firstWord(false, key) {
		r.notes = append(r.notes, note{op: byte(vm.SLOAD), top: *key})
	}
}
func (r *recording) Write(pc uint64, key *uint256.Int) {
	if r.firstWord(true, key) {
		r.notes = append(r.notes, note{op: byte(vm.SSTORE), pc: pc, top: *key})
	}
}
func (r *recording) Hash(input []byte) {
	r.notes = append(r.notes, note{op: byte(vm.KECCAK256), data: crypto.Keccak256Hash(input)})
}
func (r *recording) Stack(pc uint64, op byte, stack []uint256.Int, _ evm.Passed) {
	n := note{op: op, pc: pc, height: len(stack)}
	if len(stack) > 0 {
		n.top = stack[len(stack)-1]
	}
	r.notes = append(r.notes, n)
}

// instruction tells r of one that is about to run.
func (r *recording) instruction(pc uint64, op byte, stack []uint256.Int, memory []byte) {
	at := func(n int) *uint256.Int {
		if n >= len(stack) {
			return new(uint256.Int)
		}
		return &stack[len(stack)-1-n]
	}
	if wanted(pc, op) {
		second := new(uint256.Int)
		if bytecode.Ops[op].Pops > 1 {
			second = at(1)
		}
		r.Operands(uint32(pc)+1, at(0), second)
	}
	switch code := vm.OpCode(op); {
	case code == vm.JUMPDEST:
		r.Blocks([]uint32{uint32(pc)})
	case code == vm.JUMPI:
		r.Branch(uint32(pc), !at(1).IsZero(), at(1), nil, nil)
	case code == vm.SLOAD:
		r.Read(at(0))
	case code == vm.SSTORE:
		r.Write(pc, at(0))
	case code == vm.KECCAK256:
		input := make([]byte, at(1).Uint64())
		if from := at(0).Uint64(); from < uint64(len(memory)) && len(input) > 0 {
			copy(input, memory[from:])
		}
		r.Hash(input)
	case code == vm.REVERT || code == vm.INVALID || code >= vm.LOG0 && code <= vm.LOG4:
		r.Stack(pc, op, stack, evm.Passed{})
	}
}

// compareRecordings describes the first difference; nil if there is none.
func compareRecordings(got, want *recording) error {
	if err := sameNotes("note", got.notes, want.notes); err != nil {
		return err
	}
	if err := sameNotes("operands", got.operands, want.operands); err != nil {
		return err
	}
	return sameNotes("block", got.blocks, want.blocks)
}

func sameNotes[T comparable](what string, got, want []T) error {
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			return fmt.Errorf("%s %d: got %v, want %v, after %v", what, i, got[i], want[i], want[max(0, i-4):i])
		}
	}
	if len(got) != len(want) {
		return fmt.Errorf("%d %ss, want %d; the last common %v", len(got), what, len(want), want[max(0, min(len(got), len(want))-4):min(len(got), len(want))])
	}
	return nil
}
