package evm

import (
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/holiman/uint256"
)

// A tracer turns go-ethereum's tracing events into calls of Hooks. It keeps
// the stack of Frames, counts instructions and lifts the code size limit.
type tracer struct {
	machine *Machine
	emitted *tracing.Hooks // what go-ethereum calls
	hooks   *Hooks         // of the running Call
	want    [256]want      // from hooks.Ops
	left    int            // instructions until the cap; below zero: stopped

	frame  *Frame // innermost; nil outside
	frames []*Frame
	opened int
	step   Step
}

// want says why an opcode is looked at.
type want uint8

const (
	wantStep   want = 1 << iota // Hooks.Step asked for it
	wantPC                      // it may open a frame
	wantReturn                  // it may end a creation
	wantDest                    // Hooks.Dest asked for it
)

// own are the opcodes that the tracer itself looks at.
var own = [256]want{
	vm.CALL: wantPC, vm.CALLCODE: wantPC, vm.DELEGATECALL: wantPC, vm.STATICCALL: wantPC,
	vm.CREATE: wantPC, vm.CREATE2: wantPC, vm.SELFDESTRUCT: wantPC, vm.RETURN: wantReturn,
}

// listen returns what go-ethereum is to call. The hooks with one gas dimension
// pass fewer words per instruction than their successors, and before Amsterdam
// there is only one.
func (t *tracer) listen() *tracing.Hooks {
	return &tracing.Hooks{OnOpcode: t.opcode, OnFault: t.fault, OnEnter: t.enter, OnExit: t.exit}
}

// begin prepares for a Call.
func (t *tracer) begin(h *Hooks, steps int) {
	if h != t.hooks {
		t.hooks = h
		t.want = own
		if h.Step != nil {
			t.wantSteps(h.Ops)
		}
		if h.Dest != nil {
			t.want[vm.JUMPDEST] |= wantDest
		}
	}
	t.left = steps
	t.frame, t.opened = nil, 0
}

func (t *tracer) wantSteps(ops []byte) {
	if ops == nil {
		for op := range t.want {
			t.want[op] |= wantStep
		}
	}
	for _, op := range ops {
		t.want[op] |= wantStep
	}
}

// opcode is called before every instruction, so it first finds out that there
// is nothing to do, then that there is nothing but to call Step.
func (t *tracer) opcode(pc uint64, op byte, gas, _ uint64, scope tracing.OpContext, returned []byte, _ int, err error) {
	t.left--
	w := t.want[op]
	if w == 0 && t.left >= 0 && err == nil {
		return
	}
	if w == wantDest && t.left >= 0 && err == nil {
		if t.frame.watched {
			t.hooks.Dest(pc)
		}
		return
	}
	s := scope.(*vm.ScopeContext)
	if w == wantStep && t.left >= 0 && err == nil {
		if t.frame.watched {
			t.set(pc, op, gas, s, s.Stack.Data(), returned)
			t.hooks.Step(&t.step)
		}
		return
	}
	t.look(pc, op, gas, s, returned, err)
}

// look does what opcode does not.
func (t *tracer) look(pc uint64, op byte, gas uint64, s *vm.ScopeContext, returned []byte, err error) {
	if t.left < 0 {
		t.machine.evm.Cancel()
		return
	}
	if err != nil {
		t.report(pc, op, gas, s, s.Stack.Data(), returned, err)
		return
	}
	w := t.want[op]
	if w&wantPC != 0 {
		t.frame.calling = pc
	}
	if w&wantReturn != 0 && t.frame.creates() {
		size := s.Stack.Data()
		t.machine.liftCodeLimit(size[len(size)-2].Uint64())
	}
	if w&wantDest != 0 && t.frame.watched {
		t.hooks.Dest(pc)
	}
	if w&wantStep != 0 && t.frame.watched {
		t.set(pc, op, gas, s, s.Stack.Data(), returned)
		t.hooks.Step(&t.step)
	}
}

// set fills in the Step field by field, which is cheaper than as a whole.
func (t *tracer) set(pc uint64, op byte, gas uint64, s *vm.ScopeContext, stack []uint256.Int, returned []byte) {
	step := &t.step
	step.PC, step.Op, step.Gas = pc, op, gas
	step.Stack, step.Memory, step.ReturnData = stack, s.Memory.Data(), returned
	step.Frame = t.frame
}
