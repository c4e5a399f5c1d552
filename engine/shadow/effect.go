package shadow

import (
	"leveret/engine/bytecode"
	"leveret/engine/evm"

	"github.com/ethereum/go-ethereum/common"
)

// effect mirrors instructions with other effects than a result computed from
// operands.
func (o *Observer) effect(f *frame, s *evm.Step) {
	switch s.Op {
	case bytecode.JUMP:
		dest := f.pop()
		o.jump(f, s, dest)
	case bytecode.JUMPI:
		o.branch(f, s)
	case bytecode.MLOAD, bytecode.MSTORE, bytecode.MSTORE8, bytecode.CALLDATALOAD,
		bytecode.CALLDATACOPY, bytecode.CODECOPY, bytecode.EXTCODECOPY, bytecode.RETURNDATACOPY, bytecode.MCOPY:
		o.move(f, s)
	case bytecode.KECCAK256:
		o.hash(f, s)
	case bytecode.SLOAD, bytecode.TLOAD, bytecode.SSTORE, bytecode.TSTORE:
		o.access(f, s)
	case bytecode.CALL, bytecode.CALLCODE, bytecode.DELEGATECALL, bytecode.STATICCALL, bytecode.CREATE, bytecode.CREATE2:
		o.beginCall(f, s)
	case bytecode.RETURN, bytecode.REVERT, bytecode.SELFDESTRUCT,
		bytecode.LOG0, bytecode.LOG1, bytecode.LOG2, bytecode.LOG3, bytecode.LOG4:
		o.sink(f, s)
	default:
		o.environment(f, s)
	}
}

// move mirrors instructions that copy bytes.
func (o *Observer) move(f *frame, s *evm.Step) {
	switch s.Op {
	case bytecode.MLOAD:
		offset := f.pop()
		at := s.Top(0).Uint64()
		f.mem.grow(at + 32)
		f.read(&o.g, s, (*[32]cell)(f.mem.cells[at:]), offset)
	case bytecode.CALLDATALOAD:
		offset := f.pop()
		at, ok := inRange(s.Top(0))
		cells := word(f.calldata, at, ok)
		f.read(&o.g, s, &cells, offset)
	case bytecode.MSTORE:
		f.mem.store(&o.g, s.Top(0).Uint64(), f.peek(1))
		f.drop(2)
	case bytecode.MSTORE8:
		at := s.Top(0).Uint64()
		f.mem.grow(at + 1)
		f.mem.cells[at] = o.g.cell(f.peek(1), 31)
		f.drop(2)
	case bytecode.EXTCODECOPY:
		offset, size := extent(s.Top(1), s.Top(3))
		o.opaque(f, offset, size, o.inputs.of(TaintSource{Kind: FromCode, Address: common.Address(s.Top(0).Bytes20())}))
		f.drop(4)
	default:
		o.copy(f, s)
	}
}

// copy mirrors instructions with operands (destination, source, size).
func (o *Observer) copy(f *frame, s *evm.Step) {
	dst, size := extent(s.Top(0), s.Top(2))
	at, ok := inRange(s.Top(1))
	chosen := o.g.sets.Union(o.g.locationTaint(f.peek(1)), o.g.locationTaint(f.peek(2)))
	f.drop(3)
	if size == 0 {
		return
	}
	var src []cell
	switch s.Op {
	case bytecode.CALLDATACOPY:
		src = from(f.calldata, at, ok)
	case bytecode.RETURNDATACOPY:
		src = from(f.returned, at, ok)
	case bytecode.MCOPY:
		src = f.mem.slice(at, size)
	case bytecode.CODECOPY:
		if src = from(f.initcode, at, ok); f.initcode == nil {
			src = codeCells(&o.g, f.code.code.Bytes, at, size, ok)
		}
	}
	f.mem.copyIn(dst, size, src[:min(uint64(len(src)), size)])
	o.index(f, dst, size, chosen)
}

// locationTaint returns the taint of a word used as a location or length.
func (g *graph) locationTaint(r ref) Set {
	n := &g.nodes[r]
	return g.sets.Union(n.data, n.index)
}

// index records what selected the bytes in a range of memory.
func (o *Observer) index(f *frame, offset, size uint64, why Set) {
	if why == 0 || size == 0 || o.full(size) {
		return
	}
	o.g.rewrap(f.mem.cells[offset:offset+size], f.mem.cells[offset:offset+size], func(old ref) ref {
		n := node{op: opLoaded, a: old, val: o.g.nodes[old].val, index: why}
		o.g.carry(&n, old)
		return o.g.add(n)
	})
}

// full ends the tracking of the transaction if words for so many bytes exceed the limit.
func (o *Observer) full(size uint64) bool {
	if uint64(len(o.g.nodes))+size/32 > maxNodes {
		o.Truncated = true
	}
	return o.Truncated
}

