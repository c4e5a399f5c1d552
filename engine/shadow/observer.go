package shadow

import (
	"leveret/engine/evm"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// An Observer tracks taint through transactions, one at a time, on one
// goroutine. The results for a transaction are valid until the next one starts.
type Observer struct {
	Events   Events         // may be changed between transactions
	Layout   []Span         // of the next transaction's calldata, by offset; none: the selector, then words
	Resolver *Resolver      // learns from every JUMPI; may be nil
	Script   common.Address // an account whose storage is part of each transaction; zero: none

	Branches   []Decision // conditions of the latest transaction, in order of execution
	Recoveries []Recovery // calls of ecrecover
	Truncated  bool       // the transaction was too long to be tracked to its end; the State lacks later writes
	Desyncs    int        // words that the mirror lost; not 0 only by a defect

	buffers
	reused
	state    *State
	depth    int // number of open frames
	programs map[*evm.Code]*program

	writes
	preimages
	translation
	once  [256]ref // nodes of opcodes with a constant result
	calls uint64
	marks uint64
	moved uint64 // see maxMoved
	log   []branch
	seen  map[site]uint8
}

// The reused are the latest events of kinds that are valid only during their callback.
type reused struct {
	arith     Arith // its result is known at the next step
	tellArith func()
	jumped    Jump
}

// The writes are the taint of what the latest transaction wrote.
type writes struct {
	storage   map[stateSlot]written
	transient map[stateSlot]ref
	balances  map[common.Address]Set // of balance changes
	journal   []undo
}

// The preimages are of the hashes that the latest transaction computed.
type preimages struct {
	hashes map[common.Hash]Preimage
	hashed []common.Hash // keys of hashes, in order
}

// A translation says which Expressions nodes of the latest transaction have.
type translation struct {
	expressed map[ref]Expr
	earlier   map[ref]Expr // by node of a storage word, what an earlier transaction stored
}

// New returns an Observer that updates state.
func New(state *State) *Observer {
	o := &Observer{
		programs: map[*evm.Code]*program{}, seen: map[site]uint8{},
		writes:      writes{storage: map[stateSlot]written{}, transient: map[stateSlot]ref{}, balances: map[common.Address]Set{}},
		preimages:   preimages{hashes: map[common.Hash]Preimage{}},
		translation: translation{map[ref]Expr{}, map[ref]Expr{}},
		buffers:     newBuffers(state.Sets),
	}
	o.tellArith = func() { o.Events.Arith(&o.arith) }
	o.Attach(state)
	return o
}

// Attach switches the Observer to another State.
func (o *Observer) Attach(state *State) {
	o.state = state
	o.g.sets = state.Sets
}

// State returns the State that the Observer updates.
func (o *Observer) State() *State { return o.state }

// Sets returns the Sets of all Words of the Observer.
func (o *Observer) Sets() *Sets { return o.state.Sets }

// Hooks returns the hooks for a transaction.
func (o *Observer) Hooks() *evm.Hooks {
	return &evm.Hooks{Step: o.Step, Enter: o.Enter, Exit: o.Exit}
}

// Preimage returns the preimage of hash in the latest transaction, with its
// taint.
func (o *Observer) Preimage(hash common.Hash) (Preimage, bool) {
	p, ok := o.hashes[hash]
	return p, ok
}

// Preimages calls yield with every computed hash, in order of its first
// computation.
func (o *Observer) Preimages(yield func(Preimage) bool) {
	for _, h := range o.hashed {
		if !yield(o.hashes[h]) {
			return
		}
	}
}

// Mark makes a word a TaintSource: its occurrence in later Sets shows where the
// word flowed.
func (o *Observer) Mark(w Word) TaintSource {
	s := TaintSource{Kind: FromMark, Tx: o.state.Txs - 1, Offset: o.marks}
	o.marks++
	n := w.node()
	set := o.g.sets.Of(s)
	by := n.parts(&o.g)
	for i := range by {
		by[i] = o.g.sets.Union(by[i], set)
	}
	o.g.spread(n, &by)
	return s
}

func (o *Observer) top() *frame { return o.frames[o.depth-1] }

// source returns the set of one TaintSource of the current transaction.
func (o *Observer) source(k Kind) Set { return o.of(TaintSource{Kind: k}) }

func (o *Observer) of(s TaintSource) Set {
	s.Tx = o.state.Txs - 1
	return o.g.sets.Of(s)
}

// own returns the aux value of a node of one TaintSource.
func (o *Observer) own(s TaintSource) uint32 {
	s.Tx = o.state.Txs - 1
	return uint32(o.g.sets.ID(s)) + 1
}

// begin begins a transaction.
func (o *Observer) begin() {
	o.forget()
	o.rise()
	o.state.Txs++
	o.g.reset()
	o.cells.Begin()
}

// forget discards the previous transaction, but for its graph.
func (o *Observer) forget() {
	o.depth = 0
	o.once = [256]ref{}
	clear(o.storage)
	clear(o.transient)
	clear(o.balances)
	clear(o.hashes)
	clear(o.seen)
	clear(o.expressed)
	clear(o.earlier)
	o.hashed = o.hashed[:0]
	o.journal, o.log = o.journal[:0], append(o.log[:0], branch{})
	o.Branches, o.Recoveries = make([]Decision, 0, len(o.Branches)), nil
	o.calls, o.marks, o.moved, o.Truncated = 0, 0, 0, false
	for _, p := range o.programs {
		p.forget()
	}
}

// Enter is the Enter hook.
func (o *Observer) Enter(live *evm.Frame) {
	if live.Depth == 1 {
		o.begin()
	}
	if len(o.frames) == o.depth {
		o.frames = append(o.frames, new(frame))
	}
	f, mem := o.frames[o.depth], memory{cells: o.cells.Bottom(), all: &o.cells}
	if o.depth > 0 {
		mem = o.frames[o.depth-1].mem.above()
	}
	o.depth++
	f.open(live, o.program(live.Code), mem)
	f.journal = len(o.journal)
	if o.Truncated {
		return
	}
	o.moved += uint64(len(live.Input))
	if o.depth == 1 {
		o.enterFirst(f, live)
	} else {
		o.enterCall(f, o.frames[o.depth-2], live)
	}
	f.self = o.address(live.Self, 0)
}

// address adds a node for an address.
func (o *Observer) address(a common.Address, data Set) ref {
	n := node{op: opSource, data: data, fixed: data == 0}
	n.val.SetBytes20(a[:])
	if data != 0 {
		n.bytes = addressBytes
	}
	return o.g.add(n)
}

const addressBytes = 1<<20 - 1

func (o *Observer) enterFirst(f *frame, live *evm.Frame) {
	f.caller = o.address(live.From, o.source(FromCaller))
	value := node{op: opSource, val: live.Value, data: o.source(FromCallValue), bytes: everywhere}
	f.value = o.g.add(value)
	if !live.Value.IsZero() {
		o.pay(live.From, live.To, value.data)
	}
	if live.Kind == evm.FrameCreate || live.Kind == evm.FrameCreate2 {
		f.initcode = o.chunks(live.Input, len(live.Input)%32, FromInitcode)
		return
	}
	if o.Layout != nil {
		f.calldata = o.spans(live.Input)
	} else {
		f.calldata = o.chunks(live.Input, 4, FromCalldata)
	}
	size := node{op: opSource, data: o.source(FromCalldataSize), bytes: 0xff}
	size.val.SetUint64(uint64(len(live.Input)))
	f.size = o.g.add(size)
}

// chunks creates words of input: one of the first head bytes, then one per 32
// bytes.
func (o *Observer) chunks(input []byte, head int, kind Kind) []cell {
	cells := make([]cell, 0, len(input))
	for at := 0; at < len(input); {
		end := at + 32
		if at == 0 && head > 0 {
			end = head
		}
		end = min(end, len(input))
		data := o.of(TaintSource{Kind: kind, Offset: uint64(at)})
		n := chunk(input[at:end], data)
		n.aux = o.own(TaintSource{Kind: kind, Offset: uint64(at)})
		r := o.g.add(n)
		for i := range end - at {
			cells = append(cells, makeCell(r, i))
		}
		at = end
	}
	return cells
}

// A Span is a word of calldata whose place is known: it need not be a multiple of
// 32 bytes behind the selector, as within an encoding in bytes.
type Span struct {
	Offset, Size int
	Right        bool // the word is right-aligned
}

// spans creates words of input by Layout. What it leaves out is in words of up to 32
// bytes.
func (o *Observer) spans(input []byte) []cell {
	cells := make([]cell, 0, len(input))
	layout := o.Layout
	for at := 0; at < len(input); {
		for len(layout) > 0 && layout[0].Offset < at {
			layout = layout[1:]
		}
		s := Span{Offset: at, Size: min(32, len(input)-at)}
		switch {
		case len(layout) > 0 && layout[0].Offset == at && layout[0].Size > 0:
			s = layout[0]
			s.Size = min(s.Size, len(input)-at)
		case len(layout) > 0:
			s.Size = min(s.Size, layout[0].Offset-at)
		}
		cells = o.span(cells, input, s)
		at += s.Size
	}
	return cells
}

// span adds the cells of one word of calldata.
func (o *Observer) span(cells []cell, input []byte, s Span) []cell {
	source := TaintSource{Kind: FromCalldata, Offset: uint64(s.Offset)}
	n, first := chunk(input[s.Offset:s.Offset+s.Size], o.of(source)), 0
	if s.Right {
		first = 32 - s.Size
		n.val.Rsh(&n.val, uint(8*first))
		n.bytes >>= first
	}
	n.aux = o.own(source)
	r := o.g.add(n)
	for i := range s.Size {
		cells = append(cells, makeCell(r, first+i))
	}
	return cells
}

// chunk returns a node of up to 32 bytes, left-aligned.
func chunk(b []byte, data Set) node {
	n := node{op: opSource, data: data, fixed: data == 0}
	var padded [32]byte
	copy(padded[:], b)
	n.val.SetBytes32(padded[:])
	if data != 0 {
		n.bytes = everywhere << (32 - len(b))
	}
	return n
}

// pay records a transfer between two balances. A revert does not undo it: the
// failure depends on the same words.
func (o *Observer) pay(from, to common.Address, data Set) {
	o.balances[from] = o.g.sets.Union(o.balances[from], data)
	o.balances[to] = o.g.sets.Union(o.balances[to], data)
}

// Exit is the Exit hook.
func (o *Observer) Exit(live *evm.Frame, status evm.Status, ret []byte, _ uint64, _ error) {
	f := o.top()
	o.depth--
	if status != evm.Success {
		o.rollback(f.journal)
	}
	if o.depth == 0 {
		if status == evm.Success {
			o.keep()
		}
		return
	}
	o.moved += uint64(len(ret))
	if live.Kind != evm.FrameSelfDestruct && !o.Truncated {
		o.endCall(o.top(), f, live, status, ret)
	}
	f.reset()
}

// finish sets the values of the words that the previous instruction created.
func (o *Observer) finish(f *frame, s *evm.Step) {
	if f.calling {
		o.copyReturn(f, s)
	}
	if f.pending != 0 && len(s.Stack) > 0 {
		o.settle(f, &s.Stack[len(s.Stack)-1])
	}
	if f.copied.size > 0 {
		o.fill(f, s.Memory)
	}
	if then := f.then; then != nil {
		f.then = nil
		then()
	}
	if len(f.stack) != len(s.Stack) {
		o.resync(f, s.Stack)
	}
}

// settle sets the value of the pending node, and of its storage word.
func (o *Observer) settle(f *frame, v *uint256.Int) {
	n := &o.g.nodes[f.pending]
	f.pending = 0
	n.val = *v
	if n.op == opLoaded && o.g.nodes[n.a].op == opSource {
		o.g.nodes[n.a].val = *v
	}
}

// fill sets the values of copied bytes.
func (o *Observer) fill(f *frame, mem []byte) {
	c := f.copied
	f.copied = copied{}
	if c.offset+c.size > uint64(len(mem)) {
		return
	}
	for at := uint64(0); at < c.size; at += 32 {
		var padded [32]byte
		copy(padded[:], mem[c.offset+at:min(c.offset+at+32, c.offset+c.size)])
		o.g.nodes[c.first+ref(at/32)].val.SetBytes32(padded[:])
	}
}

// resync adjusts the mirror to the height of the stack with unknown words.
func (o *Observer) resync(f *frame, stack []uint256.Int) {
	o.Desyncs++
	for len(f.stack) > len(stack) {
		f.pop()
	}
	for i := len(f.stack); i < len(stack); i++ {
		f.push(o.g.add(node{op: opInput, val: stack[i], data: o.source(FromUnknown), bytes: everywhere}))
	}
}

// program returns the static analysis of a code; nil for nil.
func (o *Observer) program(c *evm.Code) *program {
	if c == nil {
		return nil
	}
	p, ok := o.programs[c]
	if !ok {
		p = newProgram(c.Analysis())
		o.programs[c] = p
	}
	return p
}

// valued assembles a word whose value follows from its bytes.
func (o *Observer) valued(cells *[32]cell) ref {
	r, fresh := o.g.assemble(cells)
	if fresh {
		var b [32]byte
		for i, c := range cells {
			b[i] = o.g.byteValue(c)
		}
		o.g.nodes[r].val.SetBytes32(b[:])
	}
	return r
}
