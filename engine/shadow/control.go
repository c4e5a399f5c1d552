package shadow

import (
	"encoding/binary"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
	"leveret/engine/evm"
)

// controls are the branches on which the current instruction of a frame is
// control dependent: those whose immediate post-dominator was not reached yet.
type controls struct {
	stack   []region
	set     Set // sources of their conditions and of those of the callers
	forever Set // sources of branches that have no post-dominator before the end of the frame
	merged  int // latest branch whose region ended; index in Observer.log
	when    ref // first node created after that
}

// A region is the code that is control dependent on a branch.
type region struct {
	until  uint32 // pc of its end
	before Set    // controls.set at its start
	branch int    // index in Observer.log
}

// A branch is an executed JUMPI.
type branch struct {
	cond  ref
	pc    uint32
	taken bool
}

// A site is an outcome of a JUMPI, or of a returned boolean.
type site struct {
	code  *evm.Code
	pc    uint64
	taken bool
}

// maxOccurrences bounds the Decisions of one outcome of a site.
const maxOccurrences = 8

// A Decision is an executed JUMPI, one of the first few with the same outcome, or a
// boolean that a frame returned; see returns.
type Decision struct {
	Code      *evm.Code
	PC        uint64         // of the JUMPI; else a ReturnPC
	Frame     int            // index within the transaction
	Number    int            // of the JUMPI, or of the one that follows, within the transaction, from 1
	Self      common.Address // account whose storage is used
	Caller    uint64         // hash of the called function and of the return addresses on the stack; 0 for a returned boolean
	Taken     bool
	Cond      Word
	Control   Set // what the execution of the JUMPI depends on
	Condition *Condition
}

// branch mirrors a JUMPI.
func (o *Observer) branch(f *frame, s *evm.Step) {
	dest, cond := f.peek(0), f.peek(1)
	taken := !s.Top(1).IsZero()
	f.drop(2)
	if o.Events.Branch != nil {
		o.Events.Branch(&Branch{f.site(s), Word{o, cond}, taken})
	}
	if taken {
		o.jump(f, s, dest)
	}
	o.decide(f, s.PC, s.Stack[:len(s.Stack)-2], cond, taken)
	f.branches = len(o.log)
	o.log = append(o.log, branch{cond, uint32(s.PC), taken})
	f.enclose(&o.g, uint32(s.PC), cond)
}

// decide records the condition of a branch. stack is what is on the stack behind it.
func (o *Observer) decide(f *frame, pc uint64, stack []uint256.Int, cond ref, taken bool) {
	at := site{f.live.Code, pc, taken}
	if o.seen[at] >= maxOccurrences {
		return
	}
	condition := o.condition(f, cond, pc)
	if returned(pc) && !condition.compares() {
		return
	}
	o.seen[at]++
	d := Decision{
		Code: f.live.Code, PC: pc, Frame: f.live.Number, Number: len(o.log), Self: f.live.Self, Caller: f.calledFrom(stack), Taken: taken,
		Cond: Word{o, cond}, Control: f.control.set, Condition: condition,
	}
	o.Branches = append(o.Branches, d)
	if o.Resolver != nil {
		o.Resolver.Learn(&d)
	}
}

// calledFrom returns Decision.Caller.
func (f *frame) calledFrom(stack []uint256.Int) (hash uint64) {
	if stack == nil {
		return 0
	}
	if len(f.live.Input) >= 4 {
		hash = uint64(binary.BigEndian.Uint32(f.live.Input))
	}
	for to := range f.code.code.JumpdestsOn(stack) {
		hash = (hash + to) * 0x9e3779b97f4a7c15
	}
	return hash
}

// condition builds the Condition of the JUMPI at pc from its operand.
func (o *Observer) condition(f *frame, cond ref, pc uint64) *Condition {
	b := builder{g: &o.g, o: o}
	return b.build(cond, OperandPlace{PC: pc, Frame: int(f.number), Operand: 1}, termDepth)
}

// enclose opens the region of a branch.
func (f *frame) enclose(g *graph, pc uint32, cond ref) {
	n := &g.nodes[cond]
	c := &f.control
	set := g.sets.Union(n.data, g.sets.Union(n.index, n.control))
	until, ok := f.code.merge(pc)
	switch {
	case !ok:
		c.forever = g.sets.Union(c.forever, set)
	case len(c.stack) > 0 && c.stack[len(c.stack)-1].until == until:
		c.stack[len(c.stack)-1].branch = f.branches
	default:
		c.stack = append(c.stack, region{until, c.set, f.branches})
	}
	c.set = g.sets.Union(c.set, set)
}

// merge closes the regions that end at pc.
func (o *Observer) merge(f *frame, pc uint32) {
	c := &f.control
	for i := len(c.stack) - 1; i >= 0; i-- {
		o.moved++
		if r := c.stack[i]; r.until == pc {
			c.set = o.g.sets.Union(r.before, c.forever)
			c.merged, c.when = r.branch, ref(len(o.g.nodes))
			c.stack = c.stack[:i]
			return
		}
	}
}

// Values of jumpTarget besides blocks: static results for the end of a block.
const (
	noBlock   = -1
	exitBlock = -2
)

// merge returns the pc at which the region of the JUMPI at pc ends; false if
// that is the end of its function or frame.
func (p *program) merge(pc uint32) (uint32, bool) {
	if p.after == nil {
		p.after = postDominators(p.edges())
	}
	b, ok := p.code.BlockAt(uint64(pc))
	if !ok || p.after[b] < 0 {
		return 0, false
	}
	return p.code.Blocks[p.after[b]].Start, true
}

// edges returns the successors of every block within its function. A call of an
// internal function, which is a jump that leaves a return address on the stack,
// is an edge to that address; a jump to an unknown destination is a return.
func (p *program) edges() [][]int {
	out := make([][]int, len(p.code.Blocks))
	for i := range p.code.Blocks {
		out[i] = p.successors(i)
	}
	return out
}

func (p *program) successors(b int) []int {
	blk := p.code.Blocks[b]
	x := p.execute(b)
	next := exitBlock
	if b+1 < len(p.code.Blocks) {
		next = b + 1
	}
	switch blk.Flow {
	case bytecode.Jumps:
		if x.resume != noBlock {
			return []int{x.resume}
		}
		return []int{x.target}
	case bytecode.Branches:
		return []int{next, x.target}
	case bytecode.Ends:
		return []int{exitBlock}
	}
	return []int{next}
}
