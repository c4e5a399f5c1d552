package cover

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
	"leveret/engine/evm"
)

// maxOccurrence bounds how many executions of one conditional jump have costs
// of their own.
const maxOccurrence = 8

// A Suspicion is an event that some oracle looks for.
type Suspicion uint32

// The events, one bit each.
const (
	Invalid        Suspicion = 1 << iota // INVALID ran
	Panicked                             // a frame reverted with Panic(uint256)
	Logged                               // an event has a watched topic
	CallFailed                           // a call by watched code failed
	ProbeHit                             // SSTORE to the probe slot
	CalleeReverted                       // other watched code reverted a call by watched code
	Reentered                            // the attacker contract called watched code successfully
	AttackerCalled                       // the attacker contract was called
	Wrapped                              // the result of source-level arithmetic did not fit its type
	ActorCalled                          // an account without code was called: see Run.Called
	Delegated                            // DELEGATECALL or CALLCODE ran
	Destroyed                            // SELFDESTRUCT ran
	Paid                                 // wei was sent, or a contract with a balance self-destructed
	BlockRead                            // an instruction read the block
)

// A Run is the record of one Call. It belongs to the Recorder and is valid
// until the next Reset; see Keep.
type Run struct {
	Path             PathID
	Branches         []Branch  // each outcome once, in order of first occurrence
	Blocks           []BlockID // each block entered, once, in order of first occurrence
	Costs            []Cost
	Reads            []evm.Slot     // storage words read, once each
	Writes           []evm.Slot     // storage words written by instructions, once each, reverted writes included
	Hashed           [][]byte       // short inputs of KECCAK256, from which storage slots are made
	Called           common.Address // last account without code that was called
	AttackerSelector [4]byte        // selector of the last call of the attacker contract
	AttackerValue    uint256.Int    // wei of that call
	Suspicion        Suspicion
	Wraps            []Metric  // arithmetic that did not fit its type, in order of first occurrence
	Failures         []Failure // checks that failed, in order; see AllFailures
}

// Reached reports whether the run reached a goal that is not a branch.
func (r *Run) Reached(goal Metric) bool {
	switch goal >> 62 {
	case writeKind >> 62:
		return r.Suspicion&ProbeHit != 0
	case arithKind >> 62:
		return slices.Contains(r.Wraps, goal)
	}
	return false
}

// Keep copies what r shares with its Recorder.
func (r *Run) Keep() {
	r.Branches = slices.Clone(r.Branches)
	r.Blocks = slices.Clone(r.Blocks)
	r.Costs = slices.Clone(r.Costs)
	r.Reads = slices.Clone(r.Reads)
	r.Writes = slices.Clone(r.Writes)
	r.Wraps = slices.Clone(r.Wraps)
	r.Failures = slices.Clone(r.Failures)
	hashed := make([][]byte, len(r.Hashed))
	for i, h := range r.Hashed {
		hashed[i] = slices.Clone(h)
	}
	r.Hashed = hashed
}

// A Recorder records one Call at a time. It is not safe for concurrent use.
type Recorder struct {
	Probe    common.Hash          // slot from which arbitrary writes are measured
	Topics   map[common.Hash]bool // event topics that are suspicious
	Attacker common.Address       // address of the attacker contract

	m     *Map
	watch func(*evm.Code) bool
	hooks *evm.Hooks
	run   Run

	gen      uint32
	branches []counter // by Branch
	blocks   []counter // by Block
	arena    []byte    // backing of run.Hashed
	reads    slotSet
	writes   slotSet
	codes    []*local // by evm.Code.ID: codes seen so far
	current  *local   // of the running frame; nil if it is not watched
	open     []opened // frames that wait for a callee
	frame    uint32   // number of the running frame
	way      way      // of the running frame
	opened   uint32   // frames so far
	tick     uint32   // registers filled so far
	wants    [256]bool
	stale    bool   // wants has changed since the Hooks were created
	learned  uint64 // what the Map had learned at the last Reset
}

// local is a code's numbering and the Recorder's registers for it.
type local struct {
	*codeMap
	sites     *sites // the sites that registers are sized for
	learned   uint64 // what the Map had learned when sites were looked up
	registers []register
	wrapped   []counter // by Arith: whether it ran, and n is 1 if it wrapped
}

// An opened is a frame that waits for a callee.
type opened struct {
	code  *local
	frame uint32
	way   way
}

