package evm_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
	"leveret/engine/evm"
	"leveret/engine/evm/evmtest"
)

// A scribe is a Recorder that writes everything down. It asks for the operands of
// instructions that a seed draws, anew in each round.
type scribe struct {
	seed    uint64
	round   uint64
	watches map[*evm.Code]*evm.Watch
	quiet   map[*evm.Code][]evm.Quiet
	left    int          // branches of this Call that a Machine could have left out, but did not
	lines   []string     // all but blocks
	order   []string     // blocks, and what comes in order with them
	told    map[any]bool // blocks and words of this Call, which a Machine may leave out from then on
	begun   int
	frames  []scribedFrame
}

// A scribedFrame is a running frame: the Watch of its code, and the latest operands
// of its comparisons.
type scribedFrame struct {
	code  *evm.Code
	self  common.Address
	watch *evm.Watch
	held  map[uint32][2]uint256.Int // by pc
}

// A scribedWord is a word that was read or written.
type scribedWord struct {
	write bool
	self  common.Address
	key   uint256.Int
}

// A scribedSum is an instruction that may wrap.
type scribedSum struct {
	code *evm.Code
	pc   uint32
}

// wraps reports whether the result of an instruction does not fit a word.
func wraps(op byte, x, y *uint256.Int) (over bool) {
	var z uint256.Int
	switch op {
	case bytecode.ADD:
		_, over = z.AddOverflow(x, y)
	case bytecode.SUB:
		_, over = z.SubOverflow(x, y)
	default:
		_, over = z.MulOverflow(x, y)
	}
	return over
}

func newScribe(seed uint64) *scribe {
	return &scribe{seed: seed, watches: map[*evm.Code]*evm.Watch{}, quiet: map[*evm.Code][]evm.Quiet{}}
}

// say writes down an event that comes in order with blocks, see one that does not.
func (s *scribe) say(format string, args ...any) {
	s.see(format, args...)
	s.order = append(s.order, s.lines[len(s.lines)-1])
}

func (s *scribe) see(format string, args ...any) {
	s.lines = append(s.lines, fmt.Sprintf(format, args...))
}

// first reports whether something is new in the Call.
func (s *scribe) first(what any) bool {
	was := s.told[what]
	s.told[what] = true
	return !was
}

func (s *scribe) Begin() {
	s.lines, s.order, s.frames, s.begun = s.lines[:0], s.order[:0], s.frames[:0], s.begun+1
	s.left = 0
	s.told = map[any]bool{}
	for _, quiet := range s.quiet {
		clear(quiet)
	}
}
func (s *scribe) Enter(f *evm.Frame) {
	s.frames = append(s.frames, scribedFrame{code: f.Code, self: f.Self, held: map[uint32][2]uint256.Int{}})
	s.say("enter %d kind %d at %d from %v to %v as %v with %x and %v", f.Depth, f.Kind, f.PC, f.From, f.To, f.Self, f.Input, &f.Value)
}
func (s *scribe) Exit(f *evm.Frame, status evm.Status, output []byte) {
	s.say("exit %d %d %x", f.Depth, status, output)
	s.frames = s.frames[:len(s.frames)-1]
}
func (s *scribe) Log(l *evm.Log) { s.say("log %v %x %x", l.Address, l.Topics, l.Data) }
func (s *scribe) Operands(number uint32, top, next *uint256.Int) {
	pc := number - 1
	if f := s.frames[len(s.frames)-1]; f.watch.Held[pc] {
		f.held[pc] = [2]uint256.Int{*top, *next} // the branch tells
		return
	}
	if f := s.frames[len(s.frames)-1]; f.watch.Wraps[pc] && !s.first(scribedSum{f.code, pc}) && !wraps(f.code.Bytes[pc], top, next) {
		return // the Machine may leave it out
	}
	s.see("operands %d %v %v", pc, top, next)
}
func (s *scribe) Blocks(numbers []uint32) {
	for _, n := range numbers {
		if s.first(n) {
			s.order = append(s.order, fmt.Sprintf("block %d", n))
		}
	}
}
func (s *scribe) Branch(pc uint32, taken bool, cond, left, right *uint256.Int) {
	f := s.frames[len(s.frames)-1]
	if len(f.watch.Quiet) > 0 {
		quiet := &f.watch.Quiet[pc][0]
		if taken {
			quiet = &f.watch.Quiet[pc][1]
		}
		if *quiet > 0 { // the Machine may leave it out
			*quiet--
			s.left++
			return
		}
		*quiet = pc % 5
	}
	s.say("branch %d %v %v", pc, taken, cond)
	if compared := f.watch.Compared[pc]; compared != 0 {
		if left == nil {
			operands := f.held[compared-1]
			left, right = &operands[0], &operands[1]
		}
		s.see("compared %v %v", left, right)
	}
}
func (s *scribe) Read(key *uint256.Int) {
	if s.first(scribedWord{false, s.frames[len(s.frames)-1].self, *key}) {
		s.see("read %v", key)
	}
}
func (s *scribe) Write(pc uint64, key *uint256.Int) {
	if s.first(scribedWord{true, s.frames[len(s.frames)-1].self, *key}) {
		s.see("write %d %v", pc, key)
	}
}
func (s *scribe) Hash(input []byte)             { s.see("hash %x", input) }
func (s *scribe) BlockValue()                   { s.see("block value") }
func (s *scribe) Vacant(account common.Address) { s.see("vacant %x", account) }
func (s *scribe) Stack(pc uint64, op byte, stack []uint256.Int, passed evm.Passed) {
	s.say("stack %d %x %v after %v", pc, op, stack, passed)
}

