package evmtest

import (
	"bytes"
	"fmt"
	"math/big"
	"slices"

	"leveret/engine/evm"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/state"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"
)

var (
	chainConfig = params.MergedTestChainConfig
	chainRules  = chainConfig.Rules(common.Big0, true, 0)
)

// A Reference runs Calls on go-ethereum's interpreter and its own
// state.StateDB, with a new EVM for each.
type Reference struct {
	state *state.StateDB
	seen  map[common.Address]map[common.Hash]bool // accounts and words to compare
}

// NewReference returns a Reference without accounts.
func NewReference() (*Reference, error) {
	db, err := state.New(types.EmptyRootHash, state.NewDatabaseForTesting())
	if err != nil {
		return nil, err
	}
	return &Reference{state: db, seen: make(map[common.Address]map[common.Hash]bool)}, nil
}

// Fork copies everything.
func (r *Reference) Fork() *Reference {
	f := &Reference{state: r.state.Copy(), seen: make(map[common.Address]map[common.Hash]bool, len(r.seen))}
	for addr, keys := range r.seen {
		f.saw(addr)
		for key := range keys {
			f.seen[addr][key] = true
		}
	}
	return f
}

func (r *Reference) saw(addr common.Address) map[common.Hash]bool {
	keys := r.seen[addr]
	if keys == nil {
		keys = make(map[common.Hash]bool)
		r.seen[addr] = keys
	}
	return keys
}

// set mirrors the set-up API of World.
func (r *Reference) set(addr common.Address, wei *uint256.Int, code []byte) {
	r.saw(addr)
	r.state.SetBalance(addr, wei, tracing.BalanceChangeUnspecified)
	if len(code) > 0 {
		r.state.SetCode(addr, code, tracing.CodeChangeUnspecified)
	}
	r.state.Finalise(chainRules)
}

// setStorage writes a word. A creation at addr looks for storage in the root of
// its trie, so that is computed.
func (r *Reference) setStorage(addr common.Address, key, value common.Hash) {
	r.saw(addr)[key] = true
	r.state.SetState(addr, key, value)
	r.state.IntermediateRoot(chainRules)
}

// load copies the state of w.
func (r *Reference) load(w *evm.World) {
	for addr := range w.Accounts() {
		balance, keys := w.Balance(addr), r.saw(addr)
		r.state.SetBalance(addr, &balance, tracing.BalanceChangeUnspecified)
		r.state.SetNonce(addr, w.Nonce(addr), tracing.NonceChangeUnspecified)
		if code := w.Code(addr); code != nil {
			r.state.SetCode(addr, code.Bytes, tracing.CodeChangeUnspecified)
		}
		for key, value := range w.Slots(addr) {
			keys[key] = true
			r.state.SetState(addr, key, value)
		}
	}
	r.state.IntermediateRoot(chainRules)
}

// hooks note what a Call may have changed, and its steps in t unless that is
// nil.
func (r *Reference) hooks(t *trace) *tracing.Hooks {
	h := &tracing.Hooks{
		OnEnter: func(depth int, op byte, from, to common.Address, input []byte, gas uint64, value *big.Int) {
			r.saw(from)
			r.saw(to)
			if t != nil {
				t.enter(depth+1, to, gas, input)
				self := to
				if op := vm.OpCode(op); op == vm.DELEGATECALL || op == vm.CALLCODE {
					self = from
				}
				t.recording.Enter(&evm.Frame{Self: self})
			}
		},
		OnOpcode: func(pc uint64, op byte, gas, _ uint64, scope tracing.OpContext, returned []byte, depth int, err error) {
			if vm.OpCode(op) == vm.SSTORE && err == nil {
				stack := scope.StackData()
				r.saw(scope.Address())[stack[len(stack)-1].Bytes32()] = true
			}
			switch {
			case t == nil:
			case err != nil:
				t.fault(depth, pc, op, gas, cause(err))
			default:
				t.step(depth, pc, op, gas, scope.StackData(), scope.MemoryData(), returned)
				t.recording.instruction(pc, op, scope.StackData(), scope.MemoryData())
			}
		},
	}
	if t != nil {
		h.OnExit = func(depth int, output []byte, gasUsed uint64, err error, _ bool) {
			t.exit(depth+1, gasUsed, output, cause(err))
			t.recording.Exit(nil, 0, nil)
		}
		h.OnFault = func(pc uint64, op byte, gas, _ uint64, _ tracing.OpContext, depth int, err error) {
			if err := cause(err); err != vm.ErrExecutionReverted {
				t.fault(depth, pc, op, gas, err)
			}
		}
	}
	return h
}

