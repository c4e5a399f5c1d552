package debug

import (
	"leveret/engine/bytecode"
	"leveret/engine/evm"
	"leveret/solc/srcmap"
)

// A tracker follows the open frames of a Call and the internal calls in them, by the
// jumps of the source maps.
type tracker struct {
	recording *Recording
	open      []openFrame
	depth     uint32 // activations in all open frames
}

// An openFrame is a running frame with code.
type openFrame struct {
	*evm.Frame
	codes       *codeMap
	activations []activation
	joined      int         // of activations
	jump        srcmap.Jump // of the last instruction, if it was a JUMP
	jumped      uint64      // its pc
	index       int32       // in Recording.frames
	pc          uint64      // of the last instruction
	start       Position    // of its first instruction
}

// An activation is a running function. The outermost one of a frame begins at pc 0.
type activation struct {
	entry  uint64 // pc of its first instruction
	height int    // words on the stack then
	call   uint64 // pc of the jump that called it
	joined bool   // it is a part of the function that called it; see Recording.joins

	statement int32  // of its newest instruction that has one
	start     uint64 // pc of the first instruction of the statement
	words     int    // words on the stack then
	recorded
}

// recorded is what a recorder knows of an activation.
type recorded struct {
	begun     bool // it has an entry
	called    bool // it, or a part of it, has one
	line      int
	current   int32  // statement that has the newest entry
	first     uint64 // pc of its first instruction
	candidate int32  // statement of which only pushes ran so far; noStatement: none
	since     Position
	from      uint64 // pc of the first instruction of the candidate
	number    uint32 // of the activation
}

func newActivation(entry uint64, height int, call uint64) activation {
	return activation{entry: entry, height: height, call: call, statement: noStatement,
		recorded: recorded{current: noStatement, candidate: noStatement}}
}

// maxActivations bounds the internal calls that are followed in one frame: source maps
// of optimised code may lack returns.
const maxActivations = 1 << 12

// enter opens a frame. One without code has no positions.
func (t *tracker) enter(f *evm.Frame) {
	t.open = append(t.open, openFrame{Frame: f, codes: t.recording.mapOf(f.Code), index: -1})
	if f.Code != nil {
		top := t.top()
		top.activations = append(top.activations, newActivation(0, 0, 0))
		t.depth++
	}
}

// exit closes the innermost frame.
func (t *tracker) exit() {
	t.depth -= t.top().depth()
	t.open[len(t.open)-1] = openFrame{}
	t.open = t.open[:len(t.open)-1]
}

func (t *tracker) top() *openFrame { return &t.open[len(t.open)-1] }

func (f *openFrame) running() *activation { return &f.activations[len(f.activations)-1] }

// depth returns how many functions run in the frame.
func (f *openFrame) depth() uint32 { return uint32(len(f.activations) - f.joined) }

// whole returns the index of the activation of which another one is a part; its own if
// it is none.
func (f *openFrame) whole(i int) int {
	for i > 0 && f.activations[i].joined {
		i--
	}
	return i
}

// statement returns the newest statement of the innermost activation that has one, or
// noStatement: the compiler's own functions have none.
func (f *openFrame) statement() int32 {
	for i := len(f.activations) - 1; i >= 0; i-- {
		if n := f.activations[i].statement; n >= 0 {
			return n
		}
	}
	return noStatement
}

// step follows the jump before an instruction and notes its statement, which it
// returns.
func (t *tracker) step(s *evm.Step) (f *openFrame, statement int32) {
	f = t.top()
	if f.jump != srcmap.JumpRegular && f.jump != 0 {
		t.jump(f, s)
	}
	f.pc = s.PC
	statement = t.recording.at(f.codes, s.PC)
	if a := f.running(); statement >= 0 && statement != a.statement {
		a.statement, a.start, a.words = statement, s.PC, len(s.Stack)
	}
	if s.Op == bytecode.JUMP {
		f.jump, f.jumped = t.recording.jumpAt(f.codes, s.PC), s.PC
		if f.jump == srcmap.JumpRegular && len(f.activations) == 1 && t.recording.enters(f.codes, s) {
			f.jump = srcmap.JumpInto // by the dispatcher, which compilers before 0.5 do not mark
		}
	}
	return f, statement
}

// jump opens or closes an activation after a JUMP. The optimiser may have shared or
// removed returns, so one that leads behind a call closes all activations since.
func (t *tracker) jump(f *openFrame, s *evm.Step) {
	kind := f.jump
	f.jump = 0
	switch n := len(f.activations); {
	case kind == srcmap.JumpInto && n < maxActivations:
		a := newActivation(s.PC, len(s.Stack), f.jumped)
		if a.joined = t.recording.joins(f.codes, jumpPair{f.jumped, s.PC}); a.joined {
			f.joined++
		}
		f.activations = append(f.activations, a)
	case kind == srcmap.JumpOut && n > 1:
		left := n - 1
		for i := n - 1; i > 0; i-- {
			if f.activations[i].call+1 == s.PC {
				left = i
				break
			}
		}
		for _, a := range f.activations[left:] {
			if a.joined {
				f.joined--
			}
		}
		f.activations = f.activations[:left]
	}
	t.depth = t.depthBelow() + f.depth()
}

// depthBelow returns the activations of the frames below the innermost one.
func (t *tracker) depthBelow() (n uint32) {
	for i := range t.open[:len(t.open)-1] {
		n += t.open[i].depth()
	}
	return n
}
