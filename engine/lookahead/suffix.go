package lookahead

import (
	"leveret/engine/bytecode"
)

// A Reason is why a target may be reachable from a split point.
type Reason uint8

// The reasons. Only Unreachable is a proof; for all others but Reached the
// analysis gave up.
const (
	Unreachable Reason = iota
	Reached            // the abstraction has a path to a target
	Called             // another frame may be opened, which may reach a target
	Unresolved         // a jump to an unknown destination
	Exhausted          // the work limit of a check
)

func (r Reason) String() string {
	return [...]string{"unreachable", "reached", "external call", "unresolved jump", "out of bounds"}[r]
}

// Limits of a fixpoint. With more contexts of a block they are joined to one
// per stack height; with more join keys of a block, or more instructions
// (copies of large states count as more), it gives up.
type bounds struct{ contexts, keys, work int }

// checkBounds are the limits of one suffix check.
var checkBounds = bounds{contexts: 24, keys: 48, work: 20_000}

// A flow is the forward fixpoint of one suffix check [IV-C]. It separates
// states by block, stack height and the code addresses on the stack. Return
// addresses are constants there, so each call of an internal function returns
// to its own caller.
type flow struct {
	machine
	goals    []bool // blocks that end the check
	relevant []bool // blocks that may reach a goal; nil means all
	near     []int  // distance of each block to a target; nil: unknown
	forms    []bool // blocks that reach a target by their form; nil: not used
	harmless func(m *machine, op bytecode.Op, address wordID) bool
	places   []*joinKey
	free     []*joinKey // recycled
	index    map[context]int
	per      []uint16 // join keys of each block
	work     []int
	steps    int
	scratch  state
	branch   state
	at       *joinKey // being executed
	bounds   bounds
	trail    *trail // edges between join keys; nil: not recorded

	// The outcome.
	reason  Reason
	pc      uint32 // of the block, call or jump of the reason
	gather  bool   // continue after the first reason
	reasons [Exhausted + 1]bool
}

type context struct {
	block, height int
	addresses     uint64 // hash of the code addresses on the stack; 0 if merged
}

func (f *flow) start(block int, s *state) {
	clear(f.index)
	if f.index == nil {
		f.index = map[context]int{}
	}
	if len(f.per) < len(f.code.Blocks) {
		f.per = make([]uint16, len(f.code.Blocks))
	}
	clear(f.per)
	f.free = append(f.free, f.places...)
	f.places, f.work, f.steps, f.reason = f.places[:0], f.work[:0], 0, Unreachable
	f.reasons = [Exhausted + 1]bool{}
	f.fresh = f.keySymbol
	f.at = nil
	f.enter(block, s)
}

// keySymbol returns the symbol of an instruction in the current join key. It
// is the same each time, or the fixpoint would not terminate.
func (f *flow) keySymbol(i int, extra bool) wordID {
	w := f.at.first + wordID(len(f.at.entry.stack)) + 1 + 2*wordID(i-int(f.code.Blocks[f.at.block].First))
	if extra {
		w++
	}
	return w
}

// run computes the fixpoint; it stops early if a target may be reachable.
func (f *flow) run() Reason {
	for len(f.work) > 0 && (f.reason == Unreachable || f.gather) {
		k := f.next()
		f.at = f.places[k]
		f.at.queued = false
		f.at.entry.copyTo(&f.scratch)
		f.execute(f.code.Blocks[f.at.block])
		if f.steps > f.bounds.work {
			f.fail(Exhausted, f.code.Blocks[f.at.block].Start)
			break
		}
	}
	return f.reason
}

// next removes a join key from the work list: the nearest to a target if
// distances are known, so that a reachable target is found early; else the
// newest.
func (f *flow) next() int {
	last := len(f.work) - 1
	if f.near != nil {
		best := last
		for i := last - 1; i >= 0; i-- {
			if f.distance(f.work[i]) < f.distance(f.work[best]) {
				best = i
			}
		}
		f.work[best], f.work[last] = f.work[last], f.work[best]
	}
	k := f.work[last]
	f.work = f.work[:last]
	return k
}

func (f *flow) distance(k int) int { return f.near[f.places[k].block] }

func (f *flow) fail(r Reason, pc uint32) {
	f.reasons[r] = true
	if f.reason == Unreachable || f.reason != Reached && r == Reached {
		f.reason, f.pc = r, pc
	}
}

