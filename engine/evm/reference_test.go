package evm

import (
	"bytes"
	"math/big"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/state"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"
)

// A reference runs the Calls of the differential tests on go-ethereum's own
// state.StateDB, with a new EVM for each.
type reference struct {
	t     testing.TB
	state *state.StateDB
	seen  map[common.Address]map[common.Hash]bool // accounts and words to compare
}

func newReference(t testing.TB) *reference {
	db, err := state.New(types.EmptyRootHash, state.NewDatabaseForTesting())
	if err != nil {
		t.Fatal(err)
	}
	return &reference{t: t, state: db, seen: make(map[common.Address]map[common.Hash]bool)}
}

// fork copies everything.
func (r *reference) fork() *reference {
	f := &reference{t: r.t, state: r.state.Copy(), seen: make(map[common.Address]map[common.Hash]bool)}
	for addr, keys := range r.seen {
		f.saw(addr)
		for key := range keys {
			f.seen[addr][key] = true
		}
	}
	return f
}

func (r *reference) saw(addr common.Address) {
	if r.seen[addr] == nil {
		r.seen[addr] = make(map[common.Hash]bool)
	}
}

// set mirrors the set-up API of World.
func (r *reference) set(addr common.Address, wei uint64, code []byte) {
	r.saw(addr)
	r.state.SetBalance(addr, uint256.NewInt(wei), tracing.BalanceChangeUnspecified)
	if len(code) > 0 {
		r.state.SetCode(addr, code, tracing.CodeChangeUnspecified)
	}
	r.state.Finalise(chainRules)
}

// watch notes what a Call may have changed.
func (r *reference) watch() *tracing.Hooks {
	return &tracing.Hooks{
		OnEnter: func(_ int, _ byte, from, to common.Address, _ []byte, _ uint64, _ *big.Int) {
			r.saw(from)
			r.saw(to)
		},
		OnOpcode: func(_ uint64, op byte, _, _ uint64, scope tracing.OpContext, _ []byte, _ int, err error) {
			if vm.OpCode(op) == vm.SSTORE && err == nil {
				stack := scope.StackData()
				r.saw(scope.Address())
				r.seen[scope.Address()][stack[len(stack)-1].Bytes32()] = true
			}
		},
	}
}

func (r *reference) context(b *BlockContext) vm.BlockContext {
	context := newBlockContext()
	context.Transfer = func(db vm.StateDB, from, to common.Address, wei *uint256.Int, rules *params.Rules) {
		rules.IsShanghai = false // as on a Machine, no limit on creation code
		transfer(db, from, to, wei)
	}
	setBlock(&context, b)
	return context
}

// execute does what Machine.Execute promises. A revert across Prepare would
// panic in state.StateDB, so Prepare comes before the snapshot.
func (r *reference) execute(b BlockContext, c Call) (out Outcome) {
	evm := vm.NewEVM(r.context(&b), r.state, chainConfig, vm.Config{Tracer: r.watch()})
	evm.SetTxContext(vm.TxContext{Origin: c.From, GasPrice: new(uint256.Int)})
	to := &c.To
	if c.Create {
		to = nil
	}
	r.state.Prepare(chainRules, c.From, b.Coinbase, to, vm.ActivePrecompiles(chainRules), nil)
	r.state.SetTxContext(common.Hash{}, 0, 0)
	logs := len(r.state.Logs())
	snapshot := r.state.Snapshot()
	var left vm.GasBudget
	var err error
	if c.Create {
		_, out.Created, left, err = evm.Create(c.From, c.Data, vm.NewGasBudget(c.Gas, 0), &c.Value)
	} else {
		out.Return, left, err = evm.Call(c.From, c.To, c.Data, vm.NewGasBudget(c.Gas, 0), &c.Value)
	}
	out.GasUsed = c.Gas - left.ExecutionGas
	switch {
	case err == vm.ErrExecutionReverted:
		out.Status = Revert
	case err != nil:
		out.Status, out.Halt, out.Return = Halt, err, nil
	default:
		out.Refund = r.state.GetRefund()
		for _, l := range r.state.Logs()[logs:] {
			out.Logs = append(out.Logs, Log{l.Address, l.Topics, l.Data})
		}
	}
	if err != nil {
		out.Created = common.Address{}
		r.state.RevertToSnapshot(snapshot)
	}
	r.state.Finalise(chainRules)
	return out
}

// compareOutcomes fails the test if two Outcomes differ.
func compareOutcomes(t testing.TB, got, want Outcome) {
	t.Helper()
	sameHalt := (got.Halt == nil) == (want.Halt == nil) && (got.Halt == nil || got.Halt.Error() == want.Halt.Error())
	if got.Status != want.Status || !sameHalt || got.GasUsed != want.GasUsed || got.Refund != want.Refund ||
		got.Created != want.Created || !bytes.Equal(got.Return, want.Return) {
		t.Fatalf("outcome\n got %+v\nwant %+v", got, want)
	}
	same := func(a, b Log) bool {
		return a.Address == b.Address && slices.Equal(a.Topics, b.Topics) && bytes.Equal(a.Data, b.Data)
	}
	if !slices.EqualFunc(got.Logs, want.Logs, same) {
		t.Fatalf("logs\n got %+v\nwant %+v", got.Logs, want.Logs)
	}
}

// compareStates fails the test if w is not what r has.
func compareStates(t testing.TB, w *World, r *reference) {
	t.Helper()
	for addr := range w.Accounts() {
		r.saw(addr)
		for key := range w.Slots(addr) {
			r.seen[addr][key] = true
		}
	}
	for addr, keys := range r.seen {
		balance := w.Balance(addr)
		if want := r.state.GetBalance(addr); balance != *want {
			t.Fatalf("balance of %v: got %v, want %v", addr, &balance, want)
		}
		if got, want := w.Nonce(addr), r.state.GetNonce(addr); got != want {
			t.Fatalf("nonce of %v: got %v, want %v", addr, got, want)
		}
		if got, want := w.Exists(addr), r.state.Exist(addr); got != want {
			t.Fatalf("existence of %v: got %v, want %v", addr, got, want)
		}
		var code []byte
		if c := w.Code(addr); c != nil {
			code = c.Bytes
		}
		if want := r.state.GetCode(addr); !bytes.Equal(code, want) {
			t.Fatalf("code of %v: got %x, want %x", addr, code, want)
		}
		for key := range keys {
			if got, want := w.Storage(addr, key), r.state.GetState(addr, key); got != want {
				t.Fatalf("storage of %v at %v: got %v, want %v", addr, key, got, want)
			}
		}
	}
}
