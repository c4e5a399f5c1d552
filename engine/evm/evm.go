// Package evm executes transactions over copy-on-write Worlds, for observers.
//
// It knows no search, coverage, oracle or source, nor which contract is under
// test. Precompiled contracts, cryptography and the reference of its tests are
// go-ethereum's; no other package imports go-ethereum/core.
//
// A World is the state between transactions: a handle on immutable layers.
// Keeping the World after each prefix of a corpus costs only what the prefix
// wrote. A Machine executes Calls on Worlds. During a Call an overlay holds what
// it touched, with a journal for nested reverts; at the end it commits the
// differences.
//
// There are two modes with equal Outcomes. The exact mode executes one
// instruction at a time, and Hooks see each. The fast mode executes a
// translation of the code and tells a Recorder only what it asked for. A Call
// whose end depends on the last unit of gas, stack or instruction cap starts
// again in the exact mode. See docs/engine.md, "Executing".
//
// Equal to the chain: instructions, gas, refunds, warm and cold access,
// EIP-6780, EIP-1153, EIP-7702 delegations, precompiles; the forks London,
// Shanghai, Cancun, Prague and Osaka. Different: no intrinsic gas, fees or signatures; no limits
// on code size unless Chain.Limits is set; nonces of senders grow only by
// creations; block hashes are pseudo-random; and instructions that take too long
// for their gas stop the Call like the instruction cap.
package evm

import (
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
)

// A Code is one piece of bytecode. Codes are interned, so a pointer or ID
// identifies the bytecode; see Codes.
type Code struct {
	ID    int         // dense, from 0, in order of first occurrence; shared by codes that are alike, see Free
	Hash  common.Hash // keccak of Bytes
	Bytes []byte      // never changed
	Init  bool        // creation code: runs once, in a create frame

	blocks []uint16 // see ahead
	dests  []uint64 // valid jump destinations, see destinations
	shape  *shape   // what it shares with others; nil: it has its ID alone

	analysis struct {
		sync.Once
		code *bytecode.Code
	}
}

// Analysis returns the static analysis of the code, which all that observe it share.
func (c *Code) Analysis() *bytecode.Code {
	c.analysis.Do(func() { c.analysis.code = bytecode.New(c.Bytes, c.Free()...) })
	return c.analysis.code
}

// A Status is how a frame or transaction ended.
type Status uint8

// The ways a frame ends. Revert and Halt are data, not errors.
const (
	Success Status = iota
	Revert         // REVERT: state undone, data returned, gas left
	Halt           // exceptional halt: INVALID, out of gas, bad jump, stack …
)

// A Call is a message from an external account: a transaction without a
// signature.
type Call struct {
	From   common.Address
	To     common.Address
	Create bool   // Data is creation code; To is where it creates a contract, or zero: the address by From's nonce
	Data   []byte // never changed
	Value  uint256.Int
	Gas    uint64 // 0 means DefaultGas

	AccessList AccessList      // accounts and words that are warm from the start [EIP-2930]
	Overrides  []StateOverride // each word once
	Tx         *TxContext      // nil: the price of the Chain, no blobs
}

// A StateOverride is a storage word that a Call finds other than its World has it, as
// in eth_call. Of the word the Call leaves what it wrote there.
type StateOverride struct {
	Slot  Slot
	Value common.Hash
}

// DefaultGas is the gas of a Call with Gas 0.
const DefaultGas = 30_000_000

// A Slot is one storage word of one account.
type Slot struct {
	Address common.Address
	Key     common.Hash
}

// A BlockContext holds the values of the block opcodes.
type BlockContext struct {
	Number     uint64
	Timestamp  uint64
	Prevrandao common.Hash
	Coinbase   common.Address
	BaseFee    uint256.Int
	GasLimit   uint64
	ChainID    uint64 // 0: that of the main network
	Beyond     *Beyond
}

// Beyond is by how much an Inspector raised the number and the time of a block beyond
// 64 bits: multiples of 2^64. It is immutable; nil: by nothing.
type Beyond struct{ Number, Timestamp uint256.Int }

// Height returns the number of the block.
func (b *BlockContext) Height() (n uint256.Int) {
	n.SetUint64(b.Number)
	if b.Beyond != nil {
		n.Or(&n, &b.Beyond.Number)
	}
	return n
}

// SetHeight sets the number of the block.
func (b *BlockContext) SetHeight(n *uint256.Int) {
	now := b.Time()
	b.Number, b.Beyond = n.Uint64(), beyond(n, &now)
}

// Time returns the time of the block.
func (b *BlockContext) Time() (t uint256.Int) {
	t.SetUint64(b.Timestamp)
	if b.Beyond != nil {
		t.Or(&t, &b.Beyond.Timestamp)
	}
	return t
}

// SetTime sets the time of the block.
func (b *BlockContext) SetTime(t *uint256.Int) {
	now := b.Height()
	b.Timestamp, b.Beyond = t.Uint64(), beyond(&now, t)
}

