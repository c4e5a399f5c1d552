package lookahead

import (
	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
)

// A graph is the control flow graph without values: an over-approximation of
// the edges.
type graph struct {
	next    [][]int32 // successors of each block
	dynamic []bool    // blocks that may jump to any JUMPDEST
	calls   []bool    // blocks that open a frame
}

func newGraph(c *bytecode.Code) *graph {
	g := &graph{
		next:    make([][]int32, len(c.Blocks)),
		dynamic: make([]bool, len(c.Blocks)),
		calls:   make([]bool, len(c.Blocks)),
	}
	for b, blk := range c.Blocks {
		for i := blk.First; i <= blk.Last; i++ {
			if bytecode.Ops[c.Instructions[i].Op].Flow == bytecode.Calls {
				g.calls[b] = true
			}
		}
		if flow := blk.Flow; (flow == bytecode.Next || flow == bytecode.Branches) && b+1 < len(c.Blocks) {
			g.next[b] = append(g.next[b], int32(b+1))
		}
		if blk.Flow != bytecode.Jumps && blk.Flow != bytecode.Branches {
			continue
		}
		if blk.Last == blk.First || !bytecode.IsPush(c.Instructions[blk.Last-1].Op) {
			g.dynamic[b] = true
			continue
		}
		to := c.Push(int(blk.Last-1), new(uint256.Int))
		if to.IsUint64() && c.IsJumpdest(to.Uint64()) {
			block, _ := c.BlockAt(to.Uint64())
			g.next[b] = append(g.next[b], int32(block))
		}
	}
	return g
}

// reaching returns the blocks that may reach one of the goals, including the
// goals.
func (g *graph) reaching(c *bytecode.Code, goals []bool) []bool {
	back := make([][]int32, len(c.Blocks))
	for b, next := range g.next {
		for _, to := range next {
			back[to] = append(back[to], int32(b))
		}
	}
	reach := make([]bool, len(c.Blocks))
	var work []int32
	visit := func(b int32) {
		if !reach[b] {
			reach[b] = true
			work = append(work, b)
		}
	}
	for b, goal := range goals {
		if goal {
			visit(int32(b))
		}
	}
	jumped := false
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, from := range back[b] {
			visit(from)
		}
		if !jumped && c.Instructions[c.Blocks[b].First].Op == bytecode.JUMPDEST {
			jumped = true
			for from, dynamic := range g.dynamic {
				if dynamic {
					visit(int32(from))
				}
			}
		}
	}
	return reach
}
