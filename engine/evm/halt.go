package evm

import (
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/core/vm"
)

// Why frames halt. The texts are go-ethereum's, since reports show them.
var (
	errStop = errors.New("stop") // not a halt: the frame ends with its output

	errRevert        = vm.ErrExecutionReverted
	errDepth         = vm.ErrDepth
	errGasOverflow   = vm.ErrGasUintOverflow
	errInvalidJump   = vm.ErrInvalidJump
	errReturnData    = vm.ErrReturnDataOutOfBounds
	errWrite         = vm.ErrWriteProtection
	errMeterGas      = fmt.Errorf("%w: %v", vm.ErrOutOfGas, vm.ErrOutOfGas)
	errMeterOverflow = fmt.Errorf("%w: %v", vm.ErrOutOfGas, vm.ErrGasUintOverflow)
	errMeterWrite    = fmt.Errorf("%w: %v", vm.ErrOutOfGas, vm.ErrWriteProtection)
	errSentry        = fmt.Errorf("%w: not enough gas for reentrancy sentry", vm.ErrOutOfGas) // EIP-2200
	errMeterInitCode = fmt.Errorf("%w: %v", vm.ErrOutOfGas, vm.ErrMaxInitCodeSizeExceeded)
)

// errInexact ends a Call in the fast mode that only the exact mode can execute
// as the chain does: one that runs out of gas, of stack or of instructions.
var errInexact = errors.New("execute exactly")

// An opcodeError is an opcode that no instruction has.
type opcodeError byte

func (e opcodeError) Error() string { return "invalid opcode: " + vm.OpCode(e).String() }

// A stackError is a stack with too few or too many words for an instruction.
type stackError struct {
	words, limit int
	few          bool
}

func (e *stackError) Error() string {
	if e.few {
		return fmt.Sprintf("stack underflow (%d <=> %d)", e.words, e.limit)
	}
	return fmt.Sprintf("stack limit reached %d (%d)", e.words, e.limit)
}

// unwinds reports whether an error ends not only its frame, but the Call.
func unwinds(err error) bool {
	if err == nil || err == errRevert {
		return false
	}
	_, source := err.(*SourceError)
	return source || err == errInexact || err == ErrSlow || err == ErrHeld || err == ErrCancelled
}
