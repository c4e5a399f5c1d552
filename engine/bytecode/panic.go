package bytecode

import (
	"slices"

	"github.com/holiman/uint256"
)

// panicSelector is that of Panic(uint256), which solc raises since 0.8.
const panicSelector = 0x4e487b71

// PanicAssert is the panic code of a failed assert.
const PanicAssert = 0x01

// PanicSites returns where panics with the given code are raised, as pcs at
// which basic blocks begin, ascending. The compiler may raise all of them in
// one routine; what leads there by an unconditional jump is then the site,
// which tells the assertions of a source apart.
func (c *Code) PanicSites(number uint64) []uint32 {
	var sites []uint32
	for b := range c.Blocks {
		if c.Blocks[b].Start >= uint32(c.End) {
			break
		}
		if got, ok := c.raises(b); ok && got == number {
			sites = append(sites, c.leadsTo(b)...)
		}
	}
	slices.Sort(sites)
	return slices.Compact(sites)
}

// InvalidSites returns the pcs of the INVALID instructions in the code: what
// assert became before 0.8, with all other panics.
func (c *Code) InvalidSites() []uint32 {
	var sites []uint32
	for _, in := range c.Instructions[:c.Count] {
		if in.Op == INVALID {
			sites = append(sites, in.PC)
		}
	}
	return sites
}

// raises returns the panic code that a block stores behind the selector of
// Panic(uint256).
func (c *Code) raises(b int) (number uint64, ok bool) {
	var v uint256.Int
	selector := false
	for i := c.Blocks[b].First; i <= c.Blocks[b].Last; i++ {
		op := c.Instructions[i].Op
		if !IsPush(op) {
			continue
		}
		c.Push(int(i), &v)
		if v.IsUint64() && v.Uint64() == panicSelector || v[3] == panicSelector<<32 && v[0]|v[1]|v[2] == 0 {
			selector = true
		}
		// PUSH number, PUSH1 4, MSTORE
		if i+2 <= c.Blocks[b].Last && c.Instructions[i+2].Op == MSTORE && IsPush(c.Instructions[i+1].Op) && v.IsUint64() {
			var at uint256.Int
			if c.Push(int(i+1), &at); at.IsUint64() && at.Uint64() == 4 {
				number, ok = v.Uint64(), true
			}
		}
	}
	return number, ok && selector
}

// leadsTo returns the starts of the blocks that jump to block b and nowhere
// else, or of b itself if others enter it too.
func (c *Code) leadsTo(b int) []uint32 {
	var from []uint32
	for p := range c.Blocks {
		blk := &c.Blocks[p]
		if blk.Start >= uint32(c.End) || blk.Last == blk.First {
			continue
		}
		to, ok := c.Label(int(blk.Last) - 1)
		switch {
		case blk.Flow == Jumps && ok && to == c.Blocks[b].Start:
			from = append(from, blk.Start)
		case blk.Flow == Branches && ok && to == c.Blocks[b].Start,
			p+1 == b && (blk.Flow == Branches || blk.Flow == Next):
			return []uint32{c.Blocks[b].Start}
		}
	}
	if len(from) == 0 {
		return []uint32{c.Blocks[b].Start}
	}
	return from
}
