package evm_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"leveret/engine/evm"
	"leveret/engine/evm/evmtest"

	"github.com/ethereum/go-ethereum/core/vm"
)

// TestLeanHooksSeeWhatOthersSee runs random Calls with small caps on
// instructions twice: watched through the table and through go-ethereum's
// hook. Outcomes, Steps, Dests and Frames are to be the same.
func TestLeanHooksSeeWhatOthersSee(t *testing.T) {
	m := evm.NewMachine()
	watch := func(w *evm.World, b evm.BlockContext, c evm.Call, lean bool, codes func(*evm.Code) bool) (seen []string, out evm.Outcome) {
		note := func(format string, args ...any) { seen = append(seen, fmt.Sprintf(format, args...)) }
		out = m.Execute(w, b, c, &evm.Hooks{
			Ops:   []byte{byte(vm.JUMPI), byte(vm.SSTORE), byte(vm.CALL), byte(vm.MSTORE), byte(vm.RETURN), byte(vm.INVALID)},
			Lean:  lean,
			Codes: codes,
			Step:  func(s *evm.Step) { note("%d: %x %v in %d", s.PC, s.Op, s.Stack, s.Frame.Number) },
			Dest:  func(pc uint64) { note("dest %d", pc) },
			Enter: func(f *evm.Frame) { note("enter %d from %d", f.Number, f.PC) },
			Exit: func(f *evm.Frame, status evm.Status, ret []byte, gas uint64, _ error) {
				note("exit %d %v %x %d", f.Number, status, ret, gas)
			},
		})
		return seen, out
	}
	some := func(c *evm.Code) bool { return c.Hash[0]%2 == 0 }
	slow, steps := 0, 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 2))
		tw, err := evmtest.RandomTwin(r)
		if err != nil {
			t.Fatal(err)
		}
		for range 25 {
			b, c := evmtest.RandomCall(r)
			m.Steps = 1 + r.IntN(60)
			codes := []func(*evm.Code) bool{nil, some}[r.IntN(2)]
			there, here := tw.World.Fork(), tw.World
			want, outcome := watch(there, b, c, false, codes)
			got, lean := watch(here, b, c, true, codes)
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d, %d steps: seen\n%q\nand through the table\n%q", seed, m.Steps, want, got)
			}
			if err := evmtest.CompareOutcomes(lean, outcome); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if lean.Slow != outcome.Slow {
				t.Fatalf("seed %d: slow: %v, and through the table %v", seed, outcome.Slow, lean.Slow)
			}
			if lean.Slow {
				slow++
			}
			steps += len(got)
		}
	}
	if slow < 20 || steps < 2000 {
		t.Errorf("%d Calls were slow, %d things seen: too little to tell", slow, steps)
	}
}
