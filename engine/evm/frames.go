package evm

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"

	"leveret/engine/bounded"
	"leveret/engine/bytecode"
)

// A frame is a Frame with what its instructions work on. A Machine has one for
// each depth and reuses its memory.
type frame struct {
	Frame
	machine *Machine
	account *account // whose storage is used
	code    []byte   // the running bytes; of creation code with the arguments
	dests   []uint64 // bit set by pc: valid jump destinations
	static  bool
	gas     uint64
	pc      uint64

	result    uint256.Int    // exact mode: of the running instruction
	compared  [2]uint256.Int // operands of the comparison that the Recorder gets with the branch of its block
	passed    Passed         // the last JUMPDESTs and JUMPI
	held      uint32         // exact mode: 1 + pc of that comparison; 0: none
	words     []uint256.Int  // exact mode: the stack; fast mode: see addressed
	height    int            // words on the stack
	memory    []byte
	chunk     int    // of Machine.memory, in which it is
	memoryGas uint64 // charged for memory so far
	below     int    // bytes of memory of the frames that called it
	size      uint64 // bytes of memory that the running instruction needs
	callGas   uint64 // gas that the running call passes on
	returned  []byte // return data of the last call, until the next one
	output    []byte // of RETURN and REVERT
	failure   failure
}

// A failure is what a frame had when it failed.
type failure struct {
	unspent uint64 // gas
	refund  uint64 // that it added to the counter, modulo 2^64; before it fails: the counter at its start
}

// kinds maps the opcode that opens a frame to its kind.
var kinds = [256]FrameKind{
	bytecode.CALL: FrameCall, bytecode.CALLCODE: FrameCallCode, bytecode.DELEGATECALL: FrameDelegateCall,
	bytecode.STATICCALL: FrameStaticCall, bytecode.CREATE: FrameCreate, bytecode.CREATE2: FrameCreate2,
	bytecode.SELFDESTRUCT: FrameSelfDestruct,
}

func (f *Frame) creates() bool { return f.Kind == FrameCreate || f.Kind == FrameCreate2 }

// maxDepth is the number of frames that may be open, the outermost excluded.
const maxDepth = 1024

// frameAt returns the frame of a depth, from 0.
func (m *Machine) frameAt(depth int) *frame {
	for len(m.frames) <= depth {
		m.frames = append(m.frames, &frame{machine: m})
	}
	return m.frames[depth]
}

// open opens the frame for a message. parent is nil for the outermost.
func (m *Machine) open(parent *frame, kind FrameKind, from, self, to *common.Address, input []byte, gas uint64, value *uint256.Int) *frame {
	depth := 0
	if parent != nil {
		depth = parent.Depth
	}
	f := m.frameAt(depth)
	f.Frame = Frame{Kind: kind, Depth: depth + 1, From: *from, To: *to, Self: *self, Input: input, Number: m.opened, Gas: gas}
	if value != nil {
		f.Value = *value
	}
	if parent != nil {
		f.Parent, f.PC, f.static = &parent.Frame, parent.pc, parent.static
		f.below, parent.returned = parent.below+len(parent.memory), nil
		f.chunk, f.memory = parent.chunk, bounded.Above(parent.memory)
	} else {
		f.static, f.below = false, 0
		f.chunk, f.memory = 0, m.memory.Bottom()
	}
	if kind == FrameStaticCall {
		f.static = true
	}
	f.gas, f.failure = gas, failure{}
	m.opened++
	return f
}

// announce tells observers of an opened frame, once its Code is known.
func (f *frame) announce() {
	m := f.machine
	f.Frame.watched = f.Code != nil && m.hooks != nil && (m.hooks.Codes == nil || m.hooks.Codes(f.Code))
	if m.hooks != nil && m.hooks.Enter != nil {
		m.hooks.Enter(&f.Frame)
	}
	if m.recorder != nil {
		m.recorder.Enter(&f.Frame)
	}
}

// close ends a frame, and forgets what is in the memory of others.
func (f *frame) close(output []byte, left uint64, err error) {
	f.ended(output, left, err)
	f.Input, f.code, f.dests, f.memory = nil, nil, nil, nil
}

// ended tells observers how a frame ended.
func (f *frame) ended(output []byte, left uint64, err error) {
	m := f.machine
	if m.hooks == nil && m.recorder == nil || err == errInexact {
		return
	}
	status := Success
	switch {
	case err == errRevert:
		status, err = Revert, nil
	case err != nil:
		status = Halt
		if unwinds(err) {
			output = nil
		}
	}
	if m.hooks != nil && m.hooks.Exit != nil {
		m.hooks.Exit(&f.Frame, status, output, f.Frame.Gas-left, err)
	}
	if m.recorder != nil {
		m.recorder.Exit(&f.Frame, status, output)
	}
}

// codeOf returns the code that runs in a call of an account: its own, or the one
// that it delegates to [EIP-7702].
func (m *Machine) codeOf(a *account) *Code {
	if a.code == nil || !m.Chain.delegates() {
		return a.code
	}
	if target, ok := types.ParseDelegation(a.code.Bytes); ok {
		return m.overlay.account(&target).code
	}
	return a.code
}

// run executes the code of a frame.
func (f *frame) run() (output []byte, err error) {
	m := f.machine
	if m.left -= f.Code.ahead(0, false); m.left < 0 {
		return nil, ErrSlow
	}
	f.pc, f.height, f.held, f.passed = 0, 0, 0, Passed{}
	f.memoryGas, f.returned, f.output = 0, nil, nil
	f.account = m.overlay.account(&f.Self)
	if f.creates() {
		f.code = f.Input
		f.dests = f.Code.dests
		if len(f.code) != len(f.Code.Bytes) {
			f.dests = destinations(f.code)
		}
	} else {
		f.code, f.dests = f.Code.Bytes, f.Code.dests
	}
	if p := m.translationOf(f); p != nil {
		if err = f.fast(p); err == errInexact && m.overlay.accounts.err != nil {
			err = m.overlay.accounts.err // the exact mode would ask again
		}
	} else {
		err = f.exact()
	}
	output, f.output, f.returned = f.output, nil, nil
	switch err {
	case errStop:
		return output, nil
	case errRevert:
		return output, err
	}
	return nil, err
}

// destinations returns the bit set of the valid jump destinations of code.
func destinations(code []byte) []uint64 {
	set := make([]uint64, len(code)/64+1)
	for pc := 0; pc < len(code); pc++ {
		switch op := code[pc]; {
		case op == bytecode.JUMPDEST:
			set[pc/64] |= 1 << (pc % 64)
		case op >= bytecode.PUSH1 && op <= bytecode.PUSH32:
			pc += int(op - bytecode.PUSH0)
		}
	}
	return set
}

// destination returns the pc of a jump; false if it is not a JUMPDEST.
func (f *frame) destination(to *uint256.Int) (pc uint64, ok bool) {
	pc = to.Uint64()
	ok = to.IsUint64() && pc < uint64(len(f.code)) && f.dests[pc/64]&(1<<(pc%64)) != 0
	return pc, ok
}

// growWords makes room for at least n words.
func (f *frame) growWords(n int) {
	if n > len(f.words) {
		f.words = slices.Grow(f.words, n-len(f.words))
		f.words = f.words[:cap(f.words)]
	}
}
