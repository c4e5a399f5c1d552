package evm

import (
	"math"

	"github.com/ethereum/go-ethereum/core/vm"
)

// Instructions are counted a block at a time, when the block is entered: to
// count them one by one they would all have to be watched. A frame that halts
// in the middle of a block has all of it counted.

// blocks returns, by the pc of a block's first instruction, how many
// instructions the block has, at most math.MaxUint16. Blocks begin where the
// code does, at a JUMPDEST and after a JUMPI. Where nothing begins there is 0.
func blocks(code []byte) []uint16 {
	sizes := make([]uint16, len(code)+1)
	first := 0
	for pc := 0; pc < len(code); pc++ {
		op := vm.OpCode(code[pc])
		if op == vm.JUMPDEST {
			first = pc
		}
		if sizes[first] < math.MaxUint16 {
			sizes[first]++
		}
		switch {
		case op == vm.JUMPI:
			first = pc + 1
		case op.IsPush() && op != vm.PUSH0:
			pc += int(op - vm.PUSH0)
		}
	}
	return sizes
}

// ahead returns the size of the block at pc, 0 if none is known. It is 0 for
// one that begins with a JUMPDEST, unless that instruction is the one that asks.
func (c *Code) ahead(pc uint64, dest bool) int {
	if c == nil || pc >= uint64(len(c.blocks)) || !dest && pc < uint64(len(c.Bytes)) && vm.OpCode(c.Bytes[pc]) == vm.JUMPDEST {
		return 0
	}
	return int(c.blocks[pc])
}
