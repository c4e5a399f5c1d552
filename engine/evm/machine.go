package evm

import (
	"bytes"
	"cmp"
	"errors"
	"sync/atomic"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"

	"leveret/engine/bounded"
)

// Errors of Outcome.Halt besides go-ethereum's.
var (
	ErrSlow      = errors.New("instruction cap reached")
	ErrCancelled = errors.New("execution cancelled")
	ErrOutOfGas  = vm.ErrOutOfGas            // go-ethereum's, for packages that may not import it
	ErrBalance   = vm.ErrInsufficientBalance // no code ran: the value exceeds the caller's balance
)

// CallStipend is the gas that a call with value, such as send and transfer, gives to the recipient.
const CallStipend = params.CallStipend

// DefaultSteps is the default instruction cap of a Machine.
const DefaultSteps = 2_000_000

// A Machine executes Calls one at a time and reuses its memory. Machines share
// only the Codes of their Worlds. Only Cancel may be called from other
// goroutines.
type Machine struct {
	Steps int   // instruction cap of a Call; 0 means DefaultSteps
	Chain Chain // set before the first Call
	Exact bool  // execute one instruction at a time: slower, with the same Outcomes

	Bounds Bounds // of Calls with more gas than its price bounds; the zero value sets none

	Inspector Inspector // may change what Calls do; nil: none

	overlay overlay
	frames  []*frame            // by depth
	memory  bounded.Arena[byte] // of all open frames
	table   *[256]instruction
	caches

	context  callContext
	hooks    *Hooks    // of the running Call; nil: none
	wanted   [256]bool // opcodes that Hooks.Step wants
	recorder Recorder  // of the running Call; nil: none
	quick    bool      // frames may run in the fast mode
	meter              // of the running Call
	opened   int       // frames so far
	short    bool      // a frame halted with ErrMemory
	reports
	round   uint32  // of executing Calls: one that begins again has two
	changes changes // by the Inspector

	cancelled atomic.Bool
}

// caches are what a Machine computed before.
type caches struct {
	hashes  hashCache
	inverse reciprocalCache
	results resultCache
	codes   translations
}

// reports are what observers are told with, and what Outcomes return.
type reports struct {
	step  Step
	stack []uint256.Int // of the frame that the Recorder is told about
	event Log           // that observers are told about
	spare []byte        // for short return data
	last  []byte        // return data of the last call
}

// Short return data of several Calls share memory.
const (
	shortReturn  = 128
	sharedReturn = 1024
)

// own returns a copy of return data for the caller.
func (r *reports) own(data []byte) []byte {
	if len(data) > shortReturn {
		return bytes.Clone(data)
	}
	if len(data) > len(r.spare) {
		r.spare = make([]byte, sharedReturn)
	}
	made := r.spare[:len(data):len(data)]
	r.spare = r.spare[len(data):]
	copy(made, data)
	return made
}

// keep returns a copy of the return data of a call, which is in memory that its caller may
// grow into. It is valid until the next call.
func (r *reports) keep(data []byte) []byte {
	r.last = append(reused(r.last, keptReturn), data...)
	return r.last
}

// A meter counts instructions down.
type meter struct {
	limit int    // the cap
	left  int    // until the cap; negative: stopped
	bulk  uint64 // of Bounds.Work, what is left
}

// NewMachine returns a Machine with the default instruction cap.
func NewMachine() *Machine {
	m := &Machine{memory: newMemory()}
	m.overlay.words.reset()
	return m
}

// Cancel stops the running Call at its next jump, call or instruction on much
// memory. Later Calls end at once with ErrCancelled until Resume.
func (m *Machine) Cancel() { m.cancelled.Store(true) }

// Resume undoes Cancel.
func (m *Machine) Resume() { m.cancelled.Store(false) }

// Execute runs c in block b on w. A successful Call changes w, including the
// end of the transaction; a reverted or halted one does not. Without Hooks it
// runs several times as fast, with the same Outcome.
//
// Nonces of senders grow only by creations, so that a Call changes only what
// contracts changed.
func (m *Machine) Execute(w *World, b BlockContext, c Call, h *Hooks) (out Outcome) {
	m.hooks, m.recorder = h, nil
	if h != nil {
		for op := range m.wanted {
			m.wanted[op] = h.Ops == nil
		}
		for _, op := range h.Ops {
			m.wanted[op] = true
		}
	}
	c.Gas = cmp.Or(c.Gas, DefaultGas)
	m.execute(w, &b, &c, &out)
	if out.Status == Success {
		out.Logs = m.Logs()
		m.Commit(w)
	}
	return out
}

