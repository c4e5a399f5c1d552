package lookahead

import (
	"bytes"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	gethstate "github.com/ethereum/go-ethereum/core/state"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/runtime"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
)

// A moment is the concrete state before an instruction.
type moment struct {
	pc     uint32
	stack  []uint256.Int
	memory []byte
	quiet  bool                           // the instruction before it wrote to the stack only
	stored map[uint256.Int][2]uint256.Int // storage and transient storage at the recorder's keys
}

// A frameRecord is a frame that ran, in full.
type frameRecord struct {
	trace   *FrameTrace
	moments []moment
	jumped  bool // the last instruction was a jump: where it led is not known yet
	input   []byte
}

// A recorder makes Traces from what go-ethereum runs.
type recorder struct {
	ids   map[string]int // code -> number
	codes []*bytecode.Code
	open  []*frameRecord
	all   []*frameRecord // closed ones last
	full  bool           // keep moments
	keys  []uint64       // storage to keep in them
	state *gethstate.StateDB
}

func (r *recorder) id(code []byte) int {
	if id, ok := r.ids[string(code)]; ok {
		return id
	}
	if r.ids == nil {
		r.ids = map[string]int{}
	}
	r.ids[string(code)] = len(r.codes)
	r.codes = append(r.codes, bytecode.New(common.CopyBytes(code)))
	return len(r.codes) - 1
}

func (r *recorder) hooks() *tracing.Hooks {
	return &tracing.Hooks{
		OnEnter: func(_ int, _ byte, _, _ common.Address, _ []byte, _ uint64, _ *big.Int) {
			r.open = append(r.open, &frameRecord{})
		},
		OnExit: func(_ int, _ []byte, _ uint64, _ error, _ bool) {
			f := r.open[len(r.open)-1]
			r.open = r.open[:len(r.open)-1]
			r.all = append(r.all, f)
			if len(r.open) == 0 {
				return
			}
			parent := r.open[len(r.open)-1]
			if parent.trace != nil {
				calls := parent.trace.Calls
				last := parent.moments[len(parent.moments)-1]
				parent.trace.Calls = append(calls, Call{last.pc, len(parent.trace.Dests), f.trace})
			}
		},
		OnOpcode: func(pc uint64, op byte, _, _ uint64, scope tracing.OpContext, _ []byte, _ int, _ error) {
			f := r.open[len(r.open)-1]
			if f.trace == nil {
				f.trace = &FrameTrace{Code: r.id(scope.ContractCode())}
			}
			if f.jumped {
				f.trace.Dests = append(f.trace.Dests, uint32(pc))
			}
			f.jumped = op == bytecode.JUMP || op == bytecode.JUMPI
			m := moment{pc: uint32(pc)}
			if r.full {
				m.stack = append(m.stack, scope.StackData()...)
				m.memory = f.keep(scope.MemoryData())
				m.stored = r.stored(scope.Address())
			}
			f.moments = append(f.moments, m)
		},
	}
}

// keep copies memory, unless it is as it was at the instruction before.
func (f *frameRecord) keep(memory []byte) []byte {
	if n := len(f.moments); n > 0 && bytes.Equal(f.moments[n-1].memory, memory) {
		return f.moments[n-1].memory
	}
	return common.CopyBytes(memory)
}

func (r *recorder) stored(at common.Address) map[uint256.Int][2]uint256.Int {
	if len(r.keys) == 0 {
		return nil
	}
	all := map[uint256.Int][2]uint256.Int{}
	for _, k := range r.keys {
		key := uint256.NewInt(k)
		slot := r.state.GetState(at, key.Bytes32())
		transient := r.state.GetTransientState(at, key.Bytes32())
		all[*key] = [2]uint256.Int{*new(uint256.Int).SetBytes(slot[:]), *new(uint256.Int).SetBytes(transient[:])}
	}
	return all
}

// osaka has all opcodes.
var osaka = func() *params.ChainConfig {
	c := *params.MergedTestChainConfig
	zero := uint64(0)
	c.OsakaTime = &zero
	return &c
}()

// A world is a chain on which contracts run.
type world struct {
	recorder
}

func newWorld() *world {
	s, err := gethstate.New(types.EmptyRootHash, gethstate.NewDatabaseForTesting())
	if err != nil {
		panic(err)
	}
	return &world{recorder{state: s}}
}

func (w *world) config(from common.Address, gas uint64) *runtime.Config {
	return &runtime.Config{
		ChainConfig: osaka, State: w.state, Origin: from, GasLimit: gas,
		BlockNumber: big.NewInt(7), Time: 1_700_000_000,
		EVMConfig: vm.Config{Tracer: w.hooks()},
	}
}

// call runs a transaction and returns its frames, the outermost last.
func (w *world) call(from, to common.Address, input []byte, gas uint64) []*frameRecord {
	w.all, w.open = nil, nil
	runtime.Call(to, input, w.config(from, gas))
	w.state.Finalise(osaka.Rules(big.NewInt(7), true, 1_700_000_000))
	for _, f := range w.all {
		f.input = input
	}
	return w.all
}

// create deploys creation code and returns the address.
func (w *world) create(from common.Address, code []byte) (common.Address, []*frameRecord, error) {
	w.all, w.open = nil, nil
	_, at, _, err := runtime.Create(code, w.config(from, 30_000_000))
	w.state.Finalise(osaka.Rules(big.NewInt(7), true, 1_700_000_000))
	return at, w.all, err
}

func (w *world) setCode(at common.Address, code []byte) {
	w.state.CreateAccount(at)
	w.state.SetCode(at, code, tracing.CodeChangeUnspecified)
}
