package cover

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
	"leveret/engine/evm"
	"leveret/engine/shadow"
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
	Received                             // the sender of the transaction received tokens of another account, by an event
	Deposited                            // it paid tokens to a contract that ran, by an event
	Starved                              // a call by watched code, with no more gas than evm.CallStipend, halted
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
	Unanswered       bool           // no account with code was called after Vacant
	Vacant           common.Address // last account without code that was called, or whose code was looked for
	Unheard          [4]byte        // selector of that call; 0 if it was not made
	AttackerSelector [4]byte        // selector of the last call of the attacker contract
	AttackerValue    uint256.Int    // wei of that call
	Reentries        int            // calls of watched code by the attacker contract that succeeded
	Asked            [][4]byte      // selectors of the calls with calldata that the attacker contract answered, in order of the answers
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

// AllWrites reports whether a run recorded all words that it wrote.
func (r *Run) AllWrites() bool { return len(r.Writes) < mostSlots }

// Keep copies what r shares with its Recorder.
func (r *Run) Keep() {
	r.Branches = slices.Clone(r.Branches)
	r.Blocks = slices.Clone(r.Blocks)
	r.Costs = slices.Clone(r.Costs)
	r.Reads = slices.Clone(r.Reads)
	r.Writes = slices.Clone(r.Writes)
	r.Wraps = slices.Clone(r.Wraps)
	r.Failures = slices.Clone(r.Failures)
	r.Asked = slices.Clone(r.Asked)
	hashed := make([][]byte, len(r.Hashed))
	for i, h := range r.Hashed {
		hashed[i] = slices.Clone(h)
	}
	r.Hashed = hashed
}

// A Recorder records one Call at a time. It implements evm.Recorder. It is not
// safe for concurrent use.
type Recorder struct {
	Probe    common.Hash          // slot from which arbitrary writes are measured
	Topics   map[common.Hash]bool // event topics that are suspicious
	Attacker common.Address       // address of the attacker contract

	m       *Map
	watched func(*evm.Code) bool
	run     Run

	probe   uint256.Int    // Probe
	sender  common.Address // of the Call
	gen     uint32
	blocks  []uint32 // by BlockID: generation of the last run that entered it
	entered uint64   // sum of the hashes of the blocks of the run
	arena   []byte   // backing of run.Hashed
	reads   slotSet
	writes  slotSet
	codes   []*local     // by evm.Code.ID: codes seen so far
	current opened       // the running frame
	open    []opened     // frames that wait for a callee
	opened  uint32       // frames so far
	tick    uint32       // registers filled so far
	learned uint64       // what the Map had learned at the last Begin
	hushed  []*evm.Quiet // those that are not zero

	evaluator *shadow.Evaluator  // of lastSeen
	evaluated *shadow.Resolution // by priceTree
	latest    uint32             // newest register that it read
}

// local is a code's numbering and the Recorder's registers for it.
type local struct {
	*codeMap
	sites     *sites // the sites that registers are sized for
	learned   uint64 // what the Map had learned when sites were looked up
	registers []register
	wrapped   []counter // by Arith: whether it ran, and n is 1 if it wrapped
	watch     *evm.Watch
	quiet     []evm.Quiet        // Watch.Quiet
	wanted    []wanted           // by number in watch, from 1
	jumps     []jump             // by number in watch, from 1
	returned  map[uint64]*answer // by ReturnPC
}

// An opened is a frame that has begun and not ended.
type opened struct {
	code   *local // nil if it is not watched
	number uint32
	self   common.Address
	called uint64 // selector of the calldata
	way    way
}

// A counter counts within one run; a stale generation counts as zero.
type counter struct{ gen, n uint32 }

// NewRecorder returns a Recorder that watches the codes under test.
func NewRecorder(m *Map, watched func(*evm.Code) bool) *Recorder {
	r := &Recorder{m: m, watched: watched}
	r.evaluator = shadow.NewEvaluator(r.lastSeen)
	return r
}

