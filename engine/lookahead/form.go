package lookahead

import (
	"slices"

	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
)

// Reaches reports whether calls may reach a target in their own code. It
// approximates Distances at a fraction of the cost: it follows only constants
// in the code and return addresses on the stack. It misses internal functions
// called through memory or storage, so it can guide the search but proves
// nothing.
func (a *Analyzer) Reaches(code int, calls Calls) bool {
	p := a.program(code)
	if p == nil {
		return true
	}
	if p.forms == nil {
		p.forms = p.formsTo(p.goals)
	}
	a.flow.nodes.reset()
	f := a.machineFor(p)
	f.relevant, f.near, f.bounds, f.forms = nil, nil, distanceBounds, p.forms
	f.harmless = func(*machine, bytecode.Op, wordID) bool { return true }
	s := &state{returned: f.number(0)}
	f.restrict(s, calls)
	f.start(0, s)
	reason := f.run()
	a.Stats.Steps += f.steps
	return reason != Unreachable
}

// formsTo returns the blocks that can reach one of the goals if a block is
// followed by the next one and by all blocks whose addresses it contains.
func (p *program) formsTo(goals []bool) []bool {
	back := make([][]int32, len(goals))
	for b, blk := range p.code.Blocks {
		for _, to := range p.graph.next[b] {
			back[to] = append(back[to], int32(b))
		}
		for i := blk.First; i <= blk.Last; i++ {
			if !bytecode.IsPush(p.code.Instructions[i].Op) {
				continue
			}
			if to := p.code.Push(int(i), new(uint256.Int)); to.IsUint64() && p.code.IsJumpdest(to.Uint64()) {
				block, _ := p.code.BlockAt(to.Uint64())
				back[block] = append(back[block], int32(b))
			}
		}
	}
	forms := slices.Clone(goals)
	var work []int32
	for b, goal := range goals {
		if goal {
			work = append(work, int32(b))
		}
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, from := range back[b] {
			if !forms[from] {
				forms[from] = true
				work = append(work, from)
			}
		}
	}
	return forms
}

// hopeless reports whether neither the form of a block nor a return address
// reaches a target.
func (f *flow) hopeless(block int, s *state) bool {
	if f.forms == nil || f.forms[block] {
		return false
	}
	return !slices.ContainsFunc(s.stack, func(w wordID) bool {
		v := f.value(w)
		if v == nil || !v.IsUint64() || !f.code.IsJumpdest(v.Uint64()) {
			return false
		}
		to, _ := f.code.BlockAt(v.Uint64())
		return f.forms[to]
	})
}
