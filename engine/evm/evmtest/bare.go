package evmtest

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/state"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"

	"leveret/engine/evm"
)

// A Bare runs Calls on go-ethereum's interpreter as fast as that can: one EVM
// without hooks, on its own state.StateDB, and of each Call nothing stays. All
// Calls have the same sender, contract and block.
type Bare struct {
	machine *vm.EVM
	state   *state.StateDB
}

// NewBare returns a Bare for Calls of from to to in block b on the state of w.
func NewBare(w *evm.World, b evm.BlockContext, from, to common.Address) (*Bare, error) {
	r, err := NewReference()
	if err != nil {
		return nil, err
	}
	r.load(w)
	context := blockContext(&b)
	context.Transfer = move
	x := &Bare{vm.NewEVM(context, r.state, chainConfig, vm.Config{}), r.state}
	x.machine.SetTxContext(vm.TxContext{Origin: from, GasPrice: new(uint256.Int)})
	x.state.Prepare(chainRules, from, b.Coinbase, &to, vm.ActivePrecompiles(chainRules), types.AccessList{})
	return x, nil
}

// move transfers wei, and leaves the rules of the EVM as they are for the next
// Call.
func move(db vm.StateDB, from, to common.Address, wei *uint256.Int, _ *params.Rules) {
	db.SubBalance(from, wei, tracing.BalanceChangeTransfer)
	db.AddBalance(to, wei, tracing.BalanceChangeTransfer)
}

// Call executes c and undoes it.
func (x *Bare) Call(c *evm.Call) error {
	snapshot := x.state.Snapshot()
	_, _, err := x.machine.Call(c.From, c.To, c.Data, vm.NewGasBudget(c.Gas, 0), &c.Value)
	x.state.RevertToSnapshot(snapshot)
	return err
}

// Outcome does what Call does and returns the Outcome, without events.
func (x *Bare) Outcome(c *evm.Call) (out evm.Outcome) {
	snapshot := x.state.Snapshot()
	result, left, err := x.machine.Call(c.From, c.To, c.Data, vm.NewGasBudget(c.Gas, 0), &c.Value)
	out.Return, out.GasUsed = result, c.Gas-left.ExecutionGas
	switch {
	case err == vm.ErrExecutionReverted:
		out.Status = evm.Revert
	case err != nil:
		out.Status, out.Halt, out.Return = evm.Halt, err, nil
	default:
		out.Refund = x.state.GetRefund()
	}
	x.state.RevertToSnapshot(snapshot)
	return out
}