// Begin implements evm.Recorder: it discards the record of the last Call.
func (r *Recorder) Begin() {
	r.learned = r.m.Learned()
	r.probe.SetBytes32(r.Probe[:])
	r.gen++
	if r.gen == 0 { // overflow: stale counters could look current
		clear(r.blocks)
		for _, l := range r.codes {
			if l != nil {
				l.forget()
			}
		}
		r.gen = 1
	}
	r.run.Path, r.entered = 0x9e3779b97f4a7c15, 0
	r.run.Branches = r.run.Branches[:0]
	r.run.Blocks = r.run.Blocks[:0]
	r.run.Costs = r.run.Costs[:0]
	r.run.Hashed, r.arena = r.run.Hashed[:0], r.arena[:0]
	r.run.Suspicion, r.run.Wraps, r.run.Failures = 0, r.run.Wraps[:0], r.run.Failures[:0]
	r.run.AttackerValue.Clear()
	r.run.Unanswered = false
	r.run.Asked, r.run.Reentries = r.run.Asked[:0], 0
	for _, quiet := range r.hushed {
		*quiet = evm.Quiet{}
	}
	r.hushed = r.hushed[:0]
	r.reads.reset()
	r.writes.reset()
	r.current, r.open = opened{}, r.open[:0]
}

// Finish returns the record since Begin of a Call that ended with status.
func (r *Recorder) Finish(status evm.Status) *Run {
	r.mix(r.entered)
	r.mix(uint64(status) + 1)
	r.run.Reads, r.run.Writes = r.reads.list, r.writes.list
	return &r.run
}

// mix adds one event to the path, order included.
func (r *Recorder) mix(x uint64) {
	hi, lo := bits.Mul64(uint64(r.run.Path)^x*0xa0761d6478bd642f, 0xe7037ed1a0b428db)
	r.run.Path = PathID(hi ^ lo)
}

// Operands implements evm.Recorder.
func (r *Recorder) Operands(number uint32, top, next *uint256.Int) {
	c := r.current.code
	w := &c.wanted[number-1]
	if w.register != 0 {
		r.remember(w.register, top, next)
	}
	if w.wrap != 0 {
		r.wrap(c, w.wrap, w.pc, top, next)
	}
}

// Blocks implements evm.Recorder: it enters the blocks at JUMPDESTs. A path counts the
// set of its blocks: branches tell their order.
func (r *Recorder) Blocks(numbers []uint32) {
	known, list, sum, gen := r.blocks, r.run.Blocks, r.entered, r.gen
	for _, b := range numbers {
		if known[b] != gen {
			known[b] = gen
			list = append(list, BlockID(b))
			sum += hashed(0x9e3779b97f4a7c15, uint64(b)+1)
		}
	}
	r.run.Blocks, r.entered = list, sum
}

// block enters one block.
func (r *Recorder) block(b BlockID) { r.Blocks([]uint32{uint32(b)}) }

// Branch implements evm.Recorder.
func (r *Recorder) Branch(number uint32, taken bool, condition, left, right *uint256.Int) {
	if number == 0 {
		return
	}
	c := r.current.code
	j, quiet := &c.jumps[number-1], &c.quiet[number]
	if j.gen != r.gen {
		j.gen, j.counts = r.gen, [2]uint32{}
	}
	b, side := j.branch, 0
	if taken {
		b, side = b+1, 1
	}
	occurrence := j.counts[0] + j.counts[1]
	if occurrence < maxOccurrence {
		cost := r.nextCost()
		cost.Metric = BranchMetric(b.Other(), occurrence)
		if left == nil {
			r.distance(cost, condition, c.sites.at[number-1], taken)
		} else if !j.held.price(cost, left, right, taken) {
			distanceOfCondition(cost, condition, taken)
		}
	}
	n := j.counts[side] - quiet[side] + 1
	j.counts[side] = n
	if n == 1 {
		r.run.Branches = append(r.run.Branches, b)
		if !taken && j.after != 0 {
			r.block(j.after - 1)
		}
	}
	if bucketStart(n) {
		r.mix(uint64(b)<<32 | uint64(n)<<1)
	}
	if occurrence+1 >= maxOccurrence {
		r.hush(j, quiet, side)
	}
}

// hush has the Machine leave out executions of a branch that change nothing: those
// without costs, up to the next bucket. They count from now on.
func (r *Recorder) hush(j *jump, quiet *evm.Quiet, side int) {
	more := untilBucket(j.counts[side])
	if more > 0 && *quiet == (evm.Quiet{}) {
		r.hushed = append(r.hushed, quiet)
	}
	quiet[side] = more
	j.counts[side] += more
}

