package evm

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/vm"
)

// Without the table everything works, at half the speed: an update of
// go-ethereum that takes it away is to be noticed.
func TestTableIsThere(t *testing.T) {
	if NewMachine().tracer.table == nil {
		t.Error("go-ethereum's table of instructions has another form than this package knows")
	}
}

// TestLeanHooksSeeWhatOthersSee runs random Calls with small caps on
// instructions twice: watched through the table and through go-ethereum's
// hook. Outcomes, Steps, Dests and Frames are to be the same.
func TestLeanHooksSeeWhatOthersSee(t *testing.T) {
	m := NewMachine()
	watch := func(w *World, b BlockContext, c Call, lean bool, codes func(*Code) bool) (seen []string, out Outcome) {
		note := func(format string, args ...any) { seen = append(seen, fmt.Sprintf(format, args...)) }
		out = m.Execute(w, b, c, &Hooks{
			Ops:   []byte{byte(vm.JUMPI), byte(vm.SSTORE), byte(vm.CALL), byte(vm.MSTORE), byte(vm.RETURN), byte(vm.INVALID)},
			Lean:  lean,
			Codes: codes,
			Step:  func(s *Step) { note("%d: %x %v in %d", s.PC, s.Op, s.Stack, s.Frame.Number) },
			Dest:  func(pc uint64) { note("dest %d", pc) },
			Enter: func(f *Frame) { note("enter %d from %d", f.Number, f.PC) },
			Exit: func(f *Frame, status Status, ret []byte, gas uint64, _ error) {
				note("exit %d %v %x %d", f.Number, status, ret, gas)
			},
		})
		return seen, out
	}
	some := func(c *Code) bool { return c.Hash[0]%2 == 0 }
	slow, steps := 0, 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 2))
		tw := randomTwin(t, r)
		for range 25 {
			b, c := randomCall(r)
			m.Steps = 1 + r.IntN(60)
			codes := []func(*Code) bool{nil, some}[r.IntN(2)]
			there, here := tw.world.Fork(), tw.world
			want, outcome := watch(there, b, c, false, codes)
			got, lean := watch(here, b, c, true, codes)
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d, %d steps: seen\n%q\nand through the table\n%q", seed, m.Steps, want, got)
			}
			compareOutcomes(t, lean, outcome)
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

func TestBlocks(t *testing.T) {
	for _, tt := range []struct {
		code string
		want map[uint64]int // size by pc of the block's first instruction
	}{
		{"6004565b5b60035b6001900380600757", map[uint64]int{0: 2, 3: 1, 4: 2, 7: 7, 16: 0}},
		{"605b5b", map[uint64]int{0: 1, 2: 1}},         // pushed, not a destination
		{"5b00", map[uint64]int{0: 2}},                 // begins with a destination
		{"57570061", map[uint64]int{0: 1, 1: 1, 2: 2}}, // the last PUSH is cut off
		{"", map[uint64]int{0: 0, 100: 0}},             // nothing
	} {
		c := &Code{Bytes: common.FromHex(tt.code)}
		c.blocks = blocks(c.Bytes)
		for pc, want := range tt.want {
			if got := c.ahead(pc, true); got != want {
				t.Errorf("%s: the block at %d has %d instructions, want %d", tt.code, pc, got, want)
			}
		}
	}
}