// context returns what evm documents for the values of a block.
func blockContext(b *evm.BlockContext) vm.BlockContext {
	random := b.Prevrandao
	return vm.BlockContext{
		CanTransfer: func(db vm.StateDB, from common.Address, wei *uint256.Int) bool {
			return !db.GetBalance(from).Lt(wei)
		},
		Transfer: func(db vm.StateDB, from, to common.Address, wei *uint256.Int, rules *params.Rules) {
			rules.IsShanghai = false // as on a Machine, no limit on creation code
			db.SubBalance(from, wei, tracing.BalanceChangeTransfer)
			db.AddBalance(to, wei, tracing.BalanceChangeTransfer)
		},
		GetHash:     evm.BlockHash,
		BlockNumber: new(big.Int).SetUint64(b.Number),
		Time:        b.Timestamp,
		Coinbase:    b.Coinbase,
		GasLimit:    b.GasLimit,
		BaseFee:     b.BaseFee.ToBig(),
		Difficulty:  new(big.Int),
		BlobBaseFee: big.NewInt(1),
		Random:      &random,
	}
}

// Execute does what Machine.Execute promises.
func (r *Reference) Execute(b evm.BlockContext, c evm.Call) evm.Outcome { return r.execute(b, c, nil) }

// execute runs c and writes its steps to t unless that is nil. A revert across
// Prepare would panic in state.StateDB, so Prepare comes before the snapshot.
func (r *Reference) execute(b evm.BlockContext, c evm.Call, t *trace) (out evm.Outcome) {
	if c.Gas == 0 {
		c.Gas = evm.DefaultGas
	}
	machine := vm.NewEVM(blockContext(&b), r.state, chainConfig, vm.Config{Tracer: r.hooks(t)})
	machine.SetTxContext(vm.TxContext{Origin: c.From, GasPrice: new(uint256.Int)})
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
		out.Return, out.Created, left, err = machine.Create(c.From, c.Data, vm.NewGasBudget(c.Gas, 0), &c.Value)
	} else {
		out.Return, left, err = machine.Call(c.From, c.To, c.Data, vm.NewGasBudget(c.Gas, 0), &c.Value)
	}
	out.GasUsed = c.Gas - left.ExecutionGas
	switch {
	case err == vm.ErrExecutionReverted:
		out.Status = evm.Revert
	case err != nil:
		out.Status, out.Halt, out.Return = evm.Halt, err, nil
	default:
		if c.Create {
			out.Return = nil // the code is in the state
		}
		out.Refund = r.state.GetRefund()
		for _, l := range r.state.Logs()[logs:] {
			out.Logs = append(out.Logs, evm.Log{Address: l.Address, Topics: l.Topics, Data: l.Data})
		}
	}
	if err != nil {
		out.Created = common.Address{}
		r.state.RevertToSnapshot(snapshot)
	}
	r.state.Finalise(chainRules)
	return out
}

// CompareOutcomes describes the difference of two Outcomes; nil if there is
// none.
func CompareOutcomes(got, want evm.Outcome) error {
	sameHalt := (got.Halt == nil) == (want.Halt == nil) && (got.Halt == nil || got.Halt.Error() == want.Halt.Error())
	if got.Status != want.Status || !sameHalt || got.GasUsed != want.GasUsed || got.Refund != want.Refund ||
		got.Created != want.Created || !bytes.Equal(got.Return, want.Return) {
		return fmt.Errorf("outcome\n got %+v\nwant %+v", got, want)
	}
	same := func(a, b evm.Log) bool {
		return a.Address == b.Address && slices.Equal(a.Topics, b.Topics) && bytes.Equal(a.Data, b.Data)
	}
	if !slices.EqualFunc(got.Logs, want.Logs, same) {
		return fmt.Errorf("logs\n got %+v\nwant %+v", got.Logs, want.Logs)
	}
	return nil
}

// Compare describes a difference between w and the state of r; nil if there is
// none. It compares the accounts of w, and those and the words that Calls on r
// touched.
func (r *Reference) Compare(w *evm.World) error {
	for addr := range w.Accounts() {
		keys := r.saw(addr)
		for key := range w.Slots(addr) {
			keys[key] = true
		}
	}
	for addr, keys := range r.seen {
		if err := r.compareAccount(w, addr); err != nil {
			return err
		}
		for key := range keys {
			if got, want := w.Storage(addr, key), r.state.GetState(addr, key); got != want {
				return fmt.Errorf("storage of %v at %v: got %v, want %v", addr, key, got, want)
			}
		}
	}
	return nil
}

func (r *Reference) compareAccount(w *evm.World, addr common.Address) error {
	balance := w.Balance(addr)
	if want := r.state.GetBalance(addr); balance != *want {
		return fmt.Errorf("balance of %v: got %v, want %v", addr, &balance, want)
	}
	if got, want := w.Nonce(addr), r.state.GetNonce(addr); got != want {
		return fmt.Errorf("nonce of %v: got %v, want %v", addr, got, want)
	}
	if got, want := w.Exists(addr), r.state.Exist(addr); got != want {
		return fmt.Errorf("existence of %v: got %v, want %v", addr, got, want)
	}
	var code []byte
	if c := w.Code(addr); c != nil {
		code = c.Bytes
	}
	if want := r.state.GetCode(addr); !bytes.Equal(code, want) {
		return fmt.Errorf("code of %v: got %x, want %x", addr, code, want)
	}
	return nil
}