// nextCost adds a Cost, whose fields are to be set.
func (r *Recorder) nextCost() *Cost {
	n := len(r.run.Costs)
	if n == cap(r.run.Costs) {
		r.run.Costs = append(r.run.Costs, Cost{})
	} else {
		r.run.Costs = r.run.Costs[:n+1]
	}
	return &r.run.Costs[n]
}

// bucketStart reports whether the nth iteration opens one of AFL's buckets:
// 1, 2, 3, 4-7, 8-15, 16-31, 32-127, 128 and more.
func bucketStart(n uint32) bool {
	return n <= 3 || n&(n-1) == 0 && n <= 128 && n != 64
}

// untilBucket returns how many iterations after the nth open no bucket.
func untilBucket(n uint32) uint32 {
	switch {
	case n < 3:
		return 0
	case n >= 128:
		return 1 << 30
	}
	next := uint32(1) << bits.Len32(n)
	if next == 64 {
		next = 128
	}
	return next - n - 1
}

// Read implements evm.Recorder.
func (r *Recorder) Read(key *uint256.Int) {
	r.reads.add(&r.current.self, key)
}

// Write implements evm.Recorder: it records a write and its distance from the
// probe slot [HARVEY 4.3].
func (r *Recorder) Write(pc uint64, key *uint256.Int) {
	if !r.writes.add(&r.current.self, key) {
		return
	}
	if key.Eq(&r.probe) {
		r.run.Suspicion |= ProbeHit
		return
	}
	cost := r.nextCost()
	cost.Metric = WriteMetric(r.current.code.of, pc)
	atProbe.price(cost, key, &r.probe, false)
}

// atProbe prices a write as a comparison of its slot with the probe slot.
var atProbe = pricing{relation: shadow.Equal}

// minHashed and maxHashed bound the inputs of KECCAK256 that are kept: a
// mapping hashes a slot and a key of one word or a short string; assembly packs
// an address and a few bytes.
const (
	minHashed = 24
	maxHashed = 128
)

// Hash implements evm.Recorder: it keeps the input of a hash.
func (r *Recorder) Hash(input []byte) {
	if len(input) < minHashed || len(input) > maxHashed {
		return
	}
	start := len(r.arena)
	r.arena = append(r.arena, input...)
	r.run.Hashed = append(r.run.Hashed, r.arena[start:len(r.arena):len(r.arena)])
}

// BlockValue implements evm.Recorder.
func (r *Recorder) BlockValue() { r.run.Suspicion |= BlockRead }

// Stack implements evm.Recorder: it records what may be a failed check.
func (r *Recorder) Stack(pc uint64, op byte, stack []uint256.Int, passed evm.Passed) {
	switch top := len(stack) - 1; {
	case op == bytecode.INVALID:
		r.run.Suspicion |= Invalid
		r.fail(r.failure(pc, stack, passed, FailedInvalid))
	case op == bytecode.REVERT && stack[top-1].IsUint64() && stack[top-1].Uint64() == panicSize:
		r.current.way.failing = r.failure(pc, stack, passed, 0) // the end of the frame tells whether it panics
	case op > bytecode.LOG0 && op <= bytecode.LOG4 && len(r.Topics) > 0 && r.Topics[stack[top-2].Bytes32()]:
		r.fail(r.failure(pc, stack, passed, FailedEvent))
	}
}

// does is the suspicion of each kind of frame.
var does = [...]Suspicion{
	evm.FrameCallCode: Delegated, evm.FrameDelegateCall: Delegated, evm.FrameSelfDestruct: Destroyed | Paid,
}

// Enter implements evm.Recorder.
func (r *Recorder) Enter(f *evm.Frame) {
	r.run.Suspicion |= does[f.Kind]
	if f.Depth == 1 {
		r.sender = f.From
	}
	if f.Kind == evm.FrameCall && f.Depth > 1 && !f.Value.IsZero() {
		r.run.Suspicion |= Paid
	}
	r.open = append(r.open, r.current)
	r.opened++
	r.current = opened{number: r.opened, self: f.Self}
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
	if f.Depth > 1 {
		r.hear(f)
	}
	if f.Code == nil || !r.watched(f.Code) {
		return
	}
	l := r.local(f.Code)
	r.current.code = l
	if len(f.Input) >= 4 {
		r.current.called = uint64(binary.BigEndian.Uint32(f.Input))
	}
	r.mix(uint64(f.Code.ID)<<32 | 3)
	if f.Depth == 1 { // tells apart contracts with equal code, such as several tokens
		r.mix(binary.BigEndian.Uint64(f.To[12:]))
	}
	r.block(l.firstBlock)
}

