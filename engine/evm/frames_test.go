package evm

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/holiman/uint256"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// narrate returns Hooks that write down frames and events as they come.
func narrate(lines *[]string) *Hooks {
	say := func(depth int, format string, args ...any) {
		*lines = append(*lines, strings.Repeat("  ", depth-1)+fmt.Sprintf(format, args...))
	}
	short := func(addr common.Address) string { return fmt.Sprintf("%x", addr[17:]) }
	return &Hooks{
		Ops: []byte{},
		Enter: func(f *Frame) {
			kind := "no code"
			if f.Code != nil {
				kind = fmt.Sprintf("%d bytes", len(f.Code.Bytes))
				if f.Code.Init {
					kind += " of creation code"
				}
			}
			say(f.Depth, "%d: kind %d at %d, %s to %s as %s, %v wei, %s", f.Number, f.Kind, f.PC, short(f.From), short(f.To),
				short(f.Self), &f.Value, kind)
		},
		Exit: func(f *Frame, status Status, ret []byte, gasUsed uint64, halt error) {
			say(f.Depth, "%d: status %d, %d bytes, %v", f.Number, status, len(ret), halt)
		},
		Fault: func(s *Step, err error) { say(s.Frame.Depth, "fault at %d, %d words: %v", s.PC, len(s.Stack), err) },
		Log:   func(f *Frame, l *Log) { say(f.Depth, "event with %d topics", len(l.Topics)) },
	}
}

// callCode assembles a call with gas 0xffff and drops the result.
func callCode(op vm.OpCode, to common.Address, value string) string {
	return "5f5f5f5f" + value + fmt.Sprintf("73%x61ffff%02x50", to[:], byte(op))
}

func TestFramesTellWhoRunsWhat(t *testing.T) {
	library := common.HexToAddress("0xc0de02")
	invalid := common.HexToAddress("0xc0de03")
	jump := common.HexToAddress("0xc0de04")
	w := testWorld(t, map[common.Address]string{
		there:   callCode(vm.DELEGATECALL, library, "") + "5f5ffd",
		library: "5f5fa000",
		invalid: "5ffe",
		jump:    "60ff56",
		here: callCode(vm.CALL, there, "6001") + callCode(vm.CALL, there, "6009") + callCode(vm.STATICCALL, invalid, "") +
			callCode(vm.CALLCODE, library, "5f") + callCode(vm.CALL, jump, "5f") +
			callCode(vm.CALL, common.BytesToAddress([]byte{4}), "5f") +
			"6130ff5f526002601e5ff000", // creates with the code ADDRESS SELFDESTRUCT
	})
	w.SetBalance(here, uint256.NewInt(5))
	var lines []string
	out := NewMachine().Execute(w, BlockContext{}, Call{From: alice, To: here}, narrate(&lines))
	if out.Status != Success || len(out.Logs) != 1 {
		t.Fatalf("%+v", out)
	}
	want := `
0: kind 0 at 0, 0a11ce to c0de00 as c0de00, 0 wei, 199 bytes
  1: kind 0 at 30, c0de00 to c0de01 as c0de01, 1 wei, 33 bytes
    2: kind 2 at 28, c0de00 to c0de02 as c0de01, 1 wei, 4 bytes
    event with 0 topics
    2: status 0, 0 bytes, <nil>
  1: status 1, 0 bytes, <nil>
  3: kind 0 at 62, c0de00 to c0de01 as c0de01, 9 wei, 33 bytes
  3: status 2, 0 bytes, insufficient balance for transfer
  4: kind 3 at 92, c0de00 to c0de03 as c0de03, 0 wei, 2 bytes
  fault at 1, 1 words: invalid opcode: INVALID
  4: status 2, 0 bytes, invalid opcode: INVALID
  5: kind 1 at 123, c0de00 to c0de02 as c0de00, 0 wei, 4 bytes
  event with 0 topics
  5: status 0, 0 bytes, <nil>
  6: kind 0 at 154, c0de00 to c0de04 as c0de04, 0 wei, 3 bytes
  fault at 2, 1 words: invalid jump destination
  6: status 2, 0 bytes, invalid jump destination
  7: kind 0 at 185, c0de00 to 000004 as 000004, 0 wei, no code
  7: status 0, 0 bytes, <nil>
  8: kind 4 at 197, c0de00 to e30475 as e30475, 0 wei, 2 bytes of creation code
    9: kind 6 at 1, e30475 to e30475 as e30475, 0 wei, no code
    9: status 0, 0 bytes, <nil>
  8: status 0, 0 bytes, <nil>
0: status 0, 0 bytes, <nil>`
	if got := "\n" + strings.Join(lines, "\n"); got != want {
		t.Errorf("got %s", got)
	}
}

func TestStepsAreOfWatchedCodes(t *testing.T) {
	w := testWorld(t, map[common.Address]string{
		here:  "5f50" + callCode(vm.CALL, there, "5f") + "00",
		there: "6001505f5ffd",
	})
	watched := w.Code(there)
	var ops []byte
	h := &Hooks{
		Codes: func(c *Code) bool { return c == watched },
		Step:  func(s *Step) { ops = append(ops, s.Op) },
	}
	NewMachine().Execute(w, BlockContext{}, Call{From: alice, To: here}, h)
	if want := code(t, "60505f5ffd"); !slices.Equal(ops, want) {
		t.Errorf("steps %x, want %x", ops, want)
	}
}

// TestCancelStops cancels endless loops from another goroutine.
func TestCancelStops(t *testing.T) {
	w := testWorld(t, map[common.Address]string{here: "5b5f56"})
	m := NewMachine()
	m.Steps = 1 << 40
	for _, h := range []*Hooks{nil, {}} {
		timer := time.AfterFunc(5*time.Millisecond, m.Cancel)
		out := m.Execute(w, BlockContext{}, Call{From: alice, To: here, Gas: 1 << 50}, h)
		timer.Stop()
		if out.Status != Halt || !errors.Is(out.Halt, ErrCancelled) || out.Slow {
			t.Fatalf("%+v", out)
		}
		if out := m.Execute(w, BlockContext{}, Call{From: alice, To: there}, h); !errors.Is(out.Halt, ErrCancelled) {
			t.Errorf("a Call after Cancel: %+v", out)
		}
		m.Resume()
		if out := m.Execute(w, BlockContext{}, Call{From: alice, To: there}, h); out.Status != Success {
			t.Errorf("a Call after Resume: %+v", out)
		}
	}
}

// TestKnownCreationCodeIsOneCode deploys with different arguments.
func TestKnownCreationCodeIsOneCode(t *testing.T) {
	w := testWorld(t, nil)
	creation := code(t, "5f5ff3")
	known := w.codes.AddInit(creation)
	var seen []*Code
	h := &Hooks{Enter: func(f *Frame) { seen = append(seen, f.Code) }}
	m := NewMachine()
	for i := range byte(3) {
		m.Execute(w, BlockContext{}, Call{From: alice, Create: true, Data: append(slices.Clone(creation), i)}, h)
	}
	if !slices.Equal(seen, []*Code{known, known, known}) {
		t.Errorf("%v", seen)
	}
}
