package shadow

import (
	"leveret/engine/bytecode"
	"leveret/engine/evm"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Step is the Step hook. It mirrors one instruction.
func (o *Observer) Step(s *evm.Step) {
	if o.Truncated {
		return
	}
	f := o.top()
	o.finish(f, s)
	if len(o.g.nodes) > maxNodes || o.moved > maxMoved {
		o.Truncated = true
		return
	}
	op := s.Op
	switch {
	case op >= bytecode.PUSH0 && op <= bytecode.PUSH32:
		o.constant(f, s)
	case op >= bytecode.DUP1 && op <= bytecode.DUP16:
		f.push(f.peek(int(op - bytecode.DUP1)))
	case op >= bytecode.SWAP1 && op <= bytecode.SWAP16:
		top, other := len(f.stack)-1, len(f.stack)-2-int(op-bytecode.SWAP1)
		f.stack[top], f.stack[other] = f.stack[other], f.stack[top]
	case op == bytecode.POP:
		f.drop(1)
	case op == bytecode.JUMPDEST:
		o.merge(f, uint32(s.PC))
	case bytecode.Ops[op].Pure:
		o.compute(f, s)
	default:
		if o.moved += memoryTouched(s); o.moved > maxMoved {
			o.Truncated = true
			return
		}
		before := len(f.mem.cells)
		o.effect(f, s)
		o.moved += uint64(len(f.mem.cells) - before)
	}
}

// memoryTouched returns the number of bytes of memory that an instruction accesses
// beyond a word or two.
func memoryTouched(s *evm.Step) uint64 {
	end := func(offset, size int) uint64 {
		_, n := extent(s.Top(offset), s.Top(size))
		return n
	}
	switch s.Op {
	case bytecode.KECCAK256, bytecode.RETURN, bytecode.REVERT,
		bytecode.LOG0, bytecode.LOG1, bytecode.LOG2, bytecode.LOG3, bytecode.LOG4:
		return end(0, 1)
	case bytecode.CALLDATACOPY, bytecode.CODECOPY, bytecode.RETURNDATACOPY, bytecode.MCOPY:
		return end(0, 2)
	case bytecode.EXTCODECOPY:
		return end(1, 3)
	case bytecode.CREATE, bytecode.CREATE2:
		return end(1, 2)
	case bytecode.CALL, bytecode.CALLCODE:
		return end(3, 4) + end(5, 6)
	case bytecode.DELEGATECALL, bytecode.STATICCALL:
		return end(2, 3) + end(4, 5)
	}
	return 0
}

// constant mirrors a push. One node stands for all executions of a push under
// the same control dependences, except for 0 and 1, which may be selected
// booleans.
func (o *Observer) constant(f *frame, s *evm.Step) {
	p, pc := f.code, s.PC
	if r := p.pushes[pc]; r != 0 && o.g.nodes[r].control == f.control.set {
		f.push(r)
		f.pending = r // the frame that created it may have halted before it was settled
		return
	}
	n := node{op: opConst, fixed: true, pc: uint32(pc), frame: f.number, control: f.control.set}
	decision := s.Op == bytecode.PUSH0 || s.Op == bytecode.PUSH1 && pc+1 < uint64(len(p.code.Bytes)) && p.code.Bytes[pc+1] <= 1
	if decision {
		n.aux, n.strong = f.decider()
	}
	r := f.add(&o.g, n)
	if !decision {
		p.remember(pc, r)
	}
}

// add pushes a node whose value is on top of the stack at the next step.
func (f *frame) add(g *graph, n node) ref {
	r := g.add(n)
	f.push(r)
	f.pending = r
	return r
}

// compute mirrors an instruction whose result depends only on its operands.
func (o *Observer) compute(f *frame, s *evm.Step) {
	n := node{op: s.Op, pc: uint32(s.PC), frame: f.number}
	pops := int(bytecode.Ops[s.Op].Pops)
	for i, dst := range [3]*ref{&n.a, &n.b, &n.c} {
		if i < pops {
			*dst = f.peek(i)
		}
	}
	f.drop(pops)
	o.g.derive(&n, pops)
	n.control = o.g.sets.Union(n.control, f.control.set)
	r := f.add(&o.g, n)
	if o.Events.Arith != nil && o.g.arithmetic(&n) {
		o.arith = Arith{Site: f.site(s), A: Word{o, n.a}, B: Word{o, n.b}, Result: Word{o, r}}
		f.then = o.tellArith
	}
	if o.Events.Compared != nil && s.Op >= bytecode.LT && s.Op <= bytecode.EQ {
		o.Events.Compared(&Comparison{Site: f.site(s), A: Word{o, n.a}, B: Word{o, n.b}})
	}
}

// arithmetic reports whether a node is an event for Events.Arith.
func (g *graph) arithmetic(n *node) bool {
	switch n.op {
	case bytecode.ADD, bytecode.SUB, bytecode.MUL, bytecode.EXP, bytecode.SHL, bytecode.SIGNEXTEND:
		return true
	case bytecode.AND:
		a, b := &g.nodes[n.a], &g.nodes[n.b]
		return a.fixed && lowMask(&a.val) || b.fixed && lowMask(&b.val)
	}
	return false
}

// lowMask reports whether v is 2^n-1.
func lowMask(v *uint256.Int) bool {
	var next uint256.Int
	next.AddUint64(v, 1)
	return !v.IsZero() && next.And(&next, v).IsZero()
}

func (f *frame) site(s *evm.Step) Site {
	return Site{Frame: s.Frame, PC: s.PC, Op: s.Op, Control: f.control.set}
}

// answer pushes a word of the environment.
func (f *frame) answer(g *graph, s *evm.Step, data Set, bytes uint32) ref {
	return f.add(g, node{
		op: s.Op, pc: uint32(s.PC), frame: f.number,
		data: data, bytes: bytes, fixed: data == 0, control: f.control.set,
	})
}

// txConstant pushes an environment word that is constant within the transaction.
func (o *Observer) txConstant(f *frame, s *evm.Step, kind Kind, bytes uint32) {
	if r := o.once[s.Op]; r != 0 && o.Events.Asked == nil && o.g.nodes[r].control == f.control.set {
		f.push(r)
		f.pending = r
		return
	}
	o.once[s.Op] = f.answer(&o.g, s, o.inputs.source(kind), bytes)
	o.asked(f, s, o.once[s.Op])
}

// asked emits the event of a read environment word.
func (o *Observer) asked(f *frame, s *evm.Step, answer ref) {
	if o.Events.Asked != nil {
		event := &Asked{f.site(s), Word{o, answer}}
		f.then = func() { o.Events.Asked(event) }
	}
}

// about pushes an environment word selected by an operand: of an account, a
// block or a blob.
func (f *frame) about(g *graph, s *evm.Step, data Set, bytes uint32) ref {
	k := f.pop()
	r := f.answer(g, s, data, bytes)
	n, m := &g.nodes[r], &g.nodes[k]
	n.a, n.fixed = k, false
	n.index = g.sets.Union(m.data, m.index)
	n.control = g.sets.Union(n.control, m.control)
	return r
}

// balance returns the taint of an account's balance.
func (o *Observer) balance(a common.Address) Set {
	return o.g.sets.Union(o.inputs.of(TaintSource{Kind: FromBalance, Address: a}), o.balances[a])
}

// read pushes a word of 32 cells at a location selected by offset.
func (f *frame) read(g *graph, s *evm.Step, cells *[32]cell, offset ref) {
	r, fresh := g.assemble(cells)
	at := &g.nodes[offset]
	chosen := g.sets.Union(at.data, at.index)
	if chosen != 0 && chosen != g.nodes[r].index {
		n := node{op: opLoaded, a: r, b: offset, pc: uint32(s.PC), frame: f.number, index: chosen, control: at.control, aux: uint32(s.Op)}
		g.carry(&n, r)
		if fresh {
			b := g.bytesOf(cells)
			g.nodes[r].val.SetBytes32(b[:])
		}
		r, fresh = g.add(n), true
	}
	f.push(r)
	if fresh {
		f.pending = r
	}
}

// hash mirrors KECCAK256.
func (o *Observer) hash(f *frame, s *evm.Step) {
	cells := f.mem.slice(extent(s.Top(0), s.Top(1)))
	chosen := o.g.sets.Union(o.g.locationTaint(f.peek(0)), o.g.locationTaint(f.peek(1)))
	f.drop(2)
	u := o.g.union(cells)
	u.index = o.g.sets.Union(u.index, chosen)
	n := node{op: s.Op, pc: uint32(s.PC), frame: f.number, data: u.data, index: u.index, bytes: everywhere}
	n.control = o.g.sets.Union(u.control, f.control.set)
	if n.fixed = u.data == 0 && u.index == 0; n.data == 0 {
		n.bytes = 0
	}
	r := f.add(&o.g, n)
	site := f.site(s)
	f.then = func() {
		h := common.Hash(o.g.nodes[r].val.Bytes32())
		in := Bytes{o, cells}
		if len(o.hashes) < maxHashes && len(cells) <= maxPreimage {
			if _, known := o.hashes[h]; !known {
				o.hashed = append(o.hashed, h)
			}
			o.hashes[h] = Preimage{h, in}
			o.state.remember(h, in)
		}
		if o.Events.Keccak != nil {
			o.Events.Keccak(&Keccak{site, in, Word{o, r}})
		}
	}
}

// Limits of the table of preimages.
const (
	maxHashes   = 4096
	maxPreimage = 4096
)

// inRange returns an offset as a uint64; false if it does not fit.
func inRange(v *uint256.Int) (uint64, bool) { return v.Uint64(), v.IsUint64() }