// A counter counts within one run; a stale generation counts as zero.
type counter struct{ gen, n uint32 }

// hotOps are the opcodes that every run records.
var hotOps = []byte{
	bytecode.JUMPI, bytecode.SLOAD, bytecode.SSTORE, bytecode.KECCAK256, bytecode.INVALID, bytecode.REVERT,
	bytecode.TIMESTAMP, bytecode.NUMBER, bytecode.BLOCKHASH, bytecode.PREVRANDAO, bytecode.COINBASE, bytecode.GASLIMIT,
}

// logOps are the opcodes that a run with watched topics records.
var logOps = [256]bool{bytecode.LOG1: true, bytecode.LOG2: true, bytecode.LOG3: true, bytecode.LOG4: true}

// NewRecorder returns a Recorder that watches the codes under test.
func NewRecorder(m *Map, watch func(*evm.Code) bool) *Recorder {
	r := &Recorder{m: m, watch: watch}
	for _, op := range hotOps {
		r.wants[op] = true
	}
	r.listen()
	return r
}

// listen creates Hooks for the wanted opcodes.
func (r *Recorder) listen() {
	ops := []byte{}
	for op, wanted := range r.wants {
		if wanted {
			ops = append(ops, byte(op))
		}
	}
	r.hooks = &evm.Hooks{
		Ops: ops, Lean: true, Codes: r.watch,
		Step: r.step, Dest: r.dest, Enter: r.enter, Exit: r.exit, Log: r.log,
	}
}

// Hooks returns the hooks for the Machine, to be fetched after Reset.
func (r *Recorder) Hooks() *evm.Hooks { return r.hooks }

// Reset discards the record of the last Call.
func (r *Recorder) Reset() {
	if len(r.Topics) > 0 && !r.wants[bytecode.LOG1] {
		r.want(&logOps)
	}
	if r.stale {
		r.stale = false
		r.listen()
	}
	r.learned = r.m.Learned()
	r.gen++
	if r.gen == 0 { // overflow: stale counters could look current
		clear(r.branches)
		clear(r.blocks)
		for _, l := range r.codes {
			if l != nil {
				clear(l.wrapped)
			}
		}
		r.gen = 1
	}
	r.run.Path = 0x9e3779b97f4a7c15
	r.run.Branches = r.run.Branches[:0]
	r.run.Blocks = r.run.Blocks[:0]
	r.run.Costs = r.run.Costs[:0]
	r.run.Hashed, r.arena = r.run.Hashed[:0], r.arena[:0]
	r.run.Suspicion, r.run.Wraps, r.run.Failures = 0, r.run.Wraps[:0], r.run.Failures[:0]
	r.run.AttackerValue.Clear()
	r.reads.reset()
	r.writes.reset()
	r.current, r.open, r.frame, r.way = nil, r.open[:0], 0, way{}
}

// Finish returns the record since Reset of a Call that ended with status.
func (r *Recorder) Finish(status evm.Status) *Run {
	r.mix(uint64(status) + 1)
	r.run.Reads, r.run.Writes = r.reads.list, r.writes.list
	return &r.run
}

// mix adds one event to the path, order included.
func (r *Recorder) mix(x uint64) {
	hi, lo := bits.Mul64(uint64(r.run.Path)^x*0xa0761d6478bd642f, 0xe7037ed1a0b428db)
	r.run.Path = PathID(hi ^ lo)
}

func (r *Recorder) step(s *evm.Step) {
	c := r.current
	if number := c.sites.register[s.PC]; number != 0 {
		r.remember(number, s)
	}
	if c.wraps != nil {
		if number := c.wraps.at[s.PC]; number != 0 {
			r.wrap(c, number, s)
		}
	}
	switch s.Op {
	case bytecode.JUMPI:
		r.jumpi(c, s)
	case bytecode.SLOAD:
		r.reads.add(evm.Slot{Address: s.Frame.Self, Key: s.Top(0).Bytes32()})
	case bytecode.SSTORE:
		r.sstore(s)
	case bytecode.KECCAK256:
		r.keccak(s)
	case bytecode.INVALID:
		r.run.Suspicion |= Invalid
		r.fail(r.failure(c, s, FailedInvalid))
	case bytecode.REVERT:
		r.revert(c, s)
	case bytecode.LOG1, bytecode.LOG2, bytecode.LOG3, bytecode.LOG4:
		r.event(c, s)
	case bytecode.TIMESTAMP, bytecode.NUMBER, bytecode.BLOCKHASH, bytecode.PREVRANDAO, bytecode.COINBASE, bytecode.GASLIMIT:
		r.run.Suspicion |= BlockRead
	}
}

