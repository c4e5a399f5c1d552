package shadow

import (
	"leveret/engine/bytecode"
	"leveret/engine/evm"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Precompiles with special handling.
var (
	ecrecover = common.Address{19: 1}
	identity  = common.Address{19: 4}
)

// beginCall mirrors an instruction that opens a frame: it pops the operands and
// pushes the result.
func (o *Observer) beginCall(f *frame, s *evm.Step) {
	number := o.calls
	o.calls++
	c := &f.call
	*c = inflight{op: s.Op, pc: s.PC, number: number}
	switch s.Op {
	case bytecode.CREATE, bytecode.CREATE2:
		c.value = f.peek(0)
		c.size = f.peek(2)
		c.args = f.mem.slice(extent(s.Top(1), s.Top(2)))
		f.drop(int(bytecode.Ops[s.Op].Pops))
	case bytecode.CALL, bytecode.CALLCODE:
		c.value = f.peek(2)
		f.departCall(s, 3)
	default:
		f.departCall(s, 2)
	}
	o.emitCall(f, s)
	c.result = o.g.add(f.callResult(&o.g, o.inputs.of(TaintSource{Kind: FromCallResult, Offset: c.number})))
	f.push(c.result)
	f.pending, f.calling = c.result, true
	f.returned = nil
}

func (f *frame) departCall(s *evm.Step, in int) {
	c := &f.call
	c.gas, c.to = f.peek(0), f.peek(1)
	c.size = f.peek(in + 1)
	c.args = f.mem.slice(extent(s.Top(in), s.Top(in+1)))
	c.offset, c.room = extent(s.Top(in+2), s.Top(in+3))
	if c.room > 0 {
		f.mem.grow(c.offset + c.room)
	}
	f.drop(int(bytecode.Ops[s.Op].Pops))
}

// callResult is the node of a call's result: the flag is a TaintSource of its own, with
// the Set own; target, value and data decide whether the call can succeed.
func (f *frame) callResult(g *graph, own Set) node {
	c := &f.call
	n := node{op: opFlag, pc: uint32(c.pc), frame: f.number, data: own, bytes: 1, a: c.to, b: c.value}
	if c.op == bytecode.CREATE || c.op == bytecode.CREATE2 {
		n.op, n.bytes = opSource, addressBytes
	}
	args := g.union(c.args)
	n.index = g.sets.Union(args.data, args.index)
	n.control = g.sets.Union(args.control, f.control.set)
	for _, r := range [2]ref{c.to, c.value} {
		m := &g.nodes[r]
		n.index = g.sets.Union(n.index, g.sets.Union(m.data, m.index))
		n.control = g.sets.Union(n.control, m.control)
	}
	return n
}

// emitCall emits the event of a call.
func (o *Observer) emitCall(f *frame, s *evm.Step) {
	c := &f.call
	c.event = Call{
		Site: f.site(s), Number: c.number,
		Target: Word{o, c.to}, Value: Word{o, c.value}, Gas: Word{o, c.gas}, Result: Word{o, 0},
		Args: Bytes{o, c.args},
	}
	if o.Events.Call != nil {
		o.Events.Call(&c.event)
	}
}

// enterCall passes the caller's words to the callee.
func (o *Observer) enterCall(f, parent *frame, live *evm.Frame) {
	c := &parent.call
	if live.Kind == evm.FrameSelfDestruct {
		return
	}
	if !live.Value.IsZero() && live.Kind != evm.FrameDelegateCall {
		o.pay(live.From, live.To, o.g.nodes[c.value].data)
	}
	f.calldata, f.size, f.value = c.args, c.size, c.value
	f.caller = parent.self
	f.control.set = parent.control.set
	switch live.Kind {
	case evm.FrameDelegateCall:
		f.caller, f.value = parent.caller, parent.value
	case evm.FrameCreate, evm.FrameCreate2:
		f.initcode, f.calldata, f.size = c.args, nil, 0
	}
	c.precompile = live.Code == nil
}

// endCall passes the callee's return data to the caller.
func (o *Observer) endCall(f, callee *frame, live *evm.Frame, status evm.Status, ret []byte) {
	c := &f.call
	cells := callee.out
	c.outSize = callee.outSize
	switch {
	case status == evm.Halt || len(ret) == 0:
		cells = nil
	case live.Code == nil:
		cells = precompiled(&o.g, live.To, c.args, ret)
	}
	create := live.Kind == evm.FrameCreate || live.Kind == evm.FrameCreate2
	if create && status == evm.Success {
		cells = nil
	}
	if c.precompile && live.To == ecrecover && len(c.args) > 0 {
		o.recovered(c, ret)
	}
	f.returned = o.wrap(cells, o.inputs.of(TaintSource{Kind: FromReturnData, Offset: c.number}))
}

// wrap adds a TaintSource to every word of cells.
func (o *Observer) wrap(cells []cell, own Set) []cell {
	if o.full(uint64(len(cells))) {
		return nil
	}
	out := make([]cell, len(cells))
	o.g.rewrap(out, cells, func(old ref) ref { return o.g.returnedWord(old, own) })
	return out
}

// returnedWord is a word of the callee that the caller learns from its return data.
func (g *graph) returnedWord(old ref, own Set) ref {
	n := node{op: opReturned, a: old, val: g.nodes[old].val}
	g.carry(&n, old)
	by := n.parts(g)
	for i := range by {
		by[i] = g.sets.Union(by[i], own)
	}
	g.spread(&n, &by)
	n.fixed = false
	return g.add(n)
}

// precompiled creates words for the return data of a contract without code.
func precompiled(g *graph, to common.Address, in []cell, ret []byte) []cell {
	if to == identity && len(ret) == len(in) {
		return in
	}
	args := g.union(in)
	cells := make([]cell, 0, len(ret))
	for at := 0; at < len(ret); at += 32 {
		b := ret[at:min(at+32, len(ret))]
		n := chunk(b, args.data)
		n.index, n.control = args.index, args.control
		r := g.add(n)
		for i := range b {
			cells = append(cells, makeCell(r, i))
		}
	}
	return cells
}

// recovered records a call of ecrecover.
func (o *Observer) recovered(c *inflight, ret []byte) {
	args := Bytes{o, c.args}
	o.Recoveries = append(o.Recoveries, Recovery{
		Digest: args.Word(0), V: args.Word(32), R: args.Word(64), S: args.Word(96),
		Result: common.BytesToAddress(ret),
	})
}

// copyReturn mirrors the return data that a call writes to its frame's memory. The
// result itself is finish's.
func (o *Observer) copyReturn(f *frame, s *evm.Step) {
	f.calling = false
	c := &f.call
	n := min(c.room, uint64(len(f.returned)))
	if n > 0 {
		f.mem.copyIn(c.offset, n, f.returned[:n])
	}
	o.index(f, c.offset+n, c.room-n, o.inputs.shortness(c)) // unchanged only because the return data was shorter
	if o.Events.Returned == nil {
		return
	}
	f.then = func() {
		c.event.Result, c.event.Data = Word{o, c.result}, Bytes{o, f.returned}
		o.Events.Returned(&c.event)
	}
}

// shortness returns what determines the length of a call's return data. For a
// precompile that is its input, because it runs no code.
func (in *inputs) shortness(c *inflight) Set {
	why := in.of(TaintSource{Kind: FromReturnData, Offset: c.number})
	if c.precompile {
		args := in.g.union(c.args)
		why = in.g.sets.Union(why, in.g.sets.Union(args.data, args.index))
	}
	return why
}

// extent returns a range of memory; an empty one has offset 0, regardless of
// the stack.
func extent(offset, size *uint256.Int) (uint64, uint64) {
	if size.IsZero() {
		return 0, 0
	}
	return offset.Uint64(), size.Uint64()
}
