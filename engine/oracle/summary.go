package oracle

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/shadow"
)

// A Variant is the transaction of a Report with one change: a part of an input,
// or the block.
type Variant struct {
	Flow   *shadow.Flow            // the input and its field; nil: the input is unchanged
	Field  uint256.Int             // and the new value of the field
	Was    *uint256.Int            // if Flow is nil: every argument of this value becomes Field
	Block  func(*evm.BlockContext) // nil: the block is unchanged
	Effect finding.Effect          // replaces the Report's own
}

// A TxSummary is the result of a transaction as Variants are compared. It
// excludes failed frames.
type TxSummary struct {
	Status    evm.Status
	Transfers []Transfer
	Delegates []common.Address // accounts whose code ran on the storage of another
	Writes    []common.Hash    // slots written
	Jumps     []uint64         // destinations of the watched Site
}

// A Transfer is a transfer of wei.
type Transfer struct {
	From, To common.Address
	Wei      uint256.Int
}

// A Tracer records the TxSummary of one transaction.
type Tracer struct {
	TxSummary
	hooks evm.Hooks
	open  []TxSummary // values at the start of each open frame
}

// NewTracer returns a Tracer that also records the destinations of the jump at
// a Site.
func NewTracer(jump Site) *Tracer {
	t := &Tracer{}
	t.hooks = evm.Hooks{
		Ops: []byte{bytecode.SSTORE, bytecode.JUMP, bytecode.JUMPI},
		Step: func(s *evm.Step) {
			switch {
			case s.Op == bytecode.SSTORE:
				t.Writes = append(t.Writes, common.Hash(s.Top(0).Bytes32()))
			case s.PC == jump.PC && s.Frame.Code == jump.Code && s.Top(0).IsUint64():
				t.Jumps = append(t.Jumps, s.Top(0).Uint64())
			}
		},
		Enter: t.enter,
		Exit: func(f *evm.Frame, status evm.Status, _ []byte, _ uint64, _ error) {
			last := len(t.open) - 1
			if status != evm.Success {
				t.TxSummary = t.open[last]
			}
			t.open, t.Status = t.open[:last], status
		},
	}
	return t
}

func (t *Tracer) enter(f *evm.Frame) {
	t.open = append(t.open, t.TxSummary)
	switch {
	case f.Kind == evm.FrameDelegateCall || f.Kind == evm.FrameCallCode:
		t.Delegates = append(t.Delegates, f.To)
	case f.Depth > 1 && !f.Value.IsZero():
		t.Transfers = append(t.Transfers, Transfer{f.From, f.To, f.Value})
	}
}

// Hooks returns the hooks for the Machine.
func (t *Tracer) Hooks() *evm.Hooks { return &t.hooks }
