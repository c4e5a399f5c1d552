package evm

import (
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/holiman/uint256"
)

// A tracer turns go-ethereum's tracing events into Hooks. It maintains the
// stack of Frames, counts instructions and lifts the code size limits.
type tracer struct {
	machine *Machine
	every   *tracing.Hooks // events with a hook before every instruction
	frames  *tracing.Hooks // events without: the table reports instructions
	table   *table         // nil if go-ethereum's cannot be changed
	hooks   *Hooks         // of the running Call
	want    [256]want      // from hooks.Ops
	left    int            // instructions until the cap; negative: stopped

	frame  *Frame // innermost; nil outside
	stack  []*Frame
	opened int
	step   Step
}

// A want is a set of reasons to look at an opcode.
type want uint8

const (
	wantStep   want = 1 << iota // for Hooks.Step
	wantDest                    // for Hooks.Dest
	wantBlock                   // it may begin a block of instructions
	wantPC                      // it may open a frame
	wantReturn                  // it may end a creation
)

// own are the opcodes that the tracer needs itself.
var own = [256]want{
	vm.JUMPDEST: wantBlock, vm.JUMPI: wantBlock,
	vm.CALL: wantPC, vm.CALLCODE: wantPC, vm.DELEGATECALL: wantPC, vm.STATICCALL: wantPC,
	vm.CREATE: wantPC, vm.CREATE2: wantPC, vm.SELFDESTRUCT: wantPC, vm.RETURN: wantReturn,
}

// newTracer creates go-ethereum's hooks. The older hooks with one gas dimension
// pass fewer words per instruction, and before Amsterdam there is only one
// dimension.
func newTracer(m *Machine) *tracer {
	t := &tracer{machine: m}
	t.frames = &tracing.Hooks{OnEnter: t.enter, OnExit: t.exit}
	t.every = &tracing.Hooks{OnOpcode: t.opcode, OnFault: t.fault, OnEnter: t.enter, OnExit: t.exit}
	t.table = newTable(t)
	return t
}

// begin prepares for a Call and returns the hooks for go-ethereum.
func (t *tracer) begin(h *Hooks, steps int) *tracing.Hooks {
	lean := h.Lean && t.table != nil
	if h != t.hooks {
		t.hooks = h
		t.want = own
		if h.Step != nil {
			t.wantSteps(h.Ops)
		}
		if h.Dest != nil {
			t.want[vm.JUMPDEST] |= wantDest
		}
		if lean {
			t.table.tell(&t.want)
		}
	}
	t.left = steps
	t.frame, t.opened = nil, 0
	t.rest()
	if lean {
		t.table.use(t.machine.evm)
		t.step = Step{}
		return t.frames
	}
	return t.every
}

// rest restores go-ethereum's table.
func (t *tracer) rest() {
	if t.table != nil {
		t.table.leave(t.machine.evm)
	}
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

// opcode runs before every instruction. It first checks for instructions
// without any work, then for those that only Step wants.
func (t *tracer) opcode(pc uint64, op byte, gas, _ uint64, scope tracing.OpContext, returned []byte, _ int, err error) {
	w := t.want[op]
	if t.left < 0 || w == 0 && err == nil {
		return
	}
	s := scope.(*vm.ScopeContext)
	if err != nil {
		t.report(pc, op, gas, s, s.Stack.Data(), returned, err)
		return
	}
	t.step.Gas, t.step.ReturnData = gas, returned
	if w != wantStep {
		t.look(w, pc, op, s)
	} else if t.frame.watched {
		t.tell(pc, op, s, s.Stack.Data())
		t.hooks.Step(&t.step)
	}
}

// look does the work for one instruction.
func (t *tracer) look(w want, pc uint64, op byte, s *vm.ScopeContext) {
	if w&wantBlock != 0 {
		if t.count(pc, op, s); t.left < 0 {
			return
		}
	}
	if w&wantPC != 0 {
		t.frame.calling = pc
	}
	if w&wantReturn != 0 && t.frame.creates() {
		size := s.Stack.Data()
		t.machine.liftCodeLimit(size[len(size)-2].Uint64())
	}
	if !t.frame.watched {
		return
	}
	if w&wantDest != 0 {
		t.hooks.Dest(pc)
	}
	if w&wantStep != 0 {
		t.tell(pc, op, s, s.Stack.Data())
		t.hooks.Step(&t.step)
	}
}

// count subtracts the block that starts at a JUMPDEST, or after a JUMPI that
// does not jump, from the remaining instructions.
func (t *tracer) count(pc uint64, op byte, s *vm.ScopeContext) {
	if op == byte(vm.JUMPI) {
		stack := s.Stack.Data()
		if !stack[len(stack)-2].IsZero() {
			return
		}
		pc++
	}
	t.spend(t.frame.Code.ahead(pc, op == byte(vm.JUMPDEST)))
}

// spend stops the Call when it exceeds the instruction cap.
func (t *tracer) spend(instructions int) {
	if t.left -= instructions; t.left < 0 {
		t.machine.evm.Cancel()
	}
}

// tell sets the Step field by field, which is faster than assigning a struct.
func (t *tracer) tell(pc uint64, op byte, s *vm.ScopeContext, stack []uint256.Int) {
	step := &t.step
	step.PC, step.Op = pc, op
	step.Stack, step.Memory = stack, s.Memory.Data()
	step.Frame = t.frame
}
