// Package evm runs transactions on go-ethereum's interpreter over copy-on-write
// Worlds, and lets observers watch.
//
// It is the only package that imports go-ethereum/core. It knows no search, no
// coverage and no oracle; it does not know what a contract's source is, nor
// which contract is under test.
//
// A World is the state between transactions: a handle on immutable layers, so
// that keeping one for every prefix in a corpus costs what the prefix wrote
// [ENGINE.md section 2]. A Machine executes Calls on Worlds. During a Call an
// overlay answers for the World: it implements go-ethereum's vm.StateDB, with
// a journal for nested reverts, and gives back only what differs at the end.
// Hooks watch from within go-ethereum's tracing events, and Lean ones from
// within its table of instructions [section 3].
//
// What is as on the chain: instructions, gas, refunds, warm and cold access,
// EIP-6780, EIP-1153, EIP-7702 delegations, precompiles; all forks up to Osaka.
// What is not: no intrinsic gas, no fees, no signatures, no nonce of a sender
// but for creations, no limits on code size, block hashes made up from their
// numbers, and what takes too long for its gas stops the Call as the instruction
// cap does.
package evm

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// A Code is one piece of bytecode that runs. Codes are interned per Machine
// family (see Codes), so a pointer, or ID, identifies the bytecode.
type Code struct {
	ID    int         // dense, from 0, in order of first sight
	Hash  common.Hash // keccak of Bytes
	Bytes []byte      // never changed
	Init  bool        // creation code: runs once, in a create frame

	blocks []uint16 // see ahead
}

// Status is how a frame or transaction ended.
type Status uint8

// The ways a frame ends. Revert and Halt are data, not errors.
const (
	Success Status = iota
	Revert         // REVERT: state undone, data returned, gas left
	Halt           // exceptional halt: INVALID, out of gas, bad jump, stack …
)

// A Call is one message from outside: a transaction without a signature.
type Call struct {
	From   common.Address
	To     common.Address
	Create bool   // To is ignored, Data is creation code
	Data   []byte // never changed
	Value  uint256.Int
	Gas    uint64 // 0 means DefaultGas
}

// DefaultGas is the gas of a Call that names none [ENGINE.md section 1].
const DefaultGas = 30_000_000

// A Slot is one storage word of one account.
type Slot struct {
	Address common.Address
	Key     common.Hash
}

// A Block is what block opcodes answer.
type BlockContext struct {
	Number     uint64
	Timestamp  uint64
	Prevrandao common.Hash
	Coinbase   common.Address
	BaseFee    uint256.Int
	GasLimit   uint64
}

// An Outcome is how a Call ended.
type Outcome struct {
	Status  Status
	Return  []byte         // return or revert data; the caller owns it; nil of a Create that succeeds
	Halt    error          // go-ethereum's error if Status is Halt
	Created common.Address // of a successful creation
	GasUsed uint64         // of the execution, refund not taken off; no intrinsic gas
	Refund  uint64         // counter at the end; a chain gives back at most a fifth of GasUsed
	Logs    []Log          // nil unless Success
	Slow    bool           // stopped by the instruction cap; Halt is ErrSlow
}

// A Log is an event.
type Log struct {
	Address common.Address
	Topics  []common.Hash
	Data    []byte
}

// A FrameKind says which instruction opened a frame.
type FrameKind uint8

// The kinds of frames.
const (
	FrameCall FrameKind = iota
	FrameCallCode
	FrameDelegateCall
	FrameStaticCall
	FrameCreate
	FrameCreate2
	FrameSelfDestruct // the transfer that goes with SELFDESTRUCT; runs no code
)

// A Frame is one message call or creation while it runs. The Machine reuses
// Frames: an observer that wants to keep one copies it.
type Frame struct {
	Kind   FrameKind
	Depth  int            // 1 for the outermost
	Parent *Frame         // nil for the outermost
	Code   *Code          // what runs; nil for an account without code or a precompile
	From   common.Address // msg.sender
	To     common.Address // account that is called; code holder for delegate calls
	Self   common.Address // address(this): whose storage is used
	Value  uint256.Int
	Input  []byte // calldata, or creation code; not to be changed or kept
	PC     uint64 // pc in Parent of the instruction that opened the frame
	Number int    // position in the order of opening within the Call, from 0
	Gas    uint64 // handed to the frame

	watched bool   // Hooks.Codes wants its instructions
	calling uint64 // pc of the last instruction that may have opened a frame
}

// A Step is one instruction about to run. It and all it refers to are valid
// only during the callback.
type Step struct {
	PC         uint64
	Op         byte
	Gas        uint64        // left before the instruction is paid
	Stack      []uint256.Int // top is last
	Memory     []byte        // before this instruction expands it
	ReturnData []byte
	Frame      *Frame
}

// Top returns the nth word from the top of the stack, 0 the topmost.
func (s *Step) Top(n int) *uint256.Int { return &s.Stack[len(s.Stack)-1-n] }

// Hooks are what an observer watches. They never steer the execution. Hooks
// are not changed once a Machine has seen them.
type Hooks struct {
	Ops   []byte                                                                // opcodes Step wants; nil means all
	Codes func(*Code) bool                                                      // frames whose instructions Step and Fault want; nil means all; asked once a frame
	Step  func(*Step)                                                           // before an instruction, after its gas was paid
	Dest  func(pc uint64)                                                       // before a JUMPDEST, at a fraction of the cost of a Step; Ops need not name it
	Fault func(s *Step, err error)                                              // the instruction that halts the frame; any opcode
	Enter func(*Frame)                                                          // a frame opens
	Exit  func(f *Frame, status Status, ret []byte, gasUsed uint64, halt error) // a frame closes; halt is go-ethereum's error for Halt
	Log   func(f *Frame, l *Log)                                                // an event, reverted or not

	// Lean makes instructions that are not in Ops run as if nobody watched. A
	// Step then has no Gas and no ReturnData, its Memory may be expanded
	// already, and Fault is not called.
	Lean bool
}
