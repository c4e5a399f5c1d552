package evm

import (
	"math"

	"github.com/ethereum/go-ethereum/core/vm"
)

// Instructions are counted per block, on entry: counting each one would require
// watching all of them. A frame that halts within a block has the whole block
// counted.

// blocks returns the number of instructions of each block by the pc of its
// first instruction, at most math.MaxUint16, and 0 at other pcs. Blocks start
// at the beginning of the code, at a JUMPDEST and after a JUMPI.
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

// ahead returns the size of the block at pc, 0 if unknown. For a block that
// starts with a JUMPDEST it returns 0 unless dest is set, which that
// instruction does.
func (c *Code) ahead(pc uint64, dest bool) int {
	if c == nil || pc >= uint64(len(c.blocks)) || !dest && pc < uint64(len(c.Bytes)) && vm.OpCode(c.Bytes[pc]) == vm.JUMPDEST {
		return 0
	}
	return int(c.blocks[pc])
}
