package evm

import (
	"errors"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/holiman/uint256"
)

// kinds maps the opcode that opens a frame to its kind.
var kinds = [256]FrameKind{
	vm.CALL: FrameCall, vm.CALLCODE: FrameCallCode, vm.DELEGATECALL: FrameDelegateCall,
	vm.STATICCALL: FrameStaticCall, vm.CREATE: FrameCreate, vm.CREATE2: FrameCreate2,
	vm.SELFDESTRUCT: FrameSelfDestruct,
}

func (f *Frame) creates() bool { return f.Kind == FrameCreate || f.Kind == FrameCreate2 }

// enter opens a frame.
func (t *tracer) enter(depth int, op byte, from, to common.Address, input []byte, gas uint64, value *big.Int) {
	for len(t.stack) <= depth {
		t.stack = append(t.stack, new(Frame))
	}
	f, parent := t.stack[depth], t.frame
	*f = Frame{Kind: kinds[op], Depth: depth + 1, Parent: parent, From: from, To: to, Self: to,
		Input: input, Number: t.opened, Gas: gas}
	if value != nil {
		f.Value.SetFromBig(value)
	}
	if parent != nil {
		f.PC = parent.calling
	}
	switch f.Kind {
	case FrameDelegateCall:
		f.From, f.Self = parent.From, parent.Self
	case FrameCallCode:
		f.Self = from
	}
	f.Code = t.code(f)
	f.watched = f.Code != nil && (t.hooks.Codes == nil || t.hooks.Codes(f.Code))
	t.frame = f
	t.opened++
	t.spend(f.Code.ahead(0, false))
	if t.hooks.Enter != nil {
		t.hooks.Enter(f)
	}
}

// code returns the code of a frame.
func (t *tracer) code(f *Frame) *Code {
	overlay := &t.machine.overlay
	switch {
	case f.Kind == FrameSelfDestruct:
		return nil
	case f.creates():
		return overlay.codes.Init(f.Input)
	}
	code := overlay.account(&f.To).code
	if code == nil {
		return nil
	}
	if target, ok := types.ParseDelegation(code.Bytes); ok {
		return overlay.account(&target).code
	}
	return code
}

// exit closes the innermost frame.
func (t *tracer) exit(_ int, output []byte, gasUsed uint64, err error, _ bool) {
	f := t.frame
	t.frame = f.Parent
	if f.creates() {
		t.machine.enforceCodeLimit()
	}
	if t.hooks.Exit == nil {
		return
	}
	if t.machine.evm.Cancelled() {
		// go-ethereum ends the frames of an aborted call as if by STOP.
		t.hooks.Exit(f, Halt, nil, gasUsed, t.reason())
		return
	}
	status := Success
	if err != nil {
		status, err = Halt, cause(err)
		if err == vm.ErrExecutionReverted {
			status, err = Revert, nil
		}
	}
	t.hooks.Exit(f, status, output, gasUsed, err)
}

// reason returns why the running Call was stopped.
func (t *tracer) reason() error {
	if t.machine.cancelled.Load() {
		return ErrCancelled
	}
	return ErrSlow
}

// cause unwraps an error that go-ethereum wrapped for tracers.
func cause(err error) error {
	if wrapped, ok := err.(*vm.VMError); ok {
		return errors.Unwrap(wrapped)
	}
	return err
}

// popped is the number of words that an instruction pops before it can fail;
// they still lie above the stack.
var popped = [256]int{vm.JUMP: 1, vm.JUMPI: 2, vm.RETURNDATACOPY: 3}

// fault handles an instruction that fails or reverts while it runs.
func (t *tracer) fault(pc uint64, op byte, gas, _ uint64, scope tracing.OpContext, _ int, err error) {
	if cause(err) == vm.ErrExecutionReverted || t.left < 0 {
		return
	}
	s := scope.(*vm.ScopeContext)
	stack := s.Stack.Data()
	t.report(pc, op, gas, s, stack[:len(stack)+popped[op]], nil, err)
}

// report calls Fault for the instruction that halts a frame.
func (t *tracer) report(pc uint64, op byte, gas uint64, s *vm.ScopeContext, stack []uint256.Int, returned []byte, err error) {
	if t.hooks.Fault == nil || !t.frame.watched {
		return
	}
	t.step.Gas, t.step.ReturnData = gas, returned
	t.tell(pc, op, s, stack)
	t.hooks.Fault(&t.step, cause(err))
}

// log handles an event.
func (t *tracer) log(l *types.Log) {
	if t.left >= 0 {
		t.hooks.Log(t.frame, &Log{Address: l.Address, Topics: l.Topics, Data: l.Data})
	}
}
