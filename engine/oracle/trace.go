package oracle

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/shadow"
)

// A Variant is the transaction of a Report with one thing changed: a part of
// an input, or the block that it runs in.
type Variant struct {
	Flow   *shadow.Flow            // what of which input; nil: the input stays
	Field  uint256.Int             // and what that becomes
	Was    *uint256.Int            // if Flow is nil: every argument of this value becomes Field
	Block  func(*evm.BlockContext) // nil: the block stays
	Effect finding.Effect          // of the Report with the change, instead of the Report's own
}

// A Trace is what a transaction did, as far as a doubt can turn on it. What
// frames did that failed is left out.
type TxSummary struct {
	Status    evm.Status
	Transfers []Transfer
	Delegates []common.Address // whose code ran on the storage of another
	Writes    []common.Hash    // slots written
	Jumps     []uint64         // destinations of the Site that is watched
}

// A Transfer moved wei.
type Transfer struct {
	From, To common.Address
	Wei      uint256.Int
}

// A Tracer makes a Trace of one transaction.
type Tracer struct {
	TxSummary
	hooks evm.Hooks
	open  []TxSummary // as they were when the open frames began
}

// NewTracer returns a Tracer that watches where the jump at a Site goes.
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

// Hooks returns what to run the transaction with.
func (t *Tracer) Hooks() *evm.Hooks { return &t.hooks }