// hear records whether there is code where a frame begins.
func (r *Recorder) hear(f *evm.Frame) {
	switch {
	case f.Code != nil:
		r.run.Unanswered = false
	case f.Kind == evm.FrameCall || f.Kind == evm.FrameStaticCall:
		r.Vacant(f.To)
		copy(r.run.Unheard[:], f.Input)
	}
}

// Vacant implements evm.Recorder.
func (r *Recorder) Vacant(account common.Address) {
	r.run.Unanswered, r.run.Vacant, r.run.Unheard = true, account, [4]byte{}
}

// Watch implements evm.Recorder.
func (r *Recorder) Watch(*evm.Code) *evm.Watch {
	if r.current.code == nil {
		return nil
	}
	return r.current.code.watch
}

// local returns the numbering of code and makes room for its counters and
// registers.
func (r *Recorder) local(code *evm.Code) *local {
	for len(r.codes) <= code.ID {
		r.codes = append(r.codes, nil)
	}
	l := r.codes[code.ID]
	if l == nil {
		l = &local{codeMap: r.m.code(code)}
		if l.wraps != nil {
			l.wrapped = make([]counter, len(l.wraps.list))
		}
		r.codes[code.ID] = l
		if n := int(l.firstBlock) + len(l.Blocks) - len(r.blocks); n > 0 {
			r.blocks = append(r.blocks, make([]uint32, n)...)
		}
	}
	if l.sites != nil && l.learned == r.learned {
		return l
	}
	l.learned = r.learned
	if latest := l.codeMap.sites.Load(); l.sites != latest {
		l.sites = latest
		l.registers = make([]register, l.sites.registers)
		l.watching(len(r.Topics) > 0)
		l.returning()
	}
	return l
}

// forget resets the counters of a code.
func (l *local) forget() {
	clear(l.wrapped)
	for i := range l.jumps {
		l.jumps[i].gen = 0
	}
	for _, j := range l.returned {
		j.gen = 0
	}
}

// A wanted is an instruction whose operands fill a register or may wrap.
type wanted struct {
	pc             uint64
	register, wrap uint16 // 0: none
}

// A jump is a conditional jump. Its rules are those of sites.
type jump struct {
	branch Branch // not taken
	pc     uint32
	after  BlockID   // block that follows if it is not taken, plus 1; 0: a JUMPDEST, or none
	gen    uint32    // of the last run that came by
	counts [2]uint32 // how often that did not take it, and took it, with what Watch.Quiet leaves out
	held   pricing   // of the comparison whose operands come with it, the only rule; see hold
}

// watching numbers what is recorded of a code. An instruction keeps its number, and
// a Watch that stays the same is kept, so that a Machine translates little again.
func (l *local) watching(events bool) {
	n := len(l.Bytes) + 1
	last := l.watch
	l.jumps = l.jumps[:0]
	if l.quiet == nil {
		l.quiet = make([]evm.Quiet, len(l.Jumpis)+1)
	}
	l.watch = &evm.Watch{Operands: make([]uint32, n), Blocks: make([]uint32, n), Branches: make([]uint32, n), Wraps: make([]bool, n), Events: events, Quiet: l.quiet}
	for pc := range n {
		l.want(pc, last)
		if b := l.block[pc]; b != 0 {
			l.watch.Blocks[pc] = uint32(l.firstBlock) + b - 1
		}
		if site := l.site[pc]; site != 0 {
			j := jump{branch: l.branch(site), pc: uint32(pc)}
			if after := l.block[pc+1]; after != 0 && l.Bytes[pc+1] != bytecode.JUMPDEST {
				j.after = l.firstBlock + BlockID(after)
			}
			l.jumps = append(l.jumps, j)
			l.watch.Branches[pc] = uint32(len(l.jumps))
		}
	}
	if l.hold(); last != nil && l.watch.Equal(last) {
		l.watch = last
	}
}