func beyond(number, timestamp *uint256.Int) *Beyond {
	if number.IsUint64() && timestamp.IsUint64() {
		return nil
	}
	b := &Beyond{*number, *timestamp}
	b.Number[0], b.Timestamp[0] = 0, 0
	return b
}

// An Outcome is the result of a Call.
type Outcome struct {
	Status  Status
	Return  []byte         // return or revert data, owned by the caller; nil for a successful creation
	Halt    error          // go-ethereum's error if Status is Halt
	Created common.Address // of a successful creation
	GasUsed uint64         // of the execution, before the refund; no intrinsic gas
	Refund  uint64         // final counter; a chain refunds at most a fifth of GasUsed
	Logs    []Log          // nil unless Success
	Slow    bool           // stopped by the instruction cap or by a bound; Halt is ErrSlow or ErrHeld
	Short   bool           // a frame halted with ErrMemory
}

// Unfinished reports whether the Call did not end by itself: the Machine was
// cancelled, or a Source failed. The Outcome says nothing about the contracts.
func (o *Outcome) Unfinished() bool {
	_, failed := o.Halt.(*SourceError)
	return failed || o.Halt == ErrCancelled
}

// A Log is an event.
type Log struct {
	Address common.Address
	Topics  []common.Hash
	Data    []byte
}

// transferTopic is the first topic of Transfer(address,address,uint256), the event of
// ERC-20 and ERC-721.
var transferTopic = crypto.Keccak256Hash([]byte("Transfer(address,address,uint256)"))

// A Transfer moves an amount of a token of ERC-20, or one token of ERC-721.
type Transfer struct {
	From, To common.Address // zero: the token is created or destroyed
	Value    uint256.Int    // amount, or number of the single token
	Single   bool           // Value is a number
}

// Transfer decodes the transfer of a token; false if the event is none.
func (l *Log) Transfer() (t Transfer, ok bool) {
	if len(l.Topics) < 3 || l.Topics[0] != transferTopic {
		return t, false
	}
	switch {
	case len(l.Topics) == 3 && len(l.Data) == 32:
		t.Value.SetBytes(l.Data)
	case len(l.Topics) == 4 && len(l.Data) == 0:
		t.Value.SetBytes32(l.Topics[3][:])
		t.Single = true
	default:
		return t, false
	}
	t.From, t.To = common.BytesToAddress(l.Topics[1][:]), common.BytesToAddress(l.Topics[2][:])
	return t, true
}

// A FrameKind is the instruction that opened a frame.
type FrameKind uint8

// The kinds of frames.
const (
	FrameCall FrameKind = iota
	FrameCallCode
	FrameDelegateCall
	FrameStaticCall
	FrameCreate
	FrameCreate2
	FrameSelfDestruct // the transfer of SELFDESTRUCT; runs no code
)

// A Frame is one message call or creation while it runs. The Machine reuses
// Frames: observers copy what they keep.
type Frame struct {
	Kind   FrameKind
	Depth  int            // 1 for the outermost
	Parent *Frame         // nil for the outermost
	Code   *Code          // the running code; nil for an account without code or a precompile
	From   common.Address // msg.sender
	To     common.Address // account that is called; code holder for delegate calls
	Self   common.Address // address(this): whose storage is used
	Value  uint256.Int
	Input  []byte // calldata, or creation code; not to be changed or kept
	PC     uint64 // pc in Parent of the instruction that opened the frame
	Number int    // index of the frame in the Call, from 0, in order of entry
	Gas    uint64 // gas given to the frame

	watched bool // Hooks.Codes wants its instructions
}

// A Step is one instruction about to run. It and its fields are valid only
// during the callback.
type Step struct {
	PC         uint64
	Op         byte
	Gas        uint64        // before the cost of the instruction
	Stack      []uint256.Int // the top is last
	Memory     []byte        // before the instruction expands it
	ReturnData []byte
	Frame      *Frame
}

// Top returns the nth word from the top of the stack, 0 the topmost.
func (s *Step) Top(n int) *uint256.Int { return &s.Stack[len(s.Stack)-1-n] }

// Hooks are the callbacks of an observer. They never affect the execution.
// Hooks must not change once a Machine has used them.
type Hooks struct {
	Ops   []byte                                                                // opcodes for Step; nil means all
	Codes func(*Code) bool                                                      // frames for Step and Fault, called once per frame; nil means all
	Step  func(*Step)                                                           // before an instruction, after its gas was charged
	Fault func(s *Step, err error)                                              // at the instruction that halts the frame; any opcode
	Enter func(*Frame)                                                          // at the start of a frame
	Exit  func(f *Frame, status Status, ret []byte, gasUsed uint64, halt error) // at the end of a frame; halt is go-ethereum's error for Halt
	Log   func(f *Frame, l *Log)                                                // at an event, reverted or not
}
