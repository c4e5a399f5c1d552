package shadow

import (
	"leveret/engine/bytecode"
)

// A program is the static analysis of a code.
type program struct {
	code   *bytecode.Code
	pushes []ref    // by pc: the node of a push in the current transaction
	pushed []uint32 // pcs of pushes that are not 0
	after  []int    // by block: immediate post-dominator; nil: not computed yet
	g      graph    // of the block executed last
}

// A basicBlock is a basic block executed on symbolic words. It is valid until
// the next one is executed.
type basicBlock struct {
	g      *graph
	target int // destination block of its jump; exitBlock if unknown
	resume int // return block of an internal call; noBlock if it is none
	cond   ref // of its JUMPI
	pc     uint32
}

func newProgram(code *bytecode.Code) *program {
	return &program{code: code, pushes: make([]ref, len(code.Bytes))}
}

// remember records the node of a push.
func (p *program) remember(pc uint64, r ref) {
	if p.pushes[pc] == 0 {
		p.pushed = append(p.pushed, uint32(pc))
	}
	p.pushes[pc] = r
}

// forget drops the recorded pushes.
func (p *program) forget() {
	for _, pc := range p.pushed {
		p.pushes[pc] = 0
	}
	p.pushed = p.pushed[:0]
}

// execute runs a block on symbolic words.
func (p *program) execute(i int) *basicBlock {
	p.g.reset()
	x := &basicBlock{g: &p.g, target: exitBlock, resume: noBlock}
	var stack []ref
	need := func(n int) {
		for len(stack) < n {
			stack = append([]ref{x.g.add(node{op: opInput, aux: foreignWord})}, stack...)
		}
	}
	blk := p.code.Blocks[i]
	for at := int(blk.First); at <= int(blk.Last); at++ {
		in := p.code.Instructions[at]
		info := bytecode.Ops[in.Op]
		switch {
		case bytecode.IsPush(in.Op) && !p.code.Fixed(at):
			stack = append(stack, x.g.add(node{op: opInput, aux: foreignWord, pc: in.PC}))
		case bytecode.IsPush(in.Op):
			n := node{op: opConst, fixed: true, pc: in.PC}
			p.code.Push(at, &n.val)
			stack = append(stack, x.g.add(n))
		case in.Op >= bytecode.DUP1 && in.Op <= bytecode.DUP16:
			need(int(in.Op-bytecode.DUP1) + 1)
			stack = append(stack, stack[len(stack)-1-int(in.Op-bytecode.DUP1)])
		case in.Op >= bytecode.SWAP1 && in.Op <= bytecode.SWAP16:
			d := int(in.Op-bytecode.SWAP1) + 1
			need(d + 1)
			top := len(stack) - 1
			stack[top], stack[top-d] = stack[top-d], stack[top]
		default:
			need(int(info.Pops))
			stack = x.run(in, info, stack)
		}
	}
	p.leave(x, blk, stack)
	return x
}

// run executes an instruction that pops and pushes.
func (x *basicBlock) run(in bytecode.Instruction, info bytecode.Info, stack []ref) []ref {
	n := node{op: in.Op, pc: in.PC}
	switch {
	case info.Flow == bytecode.Calls && in.Op != bytecode.CREATE && in.Op != bytecode.CREATE2:
		n.op = opFlag
	case !info.Pure:
		n.op = opInput
		if in.Op == bytecode.MLOAD {
			n.aux = foreignWord
		}
	}
	top := len(stack)
	for i, dst := range [3]*ref{&n.a, &n.b, &n.c} {
		if i < int(info.Pops) {
			*dst = stack[top-1-i]
		}
	}
	if in.Op == bytecode.JUMP || in.Op == bytecode.JUMPI {
		x.pc, x.cond = in.PC, n.b
		return append(stack[:top-int(info.Pops)], n.a)
	}
	stack = stack[:top-int(info.Pops)]
	for range info.Pushes {
		if info.Pure {
			x.fold(&n, int(info.Pops))
		} else if width, ok := answers[in.Op]; ok {
			n.op, n.bytes = opSource, width
		}
		stack = append(stack, x.g.add(n))
	}
	return stack
}

// leave records the destination of a block's jump, which is still on top of the
// stack.
func (p *program) leave(x *basicBlock, blk bytecode.BasicBlock, stack []ref) {
	if blk.Flow != bytecode.Jumps && blk.Flow != bytecode.Branches || len(stack) == 0 {
		return
	}
	x.target = p.label(&x.g.nodes[stack[len(stack)-1]])
	if blk.Flow != bytecode.Jumps || x.target == exitBlock {
		return
	}
	for i := len(stack) - 2; i >= 0; i-- {
		if to := p.label(&x.g.nodes[stack[i]]); to != exitBlock {
			x.resume = to
			return
		}
	}
}

// label returns the block that starts at a constant; exitBlock if there is
// none.
func (p *program) label(n *node) int {
	if !n.fixed || !n.val.IsUint64() || !p.code.IsJumpdest(n.val.Uint64()) {
		return exitBlock
	}
	b, _ := p.code.BlockAt(n.val.Uint64())
	return b
}

// answers are the bytes that environment words can fill.
var answers = map[bytecode.Op]uint32{
	bytecode.CALLER: addressBytes, bytecode.ORIGIN: addressBytes, bytecode.ADDRESS: addressBytes, bytecode.COINBASE: addressBytes,
	bytecode.TIMESTAMP: 0xff, bytecode.NUMBER: 0xff, bytecode.GAS: 0xff, bytecode.GASLIMIT: 0xff,
	bytecode.CALLDATASIZE: 0xff, bytecode.RETURNDATASIZE: 0xff, bytecode.EXTCODESIZE: 0xff, bytecode.MSIZE: 0xff,
}

// folds are constant operations that compilers leave in the code, mostly masks.
var folds = map[bytecode.Op]bool{
	bytecode.ADD: true, bytecode.SUB: true, bytecode.MUL: true, bytecode.DIV: true, bytecode.EXP: true,
	bytecode.AND: true, bytecode.OR: true, bytecode.XOR: true, bytecode.NOT: true, bytecode.ISZERO: true,
	bytecode.SHL: true, bytecode.SHR: true, bytecode.SIGNEXTEND: true,
}

// fold evaluates a node with constant operands.
func (x *basicBlock) fold(n *node, pops int) {
	if !folds[n.op] || !x.g.nodes[n.a].fixed || pops > 1 && !x.g.nodes[n.b].fixed {
		return
	}
	a, b := x.g.nodes[n.a].val, x.g.nodes[n.b].val
	n.fixed = Compute(&n.val, n.op, &a, &b, nil)
}
