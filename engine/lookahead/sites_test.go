package lookahead

import (
	"leveret/engine/bytecode"
	"slices"

	"github.com/holiman/uint256"
)

// panicSelector is the selector of Panic(uint256), which solc raises since 0.8.
const panicSelector = 0x4e487b71

// panicAssert is the panic code of a failed assert.
const panicAssert = 0x01

// panicSites returns the starts of the basic blocks that raise a panic with the
// given code, in ascending order. If the compiler shares one routine among all
// panics, the sites are the blocks that jump to it unconditionally, one for each
// assertion.
func panicSites(c *bytecode.Code, number uint64) []uint32 {
	var sites []uint32
	for b := range c.Blocks {
		if c.Blocks[b].Start >= uint32(c.End) {
			break
		}
		if got, ok := raises(c, b); ok && got == number {
			sites = append(sites, leadsTo(c, b)...)
		}
	}
	slices.Sort(sites)
	return slices.Compact(sites)
}

// invalidSites returns the pcs of the INVALID instructions: assert and all other
// panics before solc 0.8.
func invalidSites(c *bytecode.Code) []uint32 {
	var sites []uint32
	for _, in := range c.Instructions[:c.Count] {
		if in.Op == bytecode.INVALID {
			sites = append(sites, in.PC)
		}
	}
	return sites
}

// raises returns the panic code that a block stores behind the selector of
// Panic(uint256).
func raises(c *bytecode.Code, b int) (number uint64, ok bool) {
	var v uint256.Int
	selector := false
	for i := c.Blocks[b].First; i <= c.Blocks[b].Last; i++ {
		op := c.Instructions[i].Op
		if !bytecode.IsPush(op) {
			continue
		}
		c.Push(int(i), &v)
		if v.IsUint64() && v.Uint64() == panicSelector || v[3] == panicSelector<<32 && v[0]|v[1]|v[2] == 0 {
			selector = true
		}
		// PUSH number, PUSH1 4, bytecode.MSTORE
		if i+2 <= c.Blocks[b].Last && c.Instructions[i+2].Op == bytecode.MSTORE && bytecode.IsPush(c.Instructions[i+1].Op) && v.IsUint64() {
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
func leadsTo(c *bytecode.Code, b int) []uint32 {
	var from []uint32
	for p := range c.Blocks {
		blk := &c.Blocks[p]
		if blk.Start >= uint32(c.End) || blk.Last == blk.First {
			continue
		}
		to, ok := c.Label(int(blk.Last) - 1)
		switch {
		case blk.Flow == bytecode.Jumps && ok && to == c.Blocks[b].Start:
			from = append(from, blk.Start)
		case blk.Flow == bytecode.Branches && ok && to == c.Blocks[b].Start,
			p+1 == b && (blk.Flow == bytecode.Branches || blk.Flow == bytecode.Next):
			return []uint32{c.Blocks[b].Start}
		}
	}
	if len(from) == 0 {
		return []uint32{c.Blocks[b].Start}
	}
	return from
}
