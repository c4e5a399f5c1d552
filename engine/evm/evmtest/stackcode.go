package evmtest

import (
	"math/rand/v2"

	"github.com/ethereum/go-ethereum/core/vm"
)

// stackProgram is made of many instructions on few words of the stack between
// branches to known places: what a compiler of blocks with a symbolic stack
// turns into something else. The height of the stack at a label is whatever it
// happens to be, so that one block runs at several heights, and too few or too
// many words are met in the middle of blocks.
func stackProgram(r *rand.Rand, depth int) []byte {
	s := &stackCode{program: program{r: r, depth: depth}}
	for range 1 + r.IntN(6) {
		s.labels = append(s.labels, -1)
	}
	s.careless = r.IntN(4) == 0
	if r.IntN(3) == 0 { // enough for the deep instructions
		s.needs(r.IntN(20))
	}
	blocks := len(s.labels)
	for next := range blocks {
		for range r.IntN(14) {
			s.instruction()
		}
		s.branch(label(next))
		s.place(label(next))
	}
	for range r.IntN(10) {
		s.instruction()
	}
	s.result()
	return s.finish()
}

// A stackCode is a program with an estimate of the height of its stack.
type stackCode struct {
	program
	height   int
	careless bool // ignores the height now and then
}

// needs pushes words until there are n, or does not.
func (s *stackCode) needs(n int) {
	if s.careless && s.r.IntN(30) == 0 {
		return
	}
	for s.height < n {
		s.source()
	}
}

// source pushes a word.
func (s *stackCode) source() {
	switch s.r.IntN(8) {
	case 0:
		s.op(pick(s.r, nullaryOps))
	case 1:
		s.push(uint64(s.r.IntN(4) * 32))
		s.op(vm.CALLDATALOAD)
	case 2:
		s.small()
		s.op(pick(s.r, []vm.OpCode{vm.SLOAD, vm.TLOAD, vm.MLOAD}))
	default:
		s.word(anyWord(s.r))
	}
	s.height++
}

// instruction adds one instruction, and pushes before it what it lacks.
func (s *stackCode) instruction() {
	switch n := s.r.IntN(32); {
	case n < 6:
		s.source()
	case n < 10:
		s.apply(1+s.reach(), 1, func(n int) vm.OpCode { return vm.DUP1 + vm.OpCode(n-1) })
	case n < 15:
		s.apply(2+s.reach(), 0, func(n int) vm.OpCode { return vm.SWAP1 + vm.OpCode(n-2) })
	case n < 18:
		s.apply(1, -1, func(int) vm.OpCode { return vm.POP })
	case n < 25:
		s.apply(2, -1, func(int) vm.OpCode { return pick(s.r, binaryOps) })
	case n < 27:
		s.apply(1, 0, func(int) vm.OpCode { return pick(s.r, unaryOps) })
	case n < 28:
		s.apply(3, -2, func(int) vm.OpCode { return pick(s.r, ternaryOps) })
	case n < 31:
		s.effect()
	default: // a JUMPDEST that falls through
		s.op(vm.JUMPDEST)
	}
}

// reach returns how deep an instruction reaches into the stack, 15 at most,
// mostly into what is there.
func (s *stackCode) reach() int {
	if s.r.IntN(5) == 0 {
		return s.r.IntN(16)
	}
	return s.r.IntN(min(16, s.height+1))
}

// apply adds an instruction that needs n words and changes the height.
func (s *stackCode) apply(n, change int, op func(n int) vm.OpCode) {
	s.needs(n)
	s.op(op(n))
	s.height = max(0, s.height+change)
}

// effect writes something that depends on the words on the stack.
func (s *stackCode) effect() {
	s.needs(1)
	switch s.r.IntN(7) {
	case 6: // an event with topics from the stack
		topics := s.r.IntN(5)
		s.needs(topics)
		s.push(uint64(s.r.IntN(65)))
		s.push(0)
		s.op(vm.LOG0 + vm.OpCode(topics))
		s.height -= topics - 1
	case 0:
		s.small()
		s.op(vm.SSTORE)
	case 1:
		s.small()
		s.op(vm.TSTORE)
	case 2:
		s.push(uint64(s.r.IntN(3)))
		s.op(vm.MSTORE8)
	case 3: // the words of a hash come from the stack
		s.push(0)
		s.op(vm.MSTORE)
		s.push(uint64(32 * (1 + s.r.IntN(2))))
		s.push(0)
		s.op(vm.KECCAK256)
		s.height++
	default:
		s.push(uint64(s.r.IntN(4) * 32))
		s.op(vm.MSTORE)
	}
	s.height = max(0, s.height-1)
}

// branch ends a block: it falls through to the next, or jumps, mostly forward.
func (s *stackCode) branch(next label) {
	to := next
	switch n := s.r.IntN(8); {
	case n < 2:
		to = label(s.r.IntN(len(s.labels)))
	case n < 5:
		to += label(s.r.IntN(len(s.labels) - int(next)))
	}
	switch s.r.IntN(8) {
	case 0: // falls through
	case 1:
		s.jump(to)
	case 2: // the destination comes from below on the stack
		s.pushLabel(to)
		for range s.r.IntN(3) {
			s.source()
			s.op(vm.SWAP1)
			s.op(pick(s.r, []vm.OpCode{vm.DUP1, vm.CALLER}), vm.POP)
		}
		s.op(vm.JUMP)
	case 3: // on a word as it is
		s.needs(1)
		s.jumpIf(to)
		s.height = max(0, s.height-1)
	case 4: // on a comparison of words that stay
		s.needs(2)
		s.op(vm.DUP1, vm.DUP3, pick(s.r, comparisons))
		s.jumpIf(to)
	default:
		s.compare(1 + s.r.IntN(2))
		s.jumpIf(to)
	}
}

// result returns the words that should be on the stack, or ends in another way.
func (s *stackCode) result() {
	if s.r.IntN(6) == 0 {
		s.end()
		return
	}
	at := 0
	for ; s.height > 0 && at < 20; at++ {
		s.push(uint64(at * 32))
		s.op(vm.MSTORE)
		s.height--
	}
	s.push(uint64(at * 32))
	s.push(0)
	s.op(pick(s.r, []vm.OpCode{vm.RETURN, vm.RETURN, vm.RETURN, vm.REVERT}))
}
