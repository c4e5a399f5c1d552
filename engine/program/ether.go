package program

import (
	"slices"

	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
	"leveret/engine/lookahead"
)

// CanSendEther reports whether an instruction that can send ether is reachable
// from the start of code. It returns true if the analysis cannot tell.
func CanSendEther(code *bytecode.Code) bool {
	ways := waysOut(code)
	if len(ways) == 0 {
		return false
	}
	a := lookahead.Analyzer{Contained: true}
	a.AddCode(0, code)
	a.SetTargets(ways)
	return !a.Unreachable(0)
}

// ReadsBalance reports whether code has an instruction that reads a balance.
func ReadsBalance(code *bytecode.Code) bool {
	return slices.ContainsFunc(code.Instructions[:code.Count], func(in bytecode.Instruction) bool {
		return in.Op == bytecode.BALANCE || in.Op == bytecode.SELFBALANCE
	})
}

// waysOut lists the instructions that can send ether: SELFDESTRUCT, delegate
// calls, creations, and calls whose value is not a constant zero.
func waysOut(code *bytecode.Code) (list []lookahead.Target) {
	entered := constantJumps(code)
	for _, b := range code.Blocks {
		if int(b.First) >= code.Count {
			break
		}
		for i := b.First; i <= b.Last; i++ {
			switch code.Instructions[i].Op {
			case bytecode.SELFDESTRUCT, bytecode.DELEGATECALL, bytecode.CALLCODE, bytecode.CREATE, bytecode.CREATE2:
			case bytecode.CALL:
				if plainlyZero(code, b, int(i), entered) {
					continue
				}
			default:
				continue
			}
			list = append(list, lookahead.Target{PC: code.Instructions[i].PC})
		}
	}
	return list
}

// constantJumps maps the start of each block to the only block that jumps there
// by a constant pushed right before; blocks with several are absent.
func constantJumps(code *bytecode.Code) map[uint32]bytecode.BasicBlock {
	pushed, from := map[uint64]int{}, map[uint32]bytecode.BasicBlock{}
	for i, in := range code.Instructions[:code.Count] {
		var word uint256.Int
		if !bytecode.IsPush(in.Op) || !code.Push(i, &word).IsUint64() || !code.IsJumpdest(word.Uint64()) {
			continue
		}
		pushed[word.Uint64()]++
		b := code.Blocks[code.BlockOf(i)]
		if int(b.Last) == i+1 && (b.Flow == bytecode.Jumps || b.Flow == bytecode.Branches) {
			from[uint32(word.Uint64())] = b
		}
	}
	for pc, n := range pushed {
		if n > 1 {
			delete(from, uint32(pc))
		}
	}
	return from
}

// maxBack bounds the blocks before a call that are analyzed: compilers check
// there that the callee has code.
const maxBack = 3

// plainlyZero reports whether the call at index i of b has a constant value of
// zero.
func plainlyZero(code *bytecode.Code, b bytecode.BasicBlock, i int, entered map[uint32]bytecode.BasicBlock) bool {
	before := []bytecode.BasicBlock{}
	for at := b; len(before) < maxBack; {
		prev, ok := entered[at.Start]
		if !ok {
			break
		}
		before = append([]bytecode.BasicBlock{prev}, before...)
		at = prev
	}
	var stack constants
	for _, p := range before {
		stack.run(code, int(p.First), int(p.Last))
	}
	stack.run(code, int(b.First), i-1)
	value := stack.peek(2)
	return value != nil && value.IsZero()
}

// constants is a stack of words; nil if unknown.
type constants []*uint256.Int

// peek returns the nth word from the top.
func (s constants) peek(n int) *uint256.Int {
	if n >= len(s) {
		return nil
	}
	return s[len(s)-1-n]
}

// run executes the instructions from first to last.
func (s *constants) run(code *bytecode.Code, first, last int) {
	for i := first; i <= last; i++ {
		op := code.Instructions[i].Op
		info := bytecode.Ops[op]
		switch {
		case bytecode.IsPush(op):
			*s = append(*s, code.Push(i, new(uint256.Int)))
		case bytecode.IsDup(op):
			*s = append(*s, s.peek(int(op-bytecode.DUP1)))
		case bytecode.IsSwap(op):
			s.need(int(info.Pops))
			top, other := len(*s)-1, len(*s)-int(info.Pops)
			(*s)[top], (*s)[other] = (*s)[other], (*s)[top]
		default:
			s.need(int(info.Pops))
			*s = (*s)[:len(*s)-int(info.Pops)]
			*s = append(*s, make(constants, info.Pushes)...)
		}
	}
}

// need extends the stack to n words.
func (s *constants) need(n int) {
	if missing := n - len(*s); missing > 0 {
		*s = append(make(constants, missing), *s...)
	}
}
