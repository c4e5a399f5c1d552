package lookahead

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/bytecode"
)

// twoWays jumps to 12 if the first calldata word is zero, else goes on; each
// way ends in a block of its own, at 6 and 12, and the first branches again.
var twoWays = []byte{
	bytecode.PUSH0, bytecode.CALLDATALOAD, bytecode.ISZERO, bytecode.PUSH1, 12, bytecode.JUMPI, // 0
	bytecode.CALLER, bytecode.PUSH1, 14, bytecode.JUMPI, bytecode.GAS, bytecode.STOP, // 6, 10
	bytecode.JUMPDEST, bytecode.STOP, // 12
	bytecode.JUMPDEST, bytecode.INVALID, // 14
}

func TestTargetsChange(t *testing.T) {
	a := &Analyzer{}
	a.AddCode(1, bytecode.New(twoWays))
	zero := &FrameTrace{Code: 1, Dests: []uint32{12}}
	other := &FrameTrace{Code: 1, Dests: []uint32{6, 10}}

	if r := a.Analyze(zero); !r.Proper || len(r.SplitPoints) != 1 {
		t.Errorf("without targets: %+v", r)
	}
	a.SetTargets([]Target{{1, 15}, {1, 11}})
	r := a.Analyze(zero)
	if !r.Proper || r.Instructions != 5 || len(r.SplitPoints) != 2 {
		t.Errorf("the zero way: %+v", r)
	}
	// Behind 10 there is nothing, but 11 is in that very block.
	if r := a.Analyze(other); r.Proper {
		t.Errorf("the other way: %+v", r)
	}
	a.RemoveTarget(Target{1, 11})
	if r := a.Analyze(other); !r.Proper || r.SplitPoints[len(r.SplitPoints)-1] != (SplitPoint{1, 10}) {
		t.Errorf("the other way, with 11 reached: %+v", r)
	}
	a.SetTargets([]Target{{1, 13}})
	if again := a.Analyze(zero); again.Proper || again.ID == r.ID {
		t.Errorf("the zero way, with a target on it: %+v", again)
	}
	checks := a.Stats.Splits
	a.Analyze(other)
	a.Analyze(other)
	if got := a.Stats.Splits - checks; got != 2 {
		t.Errorf("%d verdicts computed for one path, want 2", got)
	}
}

// caller calls the code at 0xbb, then branches on the result.
var caller = []byte{
	bytecode.PUSH0, bytecode.PUSH0, bytecode.PUSH0, bytecode.PUSH0, bytecode.PUSH0, bytecode.PUSH1, 0xbb,
	bytecode.GAS, bytecode.CALL, // 8
	bytecode.PUSH1, 13, bytecode.JUMPI, // 9
	bytecode.STOP,     // 12
	bytecode.JUMPDEST, // 13
	bytecode.STOP,
}

func TestCalls(t *testing.T) {
	a := &Analyzer{}
	a.AddCode(0, bytecode.New(caller))
	a.AddCode(1, bytecode.New(twoWays))
	a.SetTargets([]Target{{1, 15}})
	path := func(inner ...uint32) *FrameTrace {
		return &FrameTrace{Code: 0, Dests: []uint32{13}, Calls: []Call{{PC: 8, Trace: &FrameTrace{Code: 1, Dests: inner}}}}
	}
	zero, other := a.Analyze(path(12)), a.Analyze(path(6, 10))
	for _, r := range []Result{zero, other} {
		if !r.Proper || r.SplitPoints[len(r.SplitPoints)-1] != (SplitPoint{0, 13}) {
			t.Errorf("nothing is ahead behind the call: %+v", r)
		}
	}
	if zero.ID == other.ID {
		t.Error("the called frame does not tell the prefixes apart")
	}
	if n := len(other.SplitPoints); n != 5 {
		t.Errorf("%d split points, want 2 of the caller and 3 of the callee: %v", n, other.SplitPoints)
	}
	if failed := a.Analyze(path(6, 14)); !failed.Proper || failed.ID == other.ID {
		t.Errorf("a callee that fails: %+v", failed)
	}

	deep := path(6, 10) // calls of itself, whose split points are the same ones
	for range 500 {
		deep = &FrameTrace{Code: 0, Dests: []uint32{13}, Calls: []Call{{PC: 8, Trace: deep}}}
	}
	if r := a.Analyze(deep); len(r.SplitPoints) != 5 || cap(r.SplitPoints) > 32 {
		t.Errorf("%d split points of many frames of one code, in room for %d", len(r.SplitPoints), cap(r.SplitPoints))
	}

	for _, contained := range []bool{false, true} {
		a = &Analyzer{Contained: contained}
		a.AddCode(0, bytecode.New(caller))
		a.SetTargets([]Target{{7, 0}})
		if a.Unreachable(0) != contained {
			t.Errorf("contained %v: a call may lead to a target: %v", contained, !a.Unreachable(0))
		}
	}
}

func TestExplain(t *testing.T) {
	a := &Analyzer{}
	a.AddCode(1, bytecode.New(twoWays))
	a.SetTargets([]Target{{1, 15}})
	r, ok := a.explain(1, Calls{})
	if !ok || len(r.Blocks) != 5 || len(r.Reasons) != 1 || r.Reasons[0] != Reached {
		t.Errorf("%+v", r)
	}
	if !r.Blocks[4].Target || r.Blocks[4].Contexts == 0 {
		t.Errorf("the target: %+v", r.Blocks[4])
	}
	all := a.ExplainPath(&FrameTrace{Code: 1, Dests: []uint32{6, 10}})
	want := []Judgement{
		{SplitPoint{1, 0}, 0, Reached, 14}, {SplitPoint{1, 6}, 5, Reached, 14}, {SplitPoint{1, 10}, 8, Unreachable, 0},
	}
	if len(all) != len(want) {
		t.Fatalf("%+v", all)
	}
	for i := range want {
		if all[i] != want[i] {
			t.Errorf("%+v, want %+v", all[i], want[i])
		}
	}
}

// TestExplainSelector: each function of a compiled contract reaches its own
// entry and no other's.
func TestExplainSelector(t *testing.T) {
	for _, c := range contracts(t, "Mixed") {
		code := bytecode.New(common.FromHex(c.Runtime))
		a := &Analyzer{}
		a.AddCode(0, code)
		all := code.Selectors()
		for _, s := range all {
			r, _ := a.explain(0, Calls{Selector: &s.ID})
			for _, other := range all {
				block, _ := code.BlockAt(uint64(other.Entry))
				if reached := r.Blocks[block].Contexts > 0; reached != (other.Entry == s.Entry) {
					t.Errorf("%s: a call of %x reaches %x: %v", c.name(), s.ID, other.ID, reached)
				}
			}
		}
	}
}

// TestMalformedTraces: a trace that does not fit the code is no path of it,
// and must do no harm.
func TestMalformedTraces(t *testing.T) {
	a := &Analyzer{}
	a.AddCode(1, bytecode.New(twoWays))
	a.AddCode(2, bytecode.New(nil))
	a.SetTargets([]Target{{1, 15}, {9, 9}})
	for _, trace := range []*FrameTrace{
		{Code: 1}, {Code: 2}, {Code: 3, Dests: []uint32{1}},
		{Code: 1, Dests: []uint32{7}}, {Code: 1, Dests: []uint32{14, 3, 4}},
		{Code: 1, Dests: []uint32{1 << 31}, Calls: []Call{{PC: 99, After: 7}, {PC: 1, Trace: &FrameTrace{Code: 3}}}},
	} {
		a.Analyze(trace)
		a.ExplainPath(trace)
	}
}
