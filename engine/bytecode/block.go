package bytecode

import (
	"iter"

	"github.com/holiman/uint256"
)

// A BasicBlock is a sequence of instructions that is entered at its first and
// left after its last one, except by calls, which return, and by halts.
type BasicBlock struct {
	Start, End  uint32 // pcs: of the first instruction, after the last
	First, Last int32  // indices in Code.Instructions, both inclusive
	Flow        Flow   // how execution leaves it: Next, Jumps, Branches or Ends
}

// split finds the basic blocks. Leaders are the first instruction, every
// JUMPDEST, and what follows an instruction that jumps, branches or ends.
func (c *Code) split() {
	c.block = make([]int32, len(c.Instructions))
	for i := 0; i < len(c.Instructions); {
		b := BasicBlock{Start: c.Instructions[i].PC, First: int32(i)}
		for {
			c.block[i] = int32(len(c.Blocks))
			flow := Ops[c.Instructions[i].Op].Flow
			if flow == Jumps || flow == Branches || flow == Ends {
				b.Flow = flow
				break
			}
			if i+1 == len(c.Instructions) || c.Instructions[i+1].Op == JUMPDEST {
				break
			}
			i++
		}
		b.Last = int32(i)
		b.End = min(c.Next(i), uint32(len(c.Bytes)))
		c.Blocks = append(c.Blocks, b)
		i++
	}
}

// BlockAt returns the index in Blocks of the block that contains the
// instruction at pc; false inside an immediate and beyond the code.
func (c *Code) BlockAt(pc uint64) (int, bool) {
	i, ok := c.InstructionAt(pc)
	if !ok {
		return 0, false
	}
	return int(c.block[i]), true
}

// BlockOf returns the index in Blocks of the block that contains the
// instruction at index i.
func (c *Code) BlockOf(i int) int { return int(c.block[i]) }

// findEnd sets End and Count. The code ends after the last block that can be
// entered by a pushed jump destination, and the contiguous blocks after it that
// look like code. Compilers separate data from the last block by STOP or
// INVALID. A block that is entered only through a function pointer in storage
// begins with JUMPDEST.
func (c *Code) findEnd() {
	last := c.reach()
	for b := last + 1; b < len(c.Blocks) && c.plausible(b); b++ {
		last = b
	}
	if last >= 0 {
		c.End = int(c.Blocks[last].End)
		c.Count = int(c.Blocks[last].Last) + 1
	}
}

// reach returns the index of the last block that can be entered; -1 if there is
// none.
func (c *Code) reach() int {
	if len(c.Blocks) == 0 {
		return -1
	}
	seen := make([]bool, len(c.Blocks))
	work := []int{0}
	seen[0] = true
	visit := func(b int) {
		if b < len(seen) && !seen[b] {
			seen[b] = true
			work = append(work, b)
		}
	}
	last := 0
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		last = max(last, b)
		if flow := c.Blocks[b].Flow; flow == Next || flow == Branches {
			visit(b + 1)
		}
		c.labels(b, visit)
	}
	return last
}

// labels calls visit with every block whose JUMPDEST is pushed in block b.
func (c *Code) labels(b int, visit func(int)) {
	for i := int(c.Blocks[b].First); i <= int(c.Blocks[b].Last); i++ {
		if pc, ok := c.Label(i); ok {
			visit(int(c.block[c.at[pc]]))
		}
	}
}

// Label returns the constant that the instruction at index i pushes if it is a
// valid jump destination. The constant can still be a plain number.
func (c *Code) Label(i int) (pc uint32, ok bool) {
	n := Ops[c.Instructions[i].Op].Immediate
	if n == 0 || n > 4 {
		return 0, false
	}
	var at uint64
	for _, b := range c.Immediate(i) {
		at = at<<8 | uint64(b)
	}
	return uint32(at), c.IsJumpdest(at)
}

// Pushes returns how many instructions push a valid jump destination.
func (c *Code) Pushes(pc uint64) (count int) {
	for i := range c.Instructions {
		if to, ok := c.Label(i); ok && uint64(to) == pc {
			count++
		}
	}
	return count
}

// JumpdestsOn yields the words of a stack, the top first, that are valid jump
// destinations: the return addresses of internal functions, and numbers that happen to
// equal one.
func (c *Code) JumpdestsOn(stack []uint256.Int) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		for i := len(stack) - 1; i >= 0; i-- {
			if w := &stack[i]; w.IsUint64() && c.IsJumpdest(w.Uint64()) && !yield(w.Uint64()) {
				return
			}
		}
	}
}

// plausible reports whether block b looks like compiled code.
func (c *Code) plausible(b int) bool {
	blk := c.Blocks[b]
	if c.Instructions[blk.First].Op != JUMPDEST || blk.Flow == Next && b+1 == len(c.Blocks) {
		return false
	}
	for _, in := range c.Instructions[blk.First : blk.Last+1] {
		if Ops[in.Op].Name == "" {
			return false
		}
	}
	return true
}