// dest enters the block at a JUMPDEST.
func (r *Recorder) dest(pc uint64) {
	c := r.current
	r.way.before, r.way.dest = r.way.dest, uint32(pc)
	r.block(c.firstBlock + BlockID(c.block[pc]-1))
}

// block records the entry of b.
func (r *Recorder) block(b BlockID) {
	n := &r.blocks[b]
	if n.gen == r.gen {
		return
	}
	n.gen = r.gen
	r.run.Blocks = append(r.run.Blocks, b)
	r.mix(uint64(b)<<32 | 1)
}

func (r *Recorder) jumpi(c *local, s *evm.Step) {
	site := c.site[s.PC]
	if site == 0 {
		return
	}
	r.way.branch = uint32(s.PC)
	taken := !s.Top(1).IsZero()
	b := c.branch(site, taken)
	n, other := &r.branches[b], &r.branches[b.Other()]
	if n.gen != r.gen {
		*n = counter{gen: r.gen}
		r.run.Branches = append(r.run.Branches, b)
	}
	occurrence := n.n
	if other.gen == r.gen {
		occurrence += other.n
	}
	if occurrence < maxOccurrence {
		r.cost(s, b, site, occurrence)
	}
	n.n++
	if bucketStart(n.n) {
		r.mix(uint64(b)<<32 | uint64(n.n)<<1)
	}
	if !taken {
		if after := c.block[s.PC+1]; after != 0 && c.Bytes[s.PC+1] != bytecode.JUMPDEST {
			r.block(c.firstBlock + BlockID(after-1))
		}
	}
}

// bucketStart reports whether the nth iteration opens one of AFL's buckets:
// 1, 2, 3, 4-7, 8-15, 16-31, 32-127, 128 and more.
func bucketStart(n uint32) bool {
	switch n {
	case 1, 2, 3, 4, 8, 16, 32, 128:
		return true
	}
	return false
}

// cost records the distance from b's other outcome.
func (r *Recorder) cost(s *evm.Step, b Branch, site, occurrence uint32) {
	r.run.Costs = append(r.run.Costs, Cost{Metric: BranchMetric(b.Other(), occurrence)})
	r.distance(&r.run.Costs[len(r.run.Costs)-1], s.Top(1), site-1, b.Taken())
}

// sstore records a write and its distance from the probe slot [HARVEY 4.3].
func (r *Recorder) sstore(s *evm.Step) {
	slot := evm.Slot{Address: s.Frame.Self, Key: s.Top(0).Bytes32()}
	if !r.writes.add(slot) {
		return
	}
	var probe uint256.Int
	probe.SetBytes32(r.Probe[:])
	cost := Cost{Metric: WriteMetric(r.current.of, s.PC), Side: sideOf(s.Top(0), &probe, false)}
	absDiff(&cost.Value, s.Top(0), &probe)
	if cost.Value.IsZero() {
		r.run.Suspicion |= ProbeHit
		return
	}
	r.run.Costs = append(r.run.Costs, cost)
}

// minHashed and maxHashed bound the inputs of KECCAK256 that are kept: a
// mapping hashes a slot and a key of one word or a short string; assembly packs
// an address and a few bytes.
const (
	minHashed = 24
	maxHashed = 128
)

// keccak keeps the input of a hash. Memory beyond its current size reads as
// zero.
func (r *Recorder) keccak(s *evm.Step) {
	offset, size := s.Top(0), s.Top(1)
	if !size.IsUint64() || size.Uint64() < minHashed || size.Uint64() > maxHashed ||
		!offset.IsUint64() || offset.Uint64() > uint64(len(s.Memory)) {
		return
	}
	start := len(r.arena)
	from := s.Memory[offset.Uint64():]
	r.arena = append(r.arena, from[:min(size.Uint64(), uint64(len(from)))]...)
	for uint64(len(r.arena)-start) < size.Uint64() {
		r.arena = append(r.arena, 0)
	}
	r.run.Hashed = append(r.run.Hashed, r.arena[start:len(r.arena):len(r.arena)])
}

