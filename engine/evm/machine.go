package evm

import (
	"errors"
	"sync/atomic"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"
)

// Errors of Outcome.Halt besides go-ethereum's.
var (
	ErrSlow      = errors.New("instruction cap reached")
	ErrCancelled = errors.New("execution cancelled")
	ErrOutOfGas  = vm.ErrOutOfGas            // go-ethereum's, for packages that may not import it
	ErrBalance   = vm.ErrInsufficientBalance // no code ran: the value exceeds the caller's balance
)

// DefaultSteps is the default instruction cap of a Machine.
const DefaultSteps = 2_000_000

// A Machine executes Calls one at a time and reuses its memory. Machines share
// only the Codes of their Worlds. Only Cancel may be called from other
// goroutines.
type Machine struct {
	Steps int // instruction cap of a Call; 0 means DefaultSteps

	overlay overlay
	tracer  *tracer
	evm     *vm.EVM
	block   BlockContext
	price   uint256.Int // gas price: always zero
	value   uint256.Int // of the running Call
	rules   *params.Rules
	calls   uint

	precompiles vm.PrecompiledContracts

	cancelled atomic.Bool
	running   atomic.Pointer[vm.EVM] // evm, for Cancel
}

// NewMachine returns a Machine with the default instruction cap.
func NewMachine() *Machine {
	m := &Machine{}
	m.overlay.words.reset()
	m.precompiles = m.heldPrecompiles()
	m.tracer = newTracer(m)
	m.renew()
	return m
}

// renewEvery bounds the jump-destination cache of an EVM, in Calls.
const renewEvery = 1 << 18

// renew creates a new EVM: an aborted one cannot run again.
func (m *Machine) renew() {
	context := newBlockContext()
	context.Transfer = func(db vm.StateDB, from, to common.Address, wei *uint256.Int, rules *params.Rules) {
		m.keepRules(rules)
		transfer(db, from, to, wei)
	}
	setBlock(&context, &m.block)
	if m.evm != nil {
		m.evm.Release()
	}
	m.rules = nil
	m.evm = vm.NewEVM(context, &m.overlay, chainConfig, vm.Config{})
	m.evm.GasPrice = &m.price
	m.evm.SetPrecompiles(m.precompiles)
	m.running.Store(m.evm)
}

// Cancel stops the running Call at its next jump, call or instruction on much
// memory. Later Calls end at once with ErrCancelled until Resume.
func (m *Machine) Cancel() {
	m.cancelled.Store(true)
	m.running.Load().Cancel()
}

// Resume undoes Cancel.
func (m *Machine) Resume() { m.cancelled.Store(false) }

// Execute runs c in block b on w. A successful Call changes w, including the
// end of the transaction; a reverted or halted one does not. With a nil h it
// runs about twice as fast, with the same Outcome.
//
// Nonces of senders grow only by creations, so that a Call changes only what
// contracts changed.
func (m *Machine) Execute(w *World, b BlockContext, c Call, h *Hooks) Outcome {
	if c.Gas == 0 {
		c.Gas = DefaultGas
	}
	if m.calls++; m.calls%renewEvery == 0 || m.evm.Cancelled() {
		m.renew()
	}
	if m.cancelled.Load() {
		return Outcome{Status: Halt, Halt: ErrCancelled}
	}
	if b != m.block {
		m.block = b
		setBlock(&m.evm.Context, &b)
	}
	if h == nil {
		if out, exact := m.unwatched(w, &c); exact {
			return out
		}
		h = &noHooks
	}
	return m.watched(w, &c, h)
}

var noHooks = Hooks{Ops: []byte{}, Lean: true}

// unwatched runs c in go-ethereum's fast loop, which neither counts
// instructions nor lifts the limits on code size. It reports whether that made
// no difference; if it did, w is unchanged.
func (m *Machine) unwatched(w *World, c *Call) (out Outcome, exact bool) {
	m.evm.Config.Tracer, m.overlay.onLog = nil, nil
	m.tracer.rest()
	out, err := m.run(w, c)
	nested := m.overlay.reverts
	if err != nil {
		nested--
	}
	// A frame that hit a limit failed. Each instruction costs at least one gas,
	// except the last of a frame.
	halted := err != nil && err != vm.ErrExecutionReverted
	if !m.evm.Cancelled() && (halted || nested > 0 || out.GasUsed > uint64(m.steps())) {
		return out, false
	}
	m.finish(w, &out, err)
	return out, true
}

// watched runs c with the hooks h.
func (m *Machine) watched(w *World, c *Call, h *Hooks) Outcome {
	m.evm.Config.Tracer, m.overlay.onLog = m.tracer.begin(h, m.steps()), m.tracer.log
	if h.Log == nil {
		m.overlay.onLog = nil
	}
	out, err := m.run(w, c)
	m.finish(w, &out, err)
	return out
}

func (m *Machine) steps() int {
	if m.Steps > 0 {
		return m.Steps
	}
	return DefaultSteps
}

// run enters the interpreter.
func (m *Machine) run(w *World, c *Call) (out Outcome, err error) {
	m.overlay.begin(w)
	m.evm.Origin = c.From
	var left vm.GasBudget
	budget := vm.NewGasBudget(c.Gas, 0)
	m.value = c.Value
	if c.Create {
		m.overlay.Prepare(chainRules, c.From, m.block.Coinbase, nil, nil, nil)
		_, out.Created, left, err = m.evm.Create(c.From, c.Data, budget, &m.value)
	} else {
		m.overlay.Prepare(chainRules, c.From, m.block.Coinbase, &c.To, nil, nil)
		out.Return, left, err = m.evm.Call(c.From, c.To, c.Data, budget, &m.value)
	}
	out.GasUsed = left.Used(budget)
	return out, err
}

// finish sets the outcome and, on success, commits to w.
func (m *Machine) finish(w *World, out *Outcome, err error) {
	switch {
	case m.evm.Cancelled():
		*out = Outcome{Status: Halt, Halt: ErrCancelled, GasUsed: out.GasUsed}
		if !m.cancelled.Load() {
			out.Halt, out.Slow = ErrSlow, true
		}
		return
	case err == vm.ErrExecutionReverted:
		out.Status, out.Created = Revert, common.Address{}
		return
	case err != nil:
		out.Status, out.Halt, out.Created = Halt, err, common.Address{}
		out.Return = nil
		return
	}
	out.Refund = m.overlay.refund
	if n := len(m.overlay.logs); n > 0 {
		out.Logs = make([]Log, n)
		for i, l := range m.overlay.logs {
			out.Logs[i] = Log{Address: l.Address, Topics: l.Topics, Data: l.Data}
		}
	}
	m.overlay.commit(w)
}
