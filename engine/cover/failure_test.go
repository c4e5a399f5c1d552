package cover

import (
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
)

// panic reverts with Panic(uint256).
func (a *assembly) panic(code uint64) *assembly {
	a.op(bytecode.PUSH1+3, 0x4e, 0x48, 0x7b, 0x71).push(224).op(bytecode.SHL).push(0).op(bytecode.MSTORE)
	a.push(code).push(4).op(bytecode.MSTORE)
	return a.push(36).push(0).op(bytecode.REVERT)
}

// forward reverts with the data that the last call returned.
func (a *assembly) forward() *assembly {
	a.op(bytecode.RETURNDATASIZE).push(0).push(0).op(bytecode.RETURNDATACOPY)
	return a.op(bytecode.RETURNDATASIZE).push(0).op(bytecode.REVERT)
}

// The failures of a run have the instruction and the kind. A frame that forwards
// a panic did not fail; one that panics by itself after a call did.
func TestFailures(t *testing.T) {
	topic := uint256.NewInt(77).Bytes32()
	for _, row := range []struct {
		name  string
		code  *assembly
		kinds []uint64
	}{
		{"nothing", &assembly{bytecode.STOP}, nil},
		{"revert", (&assembly{}).push(0).push(0).op(bytecode.REVERT), nil},
		{"other data", (&assembly{}).push(36).push(0).op(bytecode.REVERT), nil},
		{"invalid", &assembly{bytecode.INVALID}, []uint64{FailedInvalid}},
		{"panic", (&assembly{}).panic(0x11), []uint64{0x11}},
		{"watched event", (&assembly{}).push(77).push(0).push(0).op(bytecode.LOG0 + 1), []uint64{FailedEvent}},
		{"other event", (&assembly{}).push(78).push(0).push(0).op(bytecode.LOG0 + 1), nil},
		{"callee", (&assembly{}).push(0).call(second), []uint64{0x32}},
		{"forwarded", (&assembly{}).push(0).call(second).forward(), []uint64{0x32}},
		{"another panic after the callee's", (&assembly{}).push(0).call(second).panic(0x12), []uint64{0x32, 0x12}},
		{"the same panic after another call", (&assembly{}).push(0).call(second).push(0).call(sender).panic(0x32), []uint64{0x32, 0x32}},
	} {
		l := newLab(*row.code, *(&assembly{}).panic(0x32))
		l.recorder.Topics = map[common.Hash]bool{topic: true}
		for range 2 { // nothing of a run is left for the next
			run, _ := l.run()
			var kinds []uint64
			for _, f := range run.Failures {
				kinds = append(kinds, f.Kind)
				if op := f.Code.Bytes[f.PC]; op != bytecode.REVERT && op != bytecode.INVALID && op != bytecode.LOG0+1 {
					t.Errorf("%s: failed at opcode %#x", row.name, op)
				}
			}
			if !slices.Equal(kinds, row.kinds) {
				t.Errorf("%s: %#x, want %#x", row.name, kinds, row.kinds)
			}
		}
	}
}

// shared panics in one routine that two branches jump to, or that two calls with
// return addresses enter.
func shared(call bool) []byte {
	a := &assembly{}
	other := a.argument(0).jumpi()
	enter := func() int {
		if call { // the return address
			a.push(uint64(len(*a)) + 9 + 4)
		}
		a.op(bytecode.PUSH1+1, 0, 0)
		at := len(*a) - 2
		a.op(bytecode.JUMP, bytecode.JUMPDEST)
		return at
	}
	one := enter()
	other()
	two := enter()
	for _, at := range []int{one, two} {
		(*a)[at], (*a)[at+1] = byte(len(*a)>>8), byte(len(*a))
	}
	return *a.op(bytecode.JUMPDEST).panic(1)
}

// Failures in a shared routine differ by where it was entered from, and do not
// depend on values.
func TestFailuresDifferByTheirCaller(t *testing.T) {
	for _, call := range []bool{false, true} {
		l := newLab(shared(call))
		of := map[Failure][]uint64{}
		for _, argument := range []uint64{0, 1, 1 << 40} {
			run, _ := l.run(numbers(argument)...)
			if len(run.Failures) != 1 {
				t.Fatalf("argument %d: failures %+v", argument, run.Failures)
			}
			of[run.Failures[0]] = append(of[run.Failures[0]], argument)
		}
		if len(of) != 2 {
			t.Errorf("with return addresses %v: %v", call, of)
		}
	}
}

// A run without end records a bounded number of failures, and says so.
func TestFailuresAreBounded(t *testing.T) {
	a := &assembly{}
	for range 2 * maxFailures {
		a.push(0).call(second).op(bytecode.POP)
	}
	l := newLab(*a, *(&assembly{}).panic(1))
	if run, _ := l.run(); len(run.Failures) != maxFailures || run.AllFailures() {
		t.Errorf("%d failures", len(run.Failures))
	}
	l = newLab(*(&assembly{}).push(0).call(second), *(&assembly{}).panic(1))
	if run, _ := l.run(); len(run.Failures) != 1 || !run.AllFailures() {
		t.Errorf("%d failures", len(run.Failures))
	}
}