// does is the suspicion of each kind of frame.
var does = [...]Suspicion{
	evm.FrameCallCode: Delegated, evm.FrameDelegateCall: Delegated, evm.FrameSelfDestruct: Destroyed | Paid,
}

func (r *Recorder) enter(f *evm.Frame) {
	r.run.Suspicion |= does[f.Kind]
	if f.Kind == evm.FrameCall && f.Depth > 1 && !f.Value.IsZero() {
		r.run.Suspicion |= Paid
	}
	r.open = append(r.open, opened{r.current, r.frame, r.way})
	r.opened++
	r.current, r.frame, r.way = nil, r.opened, way{}
	if f.Depth > 1 && f.To == r.Attacker && f.Kind != evm.FrameDelegateCall {
		r.run.Suspicion |= AttackerCalled
		r.run.AttackerSelector = [4]byte{}
		copy(r.run.AttackerSelector[:], f.Input)
		r.run.AttackerValue = f.Value
	}
	if f.Depth > 1 && f.Code == nil && f.Kind == evm.FrameCall && [16]byte(f.To[:16]) != [16]byte{} { // not a precompile
		r.run.Suspicion |= ActorCalled
		r.run.Called = f.To
	}
	if f.Code == nil || !r.watch(f.Code) {
		return
	}
	r.current = r.local(f.Code)
	r.mix(uint64(f.Code.ID)<<32 | 3)
	if f.Depth == 1 { // tells apart contracts with equal code, such as several tokens
		r.mix(binary.BigEndian.Uint64(f.To[12:]))
	}
	r.block(r.current.firstBlock)
}

// local returns the numbering of code and makes room for its counters and
// registers. Opcodes that newly fill registers are watched from the next Call
// on.
func (r *Recorder) local(code *evm.Code) *local {
	for len(r.codes) <= code.ID {
		r.codes = append(r.codes, nil)
	}
	l := r.codes[code.ID]
	if l == nil {
		l = &local{codeMap: r.m.code(code)}
		if l.wraps != nil {
			l.wrapped = make([]counter, len(l.wraps.list))
			if r.want(&l.wraps.ops); r.stale {
				r.run.Suspicion |= Wrapped // this Call was not watched for it: it may have wrapped
			}
		}
		r.codes[code.ID] = l
		r.branches = grown(r.branches, int(l.firstBranch)+2*len(l.Jumpis))
		r.blocks = grown(r.blocks, int(l.firstBlock)+len(l.Blocks))
	}
	if l.sites != nil && l.learned == r.learned {
		return l
	}
	l.learned = r.learned
	if latest := l.codeMap.sites.Load(); l.sites != latest {
		l.sites = latest
		l.registers = make([]register, l.sites.registers)
		r.want(&l.sites.ops)
	}
	return l
}

// want adds opcodes to those that are watched.
func (r *Recorder) want(ops *[256]bool) {
	for op, wanted := range ops {
		if wanted && !r.wants[op] {
			r.wants[op], r.stale = true, true
		}
	}
}

func grown(list []counter, n int) []counter {
	if n > len(list) {
		list = append(list, make([]counter, n-len(list))...)
	}
	return list
}

func (r *Recorder) exit(f *evm.Frame, status evm.Status, ret []byte, _ uint64, _ error) {
	if r.current != nil && status == evm.Revert && isPanic(ret) {
		r.run.Suspicion |= Panicked
		r.panics(ret)
	}
	last := len(r.open) - 1
	r.way = r.open[last].way
	if code, ok := panicCode(ret); ok {
		r.way.panicked = code + 1
	} else {
		r.way.panicked = 0
	}
	switch by := r.open[last].code; {
	case status == evm.Success && r.current != nil && f.Depth > 1 && f.Parent.Self == r.Attacker:
		r.run.Suspicion |= Reentered
	case status != evm.Success && by != nil:
		r.run.Suspicion |= CallFailed
		if status == evm.Revert && r.current != nil {
			r.run.Suspicion |= CalleeReverted
		}
	}
	r.current, r.frame, r.open = r.open[last].code, r.open[last].frame, r.open[:last]
}

func (r *Recorder) log(_ *evm.Frame, l *evm.Log) {
	if len(l.Topics) > 0 && r.Topics[l.Topics[0]] {
		r.run.Suspicion |= Logged
	}
}
