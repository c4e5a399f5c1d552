package cover

import (
	"encoding/hex"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/state"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"

	"leveret/engine/evm"
)

// payer owns all that the token's constructor gives.
var payer = common.HexToAddress("0xa11ce")

// A tokenMix is a World with an ERC-20 token, and calls to it.
type tokenMix struct {
	creation []byte
	world    *evm.World
	token    common.Address
	calls    [][]byte
	steps    float64 // per call
}

func newMix(b *testing.B) *tokenMix {
	text, err := os.ReadFile("../evm/testdata/token.hex")
	if err != nil {
		b.Fatal(err)
	}
	x := &tokenMix{world: evm.NewWorld(evm.NewCodes())}
	if x.creation, err = hex.DecodeString(strings.TrimSpace(string(text))); err != nil {
		b.Fatal(err)
	}
	supply := common.BigToHash(common.Big256)
	supply[10] = 1
	x.creation = append(x.creation, supply[:]...)
	m := evm.NewMachine()
	x.world.SetBalance(payer, uint256.NewInt(1_000_000))
	out := m.Execute(x.world, evm.BlockContext{Number: 1}, evm.Call{From: payer, Create: true, Data: x.creation}, nil)
	if out.Status != evm.Success {
		b.Fatalf("the token does not deploy: %+v", out)
	}
	x.token = out.Created
	r := rand.New(rand.NewPCG(1, 1))
	word := func(b []byte) []byte { return common.LeftPadBytes(b, 32) }
	for range 256 {
		var to common.Address
		to[19], to[3] = byte(r.IntN(16)), 1
		value := word([]byte{byte(r.IntN(100))})
		switch r.IntN(8) {
		case 0:
			x.calls = append(x.calls, append(append(common.FromHex("095ea7b3"), word(to[:])...), value...))
		case 1:
			x.calls = append(x.calls, append(common.FromHex("70a08231"), word(to[:])...))
		default:
			x.calls = append(x.calls, append(append(common.FromHex("a9059cbb"), word(to[:])...), value...))
		}
	}
	n := 0
	h := &evm.Hooks{Step: func(*evm.Step) { n++ }}
	for _, data := range x.calls {
		if out := m.Execute(x.world.Fork(), evm.BlockContext{Number: 1}, x.call(data), h); out.Status != evm.Success {
			b.Fatalf("a call fails: %+v", out)
		}
	}
	x.steps = float64(n) / float64(len(x.calls))
	return x
}

func (x *tokenMix) call(data []byte) evm.Call {
	return evm.Call{From: payer, To: x.token, Data: data}
}

// bare runs the mix on go-ethereum alone: one EVM, its own StateDB, snapshot
// and revert around every call.
func (x *tokenMix) bare(b *testing.B, tracer *tracing.Hooks) func(i int) {
	db, err := state.New(types.EmptyRootHash, state.NewDatabaseForTesting())
	if err != nil {
		b.Fatal(err)
	}
	config := params.MergedTestChainConfig
	rules := config.Rules(common.Big0, true, 0)
	context := vm.BlockContext{
		CanTransfer: func(vm.StateDB, common.Address, *uint256.Int) bool { return true },
		Transfer:    func(vm.StateDB, common.Address, common.Address, *uint256.Int, *params.Rules) {},
		BlockNumber: big.NewInt(1), Difficulty: new(big.Int), BaseFee: new(big.Int), BlobBaseFee: big.NewInt(1),
		Random: new(common.Hash),
	}
	machine := vm.NewEVM(context, db, config, vm.Config{Tracer: tracer})
	machine.SetTxContext(vm.TxContext{Origin: payer, GasPrice: new(uint256.Int)})
	db.Prepare(rules, payer, common.Address{}, &x.token, vm.ActivePrecompiles(rules), types.AccessList{})
	var zero uint256.Int
	_, token, _, err := machine.Create(payer, x.creation, vm.NewGasBudget(evm.DefaultGas, 0), &zero)
	if err != nil || token != x.token {
		b.Fatalf("the token does not deploy: %v", err)
	}
	db.Finalise(rules)
	db.Prepare(rules, payer, common.Address{}, &x.token, vm.ActivePrecompiles(rules), types.AccessList{})
	return func(i int) {
		snapshot := db.Snapshot()
		_, _, err := machine.Call(payer, x.token, x.calls[i%len(x.calls)], vm.NewGasBudget(evm.DefaultGas, 0), &zero)
		if err != nil {
			b.Fatal(err)
		}
		db.RevertToSnapshot(snapshot)
	}
}

// ours runs the mix as a campaign does: each call on a Fork; with a Recorder,
// everything that the hot tier observes is observed.
func (x *tokenMix) ours(b *testing.B, r *Recorder) func(i int) {
	m := evm.NewMachine()
	var recorder evm.Recorder
	if r != nil {
		recorder = r
	}
	return func(i int) {
		out := m.Record(x.world, evm.BlockContext{Number: 1}, x.call(x.calls[i%len(x.calls)]), recorder)
		if out.Status != evm.Success {
			b.Fatalf("%+v", out)
		}
		if r != nil {
			r.Finish(out.Status)
		}
	}
}

// BenchmarkThroughput measures calls per second of an ERC-20 mix on bare
// go-ethereum and on a Machine. The variants alternate within one run so that
// other load affects all alike; the median of each counts, and ratios are
// relative to bare.
func BenchmarkThroughput(b *testing.B) {
	x := newMix(b)
	ways := []struct {
		name  string
		run   func(i int)
		turns []time.Duration
	}{
		{"bare", x.bare(b, nil), nil},
		{"bare_empty_hook", x.bare(b, &tracing.Hooks{OnOpcode: func(uint64, byte, uint64, uint64, tracing.OpContext, []byte, int, error) {}}), nil},
		{"ours", x.ours(b, nil), nil},
		{"ours_hot_tier", x.ours(b, NewRecorder(NewMap(), func(*evm.Code) bool { return true })), nil},
	}
	const turn = 64
	for b.Loop() {
		for w := range ways {
			start := time.Now()
			for i := range turn {
				ways[w].run(i)
			}
			ways[w].turns = append(ways[w].turns, time.Since(start))
		}
	}
	b.ReportMetric(x.steps, "opcodes/call")
	var bare float64
	for _, w := range ways {
		slices.Sort(w.turns)
		median := w.turns[len(w.turns)/2].Seconds()
		if bare == 0 {
			bare = median
		}
		b.ReportMetric(turn/median, w.name+"_calls/s")
		b.ReportMetric(bare/median, w.name+"_ratio")
	}
}

// BenchmarkHotTier is the campaign's way by itself, for the profiler.
func BenchmarkHotTier(b *testing.B) {
	x := newMix(b)
	run := x.ours(b, NewRecorder(NewMap(), func(*evm.Code) bool { return true }))
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		run(i)
		i++
	}
}