// Record runs c as Execute does and tells r what it does, but leaves w as it is,
// and the Outcome without events: until the next Call, Commit and Logs have them.
func (m *Machine) Record(w *World, b BlockContext, c Call, r Recorder) (out Outcome) {
	m.hooks, m.recorder = nil, r
	c.Gas = cmp.Or(c.Gas, DefaultGas)
	m.execute(w, &b, &c, &out)
	return out
}

// Commit adds the changes of the last Call, a successful one, to the World that
// it ran on or to a Fork of it.
func (m *Machine) Commit(w *World) {
	m.overlay.commit(w)
	if m.Inspector != nil {
		w.Env = m.Inspector.End()
	}
}

// Changed reports whether the last Call, a successful one, left a word other than
// it was before. It answers for words that the Call wrote.
func (m *Machine) Changed(slot Slot) bool {
	w := m.overlay.word(m.overlay.account(&slot.Address), wordOf(&slot.Key))
	return w.current != m.overlay.before(m.overlay.words.last)
}

// Logs returns the events of the last Call, a successful one.
func (m *Machine) Logs() []Log { return m.overlay.logs.copied() }

// execute runs c, in the fast mode if that is as exact.
func (m *Machine) execute(w *World, b *BlockContext, c *Call, out *Outcome) {
	if m.cancelled.Load() {
		out.Status, out.Halt = Halt, ErrCancelled
		return
	}
	if m.table == nil {
		m.table = &instructions[m.Chain.Fork]
	}
	m.quick = m.hooks == nil && !m.Exact
	m.codes.bound()
	err := m.run(w, b, c, out)
	if err == errInexact {
		m.quick = false
		err = m.run(w, b, c, out)
	}
	if failed := m.overlay.accounts.err; failed != nil && err != ErrCancelled {
		err = failed
	}
	out.Short = m.short
	m.finish(out, c, err)
}

// run executes the outermost frame.
func (m *Machine) run(w *World, b *BlockContext, c *Call, out *Outcome) (err error) {
	m.overlay.fork = m.Chain.Fork
	m.overlay.begin(w)
	m.opened, m.short = 0, false
	m.memory.Begin()
	if m.round++; m.round == 0 { // what was told in old rounds could look current
		m.codes, m.round = translations{}, 1
	}
	m.limit = m.steps()
	m.left, m.bulk = m.limit, m.Bounds.Work
	m.overlay.bound(m.Bounds.Held, w.Env)
	m.enter(w.Env, b, c)
	if m.recorder != nil {
		m.recorder.Begin()
	}
	to := &c.To
	if c.Create {
		to = nil
	}
	m.overlay.prepare(&c.From, &m.context.block.Coinbase, to, c.AccessList)
	m.overlay.override(c.Overrides)
	if m.Chain.Endowed && !c.Value.IsZero() {
		m.overlay.addBalance(&c.From, &c.Value)
	}
	var left uint64
	if c.Create {
		end := m.deploy(nil, &Message{Kind: FrameCreate, From: c.From, To: c.To, Input: c.Data, Gas: c.Gas, Value: c.Value})
		out.Created, out.Return, left, err = end.Created, end.Output, end.Left, end.Err
	} else {
		out.Return, left, err = m.message(nil, FrameCall, &c.From, &c.To, &c.To, c.Data, c.Gas, &c.Value)
	}
	out.GasUsed = c.Gas - left
	return err
}

func (m *Machine) steps() int {
	if m.Steps > 0 {
		return m.Steps
	}
	return DefaultSteps
}

// Instructions returns how many instructions the last Call executed in all of its
// frames. What lies between two jumps counts as a whole.
func (m *Machine) Instructions() int { return m.limit - m.left }

// finish sets the outcome.
func (m *Machine) finish(out *Outcome, c *Call, err error) {
	switch {
	case unwinds(err):
		*out = Outcome{Status: Halt, Halt: err, GasUsed: out.GasUsed, Slow: err == ErrSlow || err == ErrHeld, Short: out.Short}
		return
	case err == errRevert:
		out.Status, out.Created = Revert, common.Address{}
	case err != nil:
		out.Status, out.Halt, out.Created = Halt, err, common.Address{}
		out.Return = nil
		return
	}
	if len(out.Return) == 0 || c.Create && err == nil {
		out.Return = nil
	} else {
		out.Return = m.own(out.Return)
	}
	if err == nil {
		out.Refund = m.overlay.refund
	}
}
