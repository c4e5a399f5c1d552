package evm

import "github.com/holiman/uint256"

// A Recorder is told what a Call does, at the places that it asked for, and
// never affects the execution. It is for what every input is watched for; Hooks
// see everything and are several times as slow.
//
// A Call may be executed twice: Begin says that it starts again.
type Recorder interface {
	Begin()
	Enter(f *Frame)                                  // at the start of a frame
	Exit(f *Frame, status Status, output []byte)     // at its end
	Log(l *Log)                                      // at an event, reverted or not; valid during the callback
	Watch(c *Code) *Watch                            // at the start of a frame, after Enter; nil: record nothing in it
	Operands(pc uint64, top, next *uint256.Int)      // before an instruction of the Watch; next is zero if it has one operand
	Blocks(pcs []uint32)                             // after JUMPDESTs, in order; before the next Branch, Enter, Exit, Stack
	Branch(pc uint64, taken bool, cond *uint256.Int) // before a JUMPI
	Read(key *uint256.Int)                           // before an SLOAD
	Write(pc uint64, key *uint256.Int)               // before an SSTORE
	Hash(input []byte)                               // before a KECCAK256; valid during the callback
	BlockValue()                                     // before an instruction that reads a value of the block

	// Stack is called before a REVERT, an INVALID and an event; the top of the
	// stack is last, and valid during the callback.
	Stack(pc uint64, op byte, stack []uint256.Int)
}

// A Watch says what a Recorder wants to know of one code. It does not change; a
// Recorder that wants something else returns another one.
type Watch struct {
	Operands []bool // by pc: call Operands there; may be shorter than the code
}

// operands reports whether the operands of the instruction at pc are wanted.
func (w *Watch) operands(pc uint64) bool { return pc < uint64(len(w.Operands)) && w.Operands[pc] }

// watchOf returns what is recorded of a frame; nil: nothing.
func (m *Machine) watchOf(f *frame) *Watch {
	if m.recorder == nil || f.Code == nil {
		return nil
	}
	return m.recorder.Watch(f.Code)
}