// want numbers the instruction at pc if its operands are wanted.
func (l *local) want(pc int, last *evm.Watch) {
	w := wanted{pc: uint64(pc), register: l.sites.register[pc]}
	if l.wraps != nil {
		w.wrap = l.wraps.at[pc]
	}
	if w.register == 0 && w.wrap == 0 {
		return
	}
	number := uint32(len(l.wanted) + 1)
	if last != nil && last.Operands[pc] != 0 {
		number = last.Operands[pc]
		l.wanted[number-1] = w
	} else {
		l.wanted = append(l.wanted, w)
	}
	l.watch.Operands[pc] = number
	l.watch.Wraps[pc] = w.register == 0 && l.wraps.list[w.wrap-1].word
}

// hold has branches get the operands of the comparison in their block that alone
// decides their cost.
func (l *local) hold() {
	l.watch.Compared, l.watch.Held = make([]uint32, len(l.Bytes)+1), make([]bool, len(l.Bytes)+1)
	uses := map[uint64]int{}
	for _, rules := range slices.Concat(l.sites.at, l.sites.returns) {
		for _, rule := range rules {
			for _, pc := range rule.PCs {
				uses[pc]++
			}
		}
	}
	for i := range l.jumps {
		j := &l.jumps[i]
		rules := l.sites.at[i]
		if len(rules) != 1 || rules[0].register == 0 {
			continue
		}
		pc := rules[0].ComparePC
		number := l.watch.Operands[pc]
		if rules[0].Shape == shadow.Tree || uses[pc] != 1 || number == 0 || l.wanted[number-1].wrap != 0 || pc > uint64(j.pc) {
			continue
		}
		from, known := l.BlockAt(pc)
		if block, ok := l.BlockAt(uint64(j.pc)); ok && known && block == from {
			l.watch.Compared[j.pc], l.watch.Held[pc] = uint32(pc)+1, true
			j.held = rules[0].pricing
		}
	}
}

// maxAsked bounds the calls that the attacker contract answered that are recorded.
const maxAsked = 16

// Exit implements evm.Recorder.
func (r *Recorder) Exit(f *evm.Frame, status evm.Status, output []byte) {
	if f.To == r.Attacker && f.Depth > 1 && len(f.Input) > 0 && status == evm.Success && f.Kind != evm.FrameDelegateCall && len(r.run.Asked) < maxAsked {
		var selector [4]byte
		copy(selector[:], f.Input)
		r.run.Asked = append(r.run.Asked, selector)
	}
	if r.current.code != nil && status == evm.Success {
		r.returns(f, output)
	}
	if r.current.code != nil && status == evm.Revert && isPanic(output) {
		r.run.Suspicion |= Panicked
		r.panics(output)
	}
	last := len(r.open) - 1
	r.open[last].way.panicked = 0
	if code, ok := panicCode(output); ok {
		r.open[last].way.panicked = code + 1
	}
	switch by := r.open[last].code; {
	case status == evm.Success && r.current.code != nil && f.Depth > 1 && f.Parent.Self == r.Attacker:
		r.run.Suspicion |= Reentered
		r.run.Reentries++
	case status != evm.Success && by != nil:
		r.run.Suspicion |= CallFailed
		if status == evm.Revert && r.current.code != nil {
			r.run.Suspicion |= CalleeReverted
		}
		if status == evm.Halt && f.Gas <= evm.CallStipend {
			r.run.Suspicion |= Starved
		}
	}
	r.current, r.open = r.open[last], r.open[:last]
}

// Log implements evm.Recorder.
func (r *Recorder) Log(l *evm.Log) {
	if len(r.Topics) > 0 && len(l.Topics) > 0 && r.Topics[l.Topics[0]] {
		r.run.Suspicion |= Logged
	}
	t, ok := l.Transfer()
	switch {
	case !ok || t.From == t.To || t.Value.IsZero() && !t.Single:
	case t.To == r.sender && t.From != (common.Address{}):
		r.run.Suspicion |= Received
	case t.From == r.sender && t.To != l.Address && (r.current.self == t.To || slices.ContainsFunc(r.open, func(o opened) bool { return o.self == t.To })):
		r.run.Suspicion |= Deposited
	}
}
