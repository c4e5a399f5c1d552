// Package bytecode is EVM code as data: instructions, basic blocks, jump
// sites, function selectors, constants and the compiler's metadata.
//
// It runs nothing and knows neither accounts nor sources nor search.
package bytecode

import (
	"slices"

	"github.com/holiman/uint256"
)

// An Instruction is one opcode with its pc. Its index in Code.Instructions is
// the one that source maps use.
type Instruction struct {
	PC uint32
	Op Op
}

// A Range is a range of bytes.
type Range struct{ Start, Length int }

// End returns the first position after the range.
func (r Range) End() int { return r.Start + r.Length }

// A Code is the static analysis of one piece of bytecode. It is immutable and
// safe for concurrent use.
type Code struct {
	Bytes        []byte        // the input; never changed
	Instructions []Instruction // of all Bytes, by linear sweep
	Blocks       []BasicBlock  // of all Instructions, in order
	Jumpis       []uint32      // pcs of the conditional jumps before End, ascending
	Metadata     []Range       // CBOR trailers with their length fields, also those of contained codes
	End          int           // first byte that is data, not code
	Count        int           // Instructions before End
	Free         []Range       // immediates of pushes that differ among the codes that this stands for

	at    []int32 // pc -> index in Instructions, -1 inside immediates
	block []int32 // index in Instructions -> index in Blocks
}

// New analyzes code. It accepts any bytes. In free ranges, immediates of pushes, the
// codes that it stands for have other bytes.
func New(code []byte, free ...Range) *Code {
	c := &Code{Bytes: code, Metadata: FindMetadata(code), Free: free}
	c.disassemble()
	c.split()
	c.findEnd()
	for _, in := range c.Instructions[:c.Count] {
		if in.Op == JUMPI {
			c.Jumpis = append(c.Jumpis, in.PC)
		}
	}
	return c
}

func (c *Code) disassemble() {
	c.Instructions = make([]Instruction, 0, len(c.Bytes)*2/3+1)
	c.at = make([]int32, len(c.Bytes))
	for pc := 0; pc < len(c.Bytes); {
		op := c.Bytes[pc]
		c.at[pc] = int32(len(c.Instructions))
		c.Instructions = append(c.Instructions, Instruction{uint32(pc), op})
		next := pc + 1 + int(Ops[op].Immediate)
		for pc++; pc < next && pc < len(c.Bytes); pc++ {
			c.at[pc] = -1
		}
	}
}

// InstructionAt returns the index in Instructions of the instruction at pc;
// false inside an immediate and beyond the code.
func (c *Code) InstructionAt(pc uint64) (int, bool) {
	if pc >= uint64(len(c.at)) || c.at[pc] < 0 {
		return 0, false
	}
	return int(c.at[pc]), true
}

// IsJumpdest reports whether a jump to pc is valid.
func (c *Code) IsJumpdest(pc uint64) bool {
	return pc < uint64(len(c.at)) && c.at[pc] >= 0 && c.Bytes[pc] == JUMPDEST
}

// Immediate returns the bytes that follow the opcode of the instruction at
// index i. At the end of the code they may be fewer than the opcode takes.
func (c *Code) Immediate(i int) []byte {
	start := int(c.Instructions[i].PC) + 1
	end := min(start+int(Ops[c.Instructions[i].Op].Immediate), len(c.Bytes))
	return c.Bytes[start:end]
}

// Push sets z to the word that the push at index i puts on the stack, and
// returns z. Immediates cut off by the end of the code read as zero bytes.
func (c *Code) Push(i int, z *uint256.Int) *uint256.Int {
	data := c.Immediate(i)
	z.SetBytes(data)
	if missing := uint(Ops[c.Instructions[i].Op].Immediate) - uint(len(data)); missing > 0 {
		z.Lsh(z, 8*missing)
	}
	return z
}

// Fixed reports whether the push at index i pushes the same word in all codes that
// c stands for.
func (c *Code) Fixed(i int) bool {
	start := int(c.Instructions[i].PC) + 1
	return !slices.ContainsFunc(c.Free, func(r Range) bool { return r.Start == start })
}

// Next returns the pc after the instruction at index i.
func (c *Code) Next(i int) uint32 {
	in := c.Instructions[i]
	return in.PC + 1 + uint32(Ops[in.Op].Immediate)
}
