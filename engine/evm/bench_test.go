package evm

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"
)

// hotOps are what an observer of the hot tier looks at: branches, what they
// compare, storage, calls, hashes, events and ends.
var hotOps = []byte{
	byte(vm.JUMPI), byte(vm.JUMP), byte(vm.LT), byte(vm.GT), byte(vm.SLT), byte(vm.SGT), byte(vm.EQ), byte(vm.ISZERO),
	byte(vm.SLOAD), byte(vm.SSTORE), byte(vm.KECCAK256), byte(vm.CALL), byte(vm.CALLCODE), byte(vm.DELEGATECALL),
	byte(vm.STATICCALL), byte(vm.CREATE), byte(vm.CREATE2), byte(vm.SELFDESTRUCT), byte(vm.LOG0), byte(vm.LOG1),
	byte(vm.LOG2), byte(vm.LOG3), byte(vm.LOG4), byte(vm.REVERT), byte(vm.INVALID),
}

// A recorder does with every step about what the hot tier does: it hashes the
// path, marks edges, and keeps the operands.
type recorder struct {
	path  uint64
	edges [1 << 16]byte
	words []uint256.Int
}

func (r *recorder) hooks() *Hooks {
	return &Hooks{
		Ops:   hotOps,
		Step:  r.step,
		Fault: func(*Step, error) {},
		Enter: func(f *Frame) { r.path ^= uint64(f.Code.ID) },
		Exit:  func(*Frame, Status, []byte, uint64, error) {},
		Log:   func(*Frame, *Log) {},
	}
}

func (r *recorder) step(s *Step) {
	switch vm.OpCode(s.Op) {
	case vm.JUMPI:
		at := s.PC << 1
		if !s.Top(1).IsZero() {
			at |= 1
		}
		r.path = r.path*0x100000001b3 ^ at
		r.edges[at&0xffff]++
	case vm.LT, vm.GT, vm.SLT, vm.SGT, vm.EQ, vm.SLOAD, vm.SSTORE:
		r.words = append(r.words, *s.Top(0), *s.Top(0))
	}
}

// A tokenMix is a World with the token, and calls to it.
type tokenMix struct {
	world *World
	token common.Address
	calls [][]byte
	steps float64 // per call
}

func newMix(b *testing.B) *tokenMix {
	w := testWorld(b, nil)
	m := NewMachine()
	out := m.Execute(w, Block{Number: 1}, Call{From: alice, Create: true, Data: tokenCreation(b)}, nil)
	if out.Status != Success {
		b.Fatalf("the token does not deploy: %+v", out)
	}
	x := &tokenMix{world: w, token: out.Created}
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
	h := &Hooks{Step: func(*Step) { n++ }}
	for _, data := range x.calls {
		if out := m.Execute(w.Fork(), Block{Number: 1}, x.call(data), h); out.Status != Success {
			b.Fatalf("a call fails: %+v", out)
		}
	}
	x.steps = float64(n) / float64(len(x.calls))
	return x
}

func (x *tokenMix) call(data []byte) Call { return Call{From: alice, To: x.token, Data: data} }

// bare runs the mix on go-ethereum alone: one EVM, its own StateDB, snapshot
// and revert around every call.
func (x *tokenMix) bare(b *testing.B, tracer *tracing.Hooks) func(i int) {
	ref := newReference(b)
	ref.set(alice, 1_000_000, nil)
	out := ref.execute(Block{Number: 1}, Call{From: alice, Create: true, Data: tokenCreation(b), Gas: DefaultGas})
	if out.Status != Success || out.Created != x.token {
		b.Fatalf("the token does not deploy: %+v", out)
	}
	db := ref.state
	context := newBlockContext()
	context.Transfer = func(db vm.StateDB, from, to common.Address, wei *uint256.Int, _ *params.Rules) {
		transfer(db, from, to, wei)
	}
	evm := vm.NewEVM(context, db, chainConfig, vm.Config{Tracer: tracer})
	evm.SetTxContext(vm.TxContext{Origin: alice, GasPrice: new(uint256.Int)})
	db.Prepare(chainRules, alice, common.Address{}, &x.token, vm.ActivePrecompiles(chainRules), types.AccessList{})
	var zero uint256.Int
	return func(i int) {
		snapshot := db.Snapshot()
		_, _, err := evm.Call(alice, x.token, x.calls[i%len(x.calls)], vm.NewGasBudget(DefaultGas, 0), &zero)
		if err != nil {
			b.Fatal(err)
		}
		db.RevertToSnapshot(snapshot)
	}
}

// ours runs the mix as a campaign does: each call on a Fork.
func (x *tokenMix) ours(b *testing.B, h *Hooks) func(i int) {
	m := NewMachine()
	return func(i int) {
		out := m.Execute(x.world.Fork(), Block{Number: 1}, x.call(x.calls[i%len(x.calls)]), h)
		if out.Status != Success {
			b.Fatalf("%+v", out)
		}
	}
}

// BenchmarkThroughput measures calls per second of an ERC-20 mix on bare
// go-ethereum and on a Machine. The ways take turns within one run, so that
// what else the machine does meets all alike; the ratios are to bare.
func BenchmarkThroughput(b *testing.B) {
	x := newMix(b)
	r := new(recorder)
	hot := r.hooks()
	ways := []struct {
		name string
		run  func(i int)
		time time.Duration
	}{
		{"bare", x.bare(b, nil), 0},
		{"bare_empty_hook", x.bare(b, &tracing.Hooks{OnOpcode: func(uint64, byte, uint64, uint64, tracing.OpContext, []byte, int, error) {}}), 0},
		{"ours", x.ours(b, nil), 0},
		{"ours_hot_tier", x.ours(b, hot), 0},
	}
	const turn = 256
	turns := 0
	for b.Loop() {
		for w := range ways {
			start := time.Now()
			for i := range turn {
				ways[w].run(i)
				r.words = r.words[:0]
			}
			ways[w].time += time.Since(start)
		}
		turns++
	}
	b.ReportMetric(x.steps, "opcodes/call")
	for _, w := range ways {
		b.ReportMetric(float64(turns*turn)/w.time.Seconds(), w.name+"_calls/s")
		b.ReportMetric(ways[0].time.Seconds()/w.time.Seconds(), w.name+"_ratio")
	}
}

// The ways one by one, for the profiler.

func BenchmarkBare(b *testing.B) { x := newMix(b); loop(b, x.bare(b, nil)) }
func BenchmarkOurs(b *testing.B) { x := newMix(b); loop(b, x.ours(b, nil)) }
func BenchmarkHotTier(b *testing.B) {
	x, r := newMix(b), new(recorder)
	run := x.ours(b, r.hooks())
	loop(b, func(i int) { run(i); r.words = r.words[:0] })
}

func loop(b *testing.B, run func(i int)) {
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		run(i)
		i++
	}
}
