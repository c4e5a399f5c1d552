package evm

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
)

// A Recorder is told what a Call does, at the places that it asked for, and
// never affects the execution. It is for what every input is watched for; Hooks
// see everything and are several times as slow.
//
// A Call may be executed twice: Begin says that it starts again.
type Recorder interface {
	Begin()
	Enter(f *Frame)                                 // at the start of a frame
	Exit(f *Frame, status Status, output []byte)    // at its end
	Log(l *Log)                                     // at an event, reverted or not; valid during the callback
	Watch(c *Code) *Watch                           // at the start of a frame, after Enter; nil: record nothing in it
	Operands(number uint32, top, next *uint256.Int) // before an instruction that the Watch numbers; next is zero if it has one operand
	Read(key *uint256.Int)                          // before an SLOAD, at least the first one of a word
	Write(pc uint64, key *uint256.Int)              // before an SSTORE, at least the first one to a word
	Hash(input []byte)                              // before a KECCAK256; valid during the callback
	BlockValue()                                    // before an instruction that reads a value of the block
	Vacant(account common.Address)                  // before an EXTCODESIZE of an account without code

	// Blocks is called for JUMPDESTs, with the numbers that the Watch gives them, in
	// order: after the last Branch, Stack, Enter or Exit before them, and before the
	// next one. The Machine may leave out a JUMPDEST that it has already reported in
	// a frame of the same code.
	Blocks(numbers []uint32)

	// Branch is called before a JUMPI, with the number that the Watch gives it and
	// the operands of its comparison; nil if the Watch names none, or Operands had
	// them. The Machine may leave out what Watch.Quiet says.
	Branch(number uint32, taken bool, cond, left, right *uint256.Int)

	// Stack is called before a REVERT, an INVALID and, if the Watch says so, an
	// event. The top of the stack is last, and valid during the callback.
	Stack(pc uint64, op byte, stack []uint256.Int, passed Passed)
}

// A Passed says what a frame came by last: the pcs of its last two JUMPDESTs, and the
// number that the Watch gives its last JUMPI; 0: there was none.
type Passed struct {
	Jumpdests [2]uint32
	Branch    uint32
}

// A Watch says what a Recorder wants to know of one code. It does not change but for
// Quiet; a Recorder that wants something else returns another one.
type Watch struct {
	Operands []uint32 // by pc: number of an instruction for Operands; 0: none
	Blocks   []uint32 // by pc of a JUMPDEST: its number for Blocks
	Branches []uint32 // by pc of a JUMPI: its number for Branch
	Compared []uint32 // by pc of a JUMPI: 1 + pc of the comparison in its block whose operands Branch gets; 0: none
	Held     []bool   // by pc: whether it is such a comparison, of which Operands is not told
	Wraps    []bool   // by pc of an ADD, SUB or MUL: whether Operands need not be told of it again in a Call if the result fits a word
	Events   bool     // call Stack before events

	// Quiet has for each branch, by its number, how many more times Branch need not be
	// called for an outcome: not taken, and taken. The Machine counts down what it
	// leaves out. A Recorder changes it in Begin and Branch; nil: nothing is left out.
	Quiet []Quiet
}

// A Quiet is an element of Watch.Quiet.
type Quiet [2]uint32

// Equal reports whether two Watches of one code want the same.
func (w *Watch) Equal(v *Watch) bool {
	return w.comparable(v) && slices.Equal(w.Operands, v.Operands) && slices.Equal(w.Compared, v.Compared) && slices.Equal(w.Held, v.Held) &&
		slices.Equal(w.Wraps, v.Wraps)
}

// comparable reports whether two Watches differ at most in the instructions whose
// operands they want.
func (w *Watch) comparable(v *Watch) bool {
	shared := len(w.Quiet) == len(v.Quiet) && (len(w.Quiet) == 0 || &w.Quiet[0] == &v.Quiet[0])
	return shared && w.Events == v.Events && slices.Equal(w.Blocks, v.Blocks) && slices.Equal(w.Branches, v.Branches)
}

// loud is the Quiet of branches of which nothing is left out.
var loud Quiet

// quiet returns the Quiet of the branch at pc.
func (w *Watch) quiet(pc uint64) *Quiet {
	if number := w.Branches[pc]; int(number) < len(w.Quiet) {
		return &w.Quiet[number]
	}
	return &loud
}

// changes returns the pcs of the instructions and branches that a comparable Watch
// wants other operands of, ascending.
func (w *Watch) changes(v *Watch) (pcs []uint32) {
	for pc := range w.Operands {
		if w.Operands[pc] != v.Operands[pc] || w.Compared[pc] != v.Compared[pc] || w.Held[pc] != v.Held[pc] || w.Wraps[pc] != v.Wraps[pc] {
			pcs = append(pcs, uint32(pc))
		}
	}
	return pcs
}

// stack reports whether the stack is wanted before an opcode.
func (w *Watch) stack(op byte) bool {
	return op == bytecode.REVERT || op == bytecode.INVALID || w.Events && op >= bytecode.LOG0 && op <= bytecode.LOG4
}

// watchOf returns what is recorded of a frame; nil: nothing.
func (m *Machine) watchOf(f *frame) *Watch {
	if m.recorder == nil || f.Code == nil {
		return nil
	}
	return m.recorder.Watch(f.Code)
}
