package evmtest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"leveret/engine/evm"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/holiman/uint256"
)

// TestScenariosCover runs Scenarios and checks that their programs run every
// instruction, and halt in every way.
func TestScenariosCover(t *testing.T) {
	c := NewChecker()
	if err := c.Run(4_000, 1); err != nil {
		t.Fatal(err)
	}
	const least = 5
	for op := range 256 {
		name := vm.OpCode(op).String()
		if strings.Contains(name, "not defined") || planned(vm.OpCode(op)) || vm.OpCode(op) == vm.INVALID {
			continue
		}
		if c.Ops[op] < least {
			t.Errorf("%s ran %d times", name, c.Ops[op])
		}
	}
	for status, count := range c.Status {
		if count < 100 {
			t.Errorf("%d Calls ended with status %d", count, status)
		}
	}
	for _, why := range []string{
		"out of gas", "execution reverted", "invalid opcode", "invalid jump destination", "stack underflow", "stack limit reached 1024",
		"write protection", "return data out of bounds", "contract address collision", "max call depth exceeded",
		"insufficient balance for transfer",
	} {
		if c.Halts[why] < 2 {
			t.Errorf("%d frames halted for %q", c.Halts[why], why)
		}
	}
	t.Log(c.Calls, c.Status, c.Halts)
}

// planned reports whether an instruction has a name in go-ethereum, but no fork
// so far has it.
func planned(op vm.OpCode) bool {
	switch op {
	case vm.SLOTNUM, vm.RETURNDATALOAD, vm.EXTCALL, vm.EXTDELEGATECALL, vm.EXTSTATICCALL:
		return true
	}
	return op > vm.LOG4 && op < vm.CREATE
}

// TestSeedsRepeat checks that a seed names Calls: a failure can be repeated.
func TestSeedsRepeat(t *testing.T) {
	run := func(seed uint64) string {
		c := NewChecker()
		if err := c.Run(300, seed); err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(c.Calls, c.Status, c.Ops)
	}
	if first, again := run(7), run(7); first != again {
		t.Errorf("%s\nthen %s", first, again)
	}
	if run(7) == run(8) {
		t.Error("another seed checks the same")
	}
}

// TestCheckerSeesDifferences runs Modes that are wrong in one way each.
func TestCheckerSeesDifferences(t *testing.T) {
	// sstore(0, 1); mstore(0, gas()); return(0, 32)
	code := common.FromHex("60015f555a5f5260205ff3")
	for name, spoil := range map[string]func(w *evm.World, out *evm.Outcome){
		"gas":    func(_ *evm.World, out *evm.Outcome) { out.GasUsed++ },
		"refund": func(_ *evm.World, out *evm.Outcome) { out.Refund++ },
		"return": func(_ *evm.World, out *evm.Outcome) { out.Return[31]++ },
		"status": func(_ *evm.World, out *evm.Outcome) { out.Status = evm.Revert },
		"logs":   func(_ *evm.World, out *evm.Outcome) { out.Logs = make([]evm.Log, 1) },
		"state":  func(w *evm.World, _ *evm.Outcome) { w.SetStorage(Here, common.Hash{}, common.Hash{31: 2}) },
	} {
		tw := newTwin(t, code)
		c := NewChecker()
		c.modes = []Mode{{name, func(m *evm.Machine, w *evm.World, b evm.BlockContext, call evm.Call) evm.Outcome {
			out := m.Execute(w, b, call, nil)
			spoil(w, &out)
			return out
		}}}
		if _, err := c.Call(tw, evm.BlockContext{}, evm.Call{From: Alice, To: Here}); err == nil {
			t.Errorf("a wrong %s is not seen", name)
		}
	}
}

// TestCheckerSeesOtherCode runs other code on a Machine than on its reference,
// with the same Outcome and state.
func TestCheckerSeesOtherCode(t *testing.T) {
	tw := newTwin(t, common.FromHex("6001600201505f5ff3"))
	tw.World.SetCode(Here, common.FromHex("6002600101505f5ff3"))
	_, err := NewChecker().Call(tw, evm.BlockContext{}, evm.Call{From: Alice, To: Here})
	if err == nil || !strings.Contains(err.Error(), "PUSH1") {
		t.Errorf("other steps are not seen: %v", err)
	}
	tw = newTwin(t, common.FromHex("6001600201505f5ff3"))
	tw.World.SetBalance(common.Address{1}, uint256.NewInt(3))
	if err := tw.Reference.Compare(tw.World); err == nil {
		t.Error("another account is not seen")
	}
}

func newTwin(t *testing.T, code []byte) *Twin {
	tw, err := NewTwin()
	if err != nil {
		t.Fatal(err)
	}
	tw.Set(Alice, 0, nil)
	tw.Set(Here, 0, code)
	return tw
}

// TestLabels assembles a jump forward and one back.
func TestLabels(t *testing.T) {
	p := &program{r: rand.New(rand.NewPCG(1, 1))}
	back, on := p.newLabel(), p.newLabel()
	p.place(back)
	p.jump(on)
	p.jumpIf(back)
	p.place(on)
	if got, want := common.Bytes2Hex(p.finish()), "5b61000956"+"61000057"+"5b"; got != want {
		t.Errorf("assembled %s, want %s", got, want)
	}
}

// TestCheckerSeesOtherRecordings spoils what a Recorder is told.
func TestCheckerSeesOtherRecordings(t *testing.T) {
	// jumpi(9, calldataload(0)); keccak256(0, 32); jumpdest; pop(0); sstore(0, hash); revert(0, 0)
	code := common.FromHex("5f3560095760205f205b5f8050555f5ffd")
	for name, spoil := range map[string]func(r *recording){
		"branch":   func(r *recording) { r.notes[0].height ^= 1 },
		"hash":     func(r *recording) { r.notes[1].data[0]++ },
		"missing":  func(r *recording) { r.notes = r.notes[:len(r.notes)-1] },
		"operands": func(r *recording) { r.operands[0].top[0]++ },
		"blocks":   func(r *recording) { r.blocks = append(r.blocks, 3) },
	} {
		c := NewChecker()
		row := recorded(c.got.recording)
		c.modes = []Mode{{name, func(m *evm.Machine, w *evm.World, b evm.BlockContext, call evm.Call) evm.Outcome {
			out := row.Run(m, w, b, call)
			spoil(c.got.recording)
			return out
		}}}
		_, err := c.Call(newTwin(t, code), evm.BlockContext{}, evm.Call{From: Alice, To: Here})
		if err == nil || !strings.Contains(err.Error(), "recorded") {
			t.Errorf("wrong %s are not seen: %v", name, err)
		}
	}
}