func (s *scribe) Watch(c *evm.Code) *evm.Watch {
	if s.watches[c] == nil {
		s.watches[c] = s.draw(c)
	}
	w := s.watches[c]
	if w.Operands == nil {
		return nil
	}
	s.frames[len(s.frames)-1].watch = w
	return w
}

// again has codes watched for operands of other instructions.
func (s *scribe) again() {
	s.round++
	clear(s.watches)
}

// draw returns a random Watch for a code; for some codes it requests nothing.
func (s *scribe) draw(c *evm.Code) *evm.Watch {
	always, r := rand.New(rand.NewPCG(s.seed, uint64(c.ID))), rand.New(rand.NewPCG(s.seed+s.round<<32, uint64(c.ID)))
	n := len(c.Bytes)
	w := &evm.Watch{Operands: make([]uint32, n), Blocks: make([]uint32, n), Branches: make([]uint32, n),
		Compared: make([]uint32, n), Held: make([]bool, n), Wraps: make([]bool, n), Events: always.IntN(2) == 0}
	if always.IntN(2) == 0 {
		if s.quiet[c] == nil {
			s.quiet[c] = make([]evm.Quiet, n)
		}
		w.Quiet = s.quiet[c]
	}
	last := -1 // an instruction of the block whose operands are asked for
	for _, in := range bytecode.New(c.Bytes).Instructions {
		pc := in.PC
		if bytecode.Ops[in.Op].Pops > 0 && r.IntN(4) == 0 {
			w.Operands[pc] = pc + 1
			last = int(pc)
			w.Wraps[pc] = r.IntN(2) == 0 && (in.Op == bytecode.ADD || in.Op == bytecode.SUB || in.Op == bytecode.MUL)
		}
		w.Blocks[pc], w.Branches[pc] = always.Uint32(), pc
		if in.Op == bytecode.JUMPI && last >= 0 && r.IntN(3) > 0 {
			w.Compared[pc], w.Held[last] = uint32(last)+1, true
		}
		if flow := bytecode.Ops[in.Op].Flow; in.Op == bytecode.JUMPDEST || flow == bytecode.Branches || flow == bytecode.Jumps || flow == bytecode.Ends {
			last = -1
		}
	}
	if always.IntN(6) == 0 {
		w.Operands = nil
	}
	return w
}

// record executes c as Execute does.
func record(m *evm.Machine, w *evm.World, b evm.BlockContext, c evm.Call, r evm.Recorder) evm.Outcome {
	out := m.Record(w, b, c, r)
	if out.Status == evm.Success {
		out.Logs = m.Logs()
		m.Commit(w)
	}
	return out
}

// sameLines describes the first difference; nil if there is none.
func sameLines(fast, exact []string) error {
	for i := range min(len(fast), len(exact)) {
		if fast[i] != exact[i] {
			return fmt.Errorf("after %q\nfast mode  %s\nexact mode %s", exact[max(0, i-3):i], fast[i], exact[i])
		}
	}
	if len(fast) != len(exact) {
		return fmt.Errorf("%d events in the fast mode, %d in the exact mode", len(fast), len(exact))
	}
	return nil
}

// TestModesAgree runs random Calls in the fast and in the exact mode. Outcomes,
// states and everything that a Recorder is told are to be the same.
func TestModesAgree(t *testing.T) {
	twice, events, muted := 0, 0, 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 7))
		tw, err := evmtest.RandomTwin(r)
		if err != nil {
			t.Fatal(err)
		}
		fast, exact := evm.NewMachine(), evm.NewMachine()
		exact.Exact = true
		one, two := newScribe(seed), newScribe(seed)
		for range 30 {
			b, c := evmtest.RandomCall(r)
			fast.Steps = 0
			if r.IntN(4) == 0 {
				fast.Steps = 1 + r.IntN(80) + r.IntN(2)*r.IntN(4_000)
			}
			exact.Steps = fast.Steps
			there := tw.World.Fork()
			if r.IntN(5) == 0 {
				one.again()
				two.again()
			}
			one.begun = 0
			got, want := record(fast, tw.World, b, c, one), record(exact, there, b, c, two)
			if err := evmtest.CompareOutcomes(got, want); err != nil {
				t.Fatal(err)
			}
			for _, told := range [][2][]string{{one.lines, two.lines}, {one.order, two.order}} {
				if err := sameLines(told[0], told[1]); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
			}
			if diff := tw.World.Diff(there); len(diff) > 0 {
				t.Fatalf("seed %d: states differ: %v", seed, diff)
			}
			for c, quiet := range one.quiet {
				if !slices.Equal(quiet, two.quiet[c]) {
					t.Fatalf("seed %d: the fast mode left out %v, the exact mode %v", seed, quiet, two.quiet[c])
				}
			}
			muted += two.left
			events += len(one.lines)
			if one.begun == 2 {
				twice++
			}
		}
	}
	t.Logf("%d events, %d Calls began again, %d branches left out", events, twice, muted)
	if twice < 50 || events < 10_000 || muted < 1_000 {
		t.Error("too little to tell")
	}
}
