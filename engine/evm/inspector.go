package evm

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/holiman/uint256"
)

// An Inspector sees the messages and creations of Calls and may change them or
// answer in their place, as cheatcodes do. (The name is revm's.) Recorders and
// Hooks see the frames as the Inspector left them.
//
// A Call may be executed twice: Begin says that it starts again.
type Inspector interface {
	Begin(s *State, env *Env) // env is the World's; nil if nothing set one
	End() *Env                // after a successful Call, of the World that it leads to

	// Before is called before a message or a creation and may change it. If it
	// returns an Ending, no code runs.
	Before(parent *Frame, m *Message) *Ending

	// After is called at the end of every message and creation, and may change how it
	// ended. One that failed and succeeds now gives its Unspent gas back, and its refund,
	// as in revm.
	After(parent *Frame, m *Message, e *Ending)

	// Log is called at an event, and Step before an instruction that State.Watch asked
	// for is charged, both valid during the callback. State.Fail ends their frame.
	Log(f *Frame, l *Log)
	Step(s *Step)
}

// An Env is what Inspectors leave in a World for the Calls after it: the block as
// they changed it, and what they remember. It does not change.
type Env struct {
	Block  func(*BlockContext) // changes the block of a Call; nil: nothing
	Tx     *TxContext          // nil: that of the Call
	Hashes map[uint64]common.Hash
	Memory any // the Inspector's own
	Size   int // bytes that Memory and Hashes take, as State.Hold counts them
}

// A Message is a call or a creation before it runs. The outermost one has no
// parent.
type Message struct {
	Kind   FrameKind
	From   common.Address // msg.sender, who pays Value; an Inspector may change it
	Self   common.Address // whose storage is used; an Inspector may change it for a delegate call
	To     common.Address // whose code runs, which an Inspector may change; of a creation, the new contract once it is known
	Input  []byte         // calldata or creation code; not to be kept
	Value  uint256.Int    // 0 for the kinds without
	Gas    uint64
	Static bool         // no state may change
	Salt   *uint256.Int // of a CREATE2

	// Isolated makes a CALL or CREATE of the outermost frame a transaction of its own
	// inside the Call, with an access list; an Inspector may set them.
	Isolated   bool
	AccessList AccessList
}

// Creates reports whether the message is a creation.
func (m *Message) Creates() bool { return m.Kind == FrameCreate || m.Kind == FrameCreate2 }

// An Ending is how a message or creation ended.
type Ending struct {
	Output  []byte
	Left    uint64         // gas
	Unspent uint64         // gas that it had left when it failed, of which a halt leaves nothing; inexact unless State.Exact
	Created common.Address // of a successful creation
	Err     error          // nil, ErrReverted, or why it halted
}

// Errors of an Ending.
var (
	ErrReverted = vm.ErrExecutionReverted
	ErrRestart  = errInexact // the Call starts again, in the exact mode; see State.Exact
)

// Failed reports whether the message did not succeed.
func (e *Ending) Failed() bool { return e.Err != nil }

// inspect executes a message or a creation under the Inspector.
func (m *Machine) inspect(parent *frame, msg *Message) Ending {
	var up *Frame
	if parent != nil {
		up = &parent.Frame
	}
	refund := uint64(0) // of a failure
	end := m.Inspector.Before(up, msg)
	switch {
	case end != nil:
		end.Unspent = end.Left
		_ = m.work(answerGas + byteGas*uint64(len(msg.Input)+len(end.Output))) // the Call ends below
		f := m.open(parent, msg.Kind, &msg.From, &msg.Self, &msg.To, msg.Input, msg.Gas, &msg.Value)
		f.Code = nil
		f.announce()
		f.close(end.Output, end.Left, end.Err)
	case msg.Isolated:
		done := m.transact(parent, msg)
		end = &done
	case msg.Creates():
		made := m.create(parent, msg)
		end = &made
		end.Unspent, refund = m.failure(parent, end)
	default:
		end = &Ending{}
		end.Output, end.Left, end.Err = m.send(parent, msg.Kind, &msg.From, &msg.Self, &msg.To, msg.Input, msg.Gas, &msg.Value)
		end.Unspent, refund = m.failure(parent, end)
	}
	if !unwinds(end.Err) {
		failed := end.Err != nil
		m.Inspector.After(up, msg, end)
		if failed && end.Err == nil {
			end.Left = end.Unspent
			m.overlay.addRefund(int64(refund))
		}
	}
	if stopped := m.overlay.accounts.err; stopped != nil && !unwinds(end.Err) {
		end.Err = stopped
	}
	return *end
}

// failure returns what a message of a frame had when it failed.
func (m *Machine) failure(parent *frame, end *Ending) (unspent, refund uint64) {
	if end.Err == nil {
		return 0, 0
	}
	depth := 0
	if parent != nil {
		depth = parent.Depth
	}
	last := m.frameAt(depth).failure
	return max(end.Left, last.unspent), last.refund
}