// execute runs a block on f.scratch and propagates the result.
func (f *flow) execute(b bytecode.BasicBlock) {
	s := &f.scratch
	f.steps += int(b.Last-b.First) + 1 + (len(s.stack)+len(s.memory.cells)+len(s.facts))/8
	last := int(b.Last)
	if b.Flow != bytecode.Next {
		last--
	}
	for i := int(b.First); i <= last; i++ {
		in := f.code.Instructions[i]
		if bytecode.Ops[in.Op].Flow == bytecode.Calls && !f.safe(s, in.Op) {
			f.fail(Called, in.PC)
			if !f.gather {
				return
			}
		}
		if !f.step(s, i) {
			return
		}
	}
	switch b.Flow {
	case bytecode.Next:
		f.fallThrough(s)
	case bytecode.Jumps:
		if len(s.stack) >= 1 {
			f.jump(s, s.pop(), f.code.Instructions[b.Last].PC)
		}
	case bytecode.Branches:
		if len(s.stack) >= 2 {
			f.split(s, f.code.Instructions[b.Last].PC)
		}
	}
}

// safe reports whether the frame opened by op reaches no target.
func (f *flow) safe(s *state, op bytecode.Op) bool {
	info := bytecode.Ops[op]
	if len(s.stack) < int(info.Pops) {
		return true // it halts instead
	}
	if op == bytecode.CREATE || op == bytecode.CREATE2 {
		return f.harmless(&f.machine, op, unknown)
	}
	return f.harmless(&f.machine, op, s.stack[len(s.stack)-2])
}

// split follows both feasible outcomes of a conditional jump.
func (f *flow) split(s *state, pc uint32) {
	to, cond := s.pop(), s.pop()
	s.copyTo(&f.branch)
	if f.assume(s, cond, true, 0) {
		f.turn(1)
		f.jump(s, to, pc)
	}
	if f.assume(&f.branch, cond, false, 0) {
		f.turn(0)
		f.fallThrough(&f.branch)
	}
}

func (f *flow) fallThrough(s *state) {
	if next := f.at.block + 1; next < len(f.code.Blocks) {
		f.enter(next, s)
	}
}

func (f *flow) jump(s *state, to wordID, pc uint32) {
	v := f.value(to)
	switch {
	case v == nil:
		f.fail(Unresolved, pc)
	case v.IsUint64() && f.code.IsJumpdest(v.Uint64()):
		block, _ := f.code.BlockAt(v.Uint64())
		f.enter(block, s)
	}
}

// enter joins s into its join key and queues the key if it changed.
func (f *flow) enter(block int, s *state) {
	if f.goals != nil && f.goals[block] {
		f.fail(Reached, f.code.Blocks[block].Start)
		if !f.gather {
			return
		}
	}
	if f.relevant != nil && !f.relevant[block] || f.hopeless(block, s) {
		return
	}
	key := context{block, len(s.stack), f.addresses(s)}
	k, ok := f.index[key]
	if !ok && int(f.per[block]) >= f.bounds.contexts {
		key.addresses = 0
		k, ok = f.index[key]
	}
	if !ok {
		if int(f.per[block]) >= f.bounds.keys {
			f.fail(Exhausted, f.code.Blocks[block].Start)
			return
		}
		f.add(key, s)
		f.went(len(f.places) - 1)
		return
	}
	f.went(k)
	p := f.places[k]
	if p.join(&f.nodes, s) && !p.queued {
		p.queued = true
		f.work = append(f.work, k)
	}
}

func (f *flow) add(key context, s *state) {
	b := f.code.Blocks[key.block]
	count := key.height + 1 + 2*int(b.Last-b.First+1)
	var p *joinKey
	if n := len(f.free); n == 0 {
		p = &joinKey{}
	} else {
		p, f.free = f.free[n-1], f.free[:n-1]
	}
	p.block, p.number, p.first, p.queued = key.block, len(f.places), f.reserve(count), true
	s.copyTo(&p.entry)
	f.index[key] = len(f.places)
	f.work = append(f.work, len(f.places))
	f.places = append(f.places, p)
	f.per[key.block]++
}

// addresses hashes the constants on the stack that are jump destinations,
// with their positions.
func (f *flow) addresses(s *state) uint64 {
	h := uint64(1)
	for i, w := range s.stack {
		if v := f.value(w); v != nil && v.IsUint64() && v.Uint64() != 0 && f.code.IsJumpdest(v.Uint64()) {
			h = mix(h, uint64(i)<<32|v.Uint64())
		}
	}
	return h
}
