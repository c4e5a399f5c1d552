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
	programs programs

	writes
	preimages
	inputs     inputs
	translator translator
	once       [256]ref // nodes of opcodes with a constant result
	calls      uint64
	marks      uint64
	moved      uint64 // see maxMoved
	taken
}

// The taken are the branches that the latest transaction took.
type taken struct {
	log  []branch       // in order of execution, from 1
	seen map[site]uint8 // how often, up to maxOccurrences
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

// New returns an Observer that updates state.
func New(state *State) *Observer {
	o := &Observer{
		programs: programs{}, taken: taken{seen: map[site]uint8{}},
		writes:     writes{storage: map[stateSlot]written{}, transient: map[stateSlot]ref{}, balances: map[common.Address]Set{}},
		preimages:  preimages{hashes: map[common.Hash]Preimage{}},
		translator: translator{expressed: map[ref]Expr{}, earlier: map[ref]Expr{}},
		buffers:    newBuffers(state.Sets),
	}
	o.inputs.g, o.translator.g = &o.g, &o.g
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
func (ps *preimages) Preimage(hash common.Hash) (Preimage, bool) {
	p, ok := ps.hashes[hash]
	return p, ok
}

// Preimages calls yield with every computed hash, in order of its first
// computation.
func (ps *preimages) Preimages(yield func(Preimage) bool) {
	for _, h := range ps.hashed {
		if !yield(ps.hashes[h]) {
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

// begin begins a transaction.
func (o *Observer) begin() {
	o.forget()
	o.rise()
	o.state.Txs++
	o.g.reset()
	o.inputs.tx, o.translator.to = o.state.Txs-1, o.state.Expressions
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
	clear(o.translator.expressed)
	clear(o.translator.earlier)
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
	f.open(live, o.programs.of(live.Code), mem)
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
	f.self = o.inputs.address(live.Self, 0)
}

func (o *Observer) enterFirst(f *frame, live *evm.Frame) {
	f.caller = o.inputs.address(live.From, o.inputs.source(FromCaller))
	value := node{op: opSource, val: live.Value, data: o.inputs.source(FromCallValue), bytes: everywhere}
	f.value = o.g.add(value)
	if !live.Value.IsZero() {
		o.pay(live.From, live.To, value.data)
	}
	if live.Kind == evm.FrameCreate || live.Kind == evm.FrameCreate2 {
		f.initcode = o.inputs.chunks(live.Input, len(live.Input)%32, FromInitcode)
		return
	}
	if o.Layout != nil {
		f.calldata = o.inputs.spans(live.Input, o.Layout)
	} else {
		f.calldata = o.inputs.chunks(live.Input, 4, FromCalldata)
	}
	size := node{op: opSource, data: o.inputs.source(FromCalldataSize), bytes: 0xff}
	size.val.SetUint64(uint64(len(live.Input)))
	f.size = o.g.add(size)
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
		f.settle(&o.g, &s.Stack[len(s.Stack)-1])
	}
	if f.copied.size > 0 {
		f.fill(&o.g, s.Memory)
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
func (f *frame) settle(g *graph, v *uint256.Int) {
	n := &g.nodes[f.pending]
	f.pending = 0
	n.val = *v
	if n.op == opLoaded && g.nodes[n.a].op == opSource {
		g.nodes[n.a].val = *v
	}
}

// fill sets the values of copied bytes.
func (f *frame) fill(g *graph, mem []byte) {
	c := f.copied
	f.copied = copied{}
	if c.offset+c.size > uint64(len(mem)) {
		return
	}
	for at := uint64(0); at < c.size; at += 32 {
		var padded [32]byte
		copy(padded[:], mem[c.offset+at:min(c.offset+at+32, c.offset+c.size)])
		g.nodes[c.first+ref(at/32)].val.SetBytes32(padded[:])
	}
}

// resync adjusts the mirror to the height of the stack with unknown words.
func (o *Observer) resync(f *frame, stack []uint256.Int) {
	o.Desyncs++
	for len(f.stack) > len(stack) {
		f.pop()
	}
	for i := len(f.stack); i < len(stack); i++ {
		f.push(o.g.add(node{op: opInput, val: stack[i], data: o.inputs.source(FromUnknown), bytes: everywhere}))
	}
}

// programs are the static analyses of codes.
type programs map[*evm.Code]*program

// of returns that of a code; nil for nil.
func (ps programs) of(c *evm.Code) *program {
	if c == nil {
		return nil
	}
	p, ok := ps[c]
	if !ok {
		p = newProgram(c.Analysis())
		ps[c] = p
	}
	return p
}