// rewrap writes the cells of src to dst as bytes of other words, one new word
// per word.
func (g *graph) rewrap(dst, src []cell, other func(ref) ref) {
	if g.round++; g.round == 0 { // what is remembered of old rounds could look current
		clear(g.wraps)
		g.round = 1
	}
	var last, now ref
	for i, c := range src {
		if r := c.ref(); i == 0 || r != last {
			now, last = g.wrapped(r, other), r
		}
		dst[i] = makeCell(now, c.pos())
	}
}

// wrapped returns the new word for a word, which it makes once in a round.
func (g *graph) wrapped(r ref, other func(ref) ref) ref {
	if n := len(g.nodes); len(g.wraps) < n {
		g.wraps = append(g.wraps, make([]wrap, n-len(g.wraps))...)
	}
	if w := &g.wraps[r]; w.round == g.round {
		return w.to
	}
	to := other(r)
	g.wraps[r] = wrap{g.round, to}
	return to
}

// A wrap is the new word that rewrap made for a word in a round.
type wrap struct {
	round uint32
	to    ref
}

// codeCells creates words for a range of the running code.
func codeCells(g *graph, code []byte, at, size uint64, inRange bool) []cell {
	if !inRange || at >= uint64(len(code)) {
		return nil
	}
	code = code[at:min(at+size, uint64(len(code)))]
	cells := make([]cell, 0, len(code))
	for i := 0; i < len(code); i += 32 {
		b := code[i:min(i+32, len(code))]
		r := g.add(chunk(b, 0))
		for j := range b {
			cells = append(cells, makeCell(r, j))
		}
	}
	return cells
}

// opaque writes words of one TaintSource whose values are in memory at the next
// step.
func (o *Observer) opaque(f *frame, offset, size uint64, data Set) {
	if size == 0 || o.full(size) {
		return
	}
	f.copied = copied{offset, size, ref(len(o.g.nodes))}
	cells := make([]cell, size)
	for at := range cells {
		if at%32 == 0 {
			o.g.add(node{op: opSource, data: data, bytes: everywhere})
		}
		cells[at] = makeCell(ref(len(o.g.nodes)-1), at%32)
	}
	f.mem.copyIn(offset, size, cells)
}

// access mirrors storage and transient storage.
func (o *Observer) access(f *frame, s *evm.Step) {
	key := f.pop()
	event := &Access{Site: f.site(s), Slot: Word{o, key}}
	event.Transient = s.Op == bytecode.TLOAD || s.Op == bytecode.TSTORE
	if s.Op == bytecode.SLOAD || s.Op == bytecode.TLOAD {
		r := o.load(f, s.Op, key, s.PC)
		f.push(r)
		f.pending = r
		if o.Events.Load != nil {
			event.Value = Word{o, r}
			f.then = func() { o.Events.Load(event) }
		}
		return
	}
	value := f.pop()
	if s.Frame.Kind == evm.FrameStaticCall {
		return
	}
	o.store(f.slot(&o.g.nodes[key].val), event.Transient, value)
	if o.Events.Store != nil {
		event.Value = Word{o, value}
		o.Events.Store(event)
	}
}

// sink mirrors instructions that pass words out of the frame.
func (o *Observer) sink(f *frame, s *evm.Step) {
	switch s.Op {
	case bytecode.RETURN, bytecode.REVERT:
		f.out, f.outSize = f.mem.slice(extent(s.Top(0), s.Top(1))), f.peek(1)
		f.drop(2)
		if s.Op == bytecode.RETURN {
			o.returns(f)
		}
		if o.Events.Return != nil {
			o.Events.Return(&Return{f.site(s), Bytes{o, f.out}})
		}
	case bytecode.SELFDESTRUCT:
		to := f.pop()
		if o.Events.SelfDestruct != nil {
			o.Events.SelfDestruct(&SelfDestruct{f.site(s), Word{o, to}})
		}
	default:
		if o.Events.Log != nil {
			event := &Log{Site: f.site(s), Data: Bytes{o, f.mem.slice(extent(s.Top(0), s.Top(1)))}}
			for i := range int(s.Op - bytecode.LOG0) {
				event.Topics = append(event.Topics, Word{o, f.peek(2 + i)})
			}
			o.Events.Log(event)
		}
		f.drop(int(bytecode.Ops[s.Op].Pops))
	}
}

// jump emits the event of a jump.
func (o *Observer) jump(f *frame, s *evm.Step, dest ref) {
	if o.Events.Jump != nil {
		o.jumped = Jump{f.site(s), Word{o, dest}}
		o.Events.Jump(&o.jumped)
	}
}
