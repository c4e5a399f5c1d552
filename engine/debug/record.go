package debug

import (
	"bytes"
	"context"
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/bytecode"
	"leveret/engine/evm"
)

// Record executes transactions, which visit passes to its argument in order with the
// states to which the ones before led, and indexes them. The error says that the
// context ended, or that nothing was executed.
func Record(ctx context.Context, s Subject, visit func(execute func(Transaction) evm.Outcome)) (*Recording, error) {
	return record(ctx, &Recording{Subject: s, visit: visit, codeTable: newCodeTable()})
}

// record fills the index of a Recording, which has what to execute and with which
// changes.
func record(ctx context.Context, r *Recording) (*Recording, error) {
	r.slots = map[Slot]uint32{}
	c := &recorder{tracker: tracker{recording: r}, accounts: map[common.Address]bool{}}
	r.visit(c.execute)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case r.end == 0:
		return nil, errEmpty
	}
	c.place()
	r.entries, r.frames, r.writes = slices.Clip(r.entries), slices.Clip(r.frames), slices.Clip(r.writes)
	return r, nil
}

// A recorder fills a Recording.
type recorder struct {
	tracker
	n           Position                // instructions so far
	last        uint64                  // pc of the last one
	active      uint32                  // number of the activation with the newest entry
	activations uint32                  // so far
	outputs     int                     // bytes kept of failures
	accounts    map[common.Address]bool // in Recording.accounts
	failed      []byte                  // output of the newest failure of a frame; nil: none since the last success
	blamed      Position                // newest instruction at the blamed place
	passed      bool                    // blamed is set
	settled     bool                    // the finding is at a failing frame
}

// execute records a transaction. Once a limit is reached, nothing is recorded.
func (c *recorder) execute(t Transaction) evm.Outcome {
	r := c.recording
	at := transaction{Transaction: t, start: c.n}
	if r.Cut {
		return t.Run(nil)
	}
	c.open, c.depth, c.failed = c.open[:0], 0, nil
	at.outcome = t.Run(&evm.Hooks{Step: c.step, Fault: c.fault, Enter: c.enter, Exit: c.exit})
	for len(c.open) > 0 { // a cancelled Call may leave frames
		c.leave()
	}
	if at.end = c.n; at.end > at.start {
		r.txs, r.end = append(r.txs, at), c.n
	}
	return at.outcome
}

func (c *recorder) enter(f *evm.Frame) {
	parent := int32(-1)
	if len(c.open) > 0 {
		parent = c.top().index
	}
	c.tracker.enter(f)
	c.meet(f.From)
	c.meet(f.Self)
	if f.Code == nil {
		c.top().index = parent
		return
	}
	c.top().index, c.top().start = int32(len(c.recording.frames)), c.n
	c.recording.frames = append(c.recording.frames, frame{start: c.n, parent: parent})
	c.number(c.top().running())
}

// maxAccounts bounds the accounts of which balances are shown.
const maxAccounts = 1000

// meet notes an account that takes part.
func (c *recorder) meet(a common.Address) {
	if !c.accounts[a] && len(c.accounts) < maxAccounts {
		c.accounts[a] = true
		c.recording.accounts = append(c.recording.accounts, a)
	}
}

// number gives an activation its number.
func (c *recorder) number(a *activation) {
	c.activations++
	a.number = c.activations
}

func (c *recorder) step(s *evm.Step) {
	if c.recording.Cut {
		return
	}
	c.recording.amend(c.n, s)
	f, statement := c.tracker.step(s)
	a := f.running()
	if a.number == 0 {
		c.number(a)
	}
	if statement >= 0 {
		c.follow(f, s, statement)
	}
	if f.codes.at(s.PC) {
		c.blamed, c.passed = c.n, true
	}
	switch s.Op {
	case bytecode.SSTORE, bytecode.TSTORE:
		c.write(s)
	case bytecode.KECCAK256:
		c.recording.preimages.Step(s)
	}
	c.last = s.PC
	c.n++
	c.bound()
}

// at reports whether an instruction is at the blamed place.
func (m *codeMap) at(pc uint64) bool { return pc < uint64(len(m.blamed)) && m.blamed[pc] }

// bound ends the Recording if it is too large.
func (c *recorder) bound() {
	r := c.recording
	if c.n >= maxPositions || len(r.entries) >= maxStatements || len(r.frames) >= maxFrames || len(r.writes) >= maxWrites {
		r.Cut = true
	}
}

// follow adds an entry where an activation comes to another statement, to the same
// one again, or back to it from a call. Jump destinations alone are no statement, and
// pushes alone none in optimised code, where they remain of those that are not executed.
func (c *recorder) follow(f *openFrame, s *evm.Step, statement int32) {
	a := f.running()
	if statement != a.current && statement != a.candidate || s.PC == a.first && a.begun {
		a.candidate, a.since, a.from = statement, c.n, s.PC
	}
	goesOn := a.candidate != statement && c.active != a.number
	switch alone := s.Op == bytecode.JUMPDEST || bytecode.IsPush(bytecode.Op(s.Op)); {
	case goesOn && (f.codes.plain || !alone):
		c.add(entry{at: c.n, depth: c.depth, statement: statement, flags: resumes}, a)
	case alone && (s.Op == bytecode.JUMPDEST || !f.codes.plain):
		return
	case a.candidate == statement:
		c.begin(f, statement)
	}
	a.candidate = noStatement
}

// begin adds the entry of a statement that begins.
func (c *recorder) begin(f *openFrame, statement int32) {
	a := f.running()
	e := entry{at: a.since, depth: c.depth, statement: statement}
	place := &c.recording.statements[statement].Place
	if whole := &f.activations[f.whole(len(f.activations)-1)]; !whole.called {
		whole.called = true
		e.flags |= beginCall
		c.recording.calls = append(c.recording.calls, call{a.since, c.recording.functionOf(f.codes, whole.entry, statement)})
	}
	if !a.begun || a.line != place.Start.Line {
		e.flags |= beginLine
	}
	a.begun, a.line, a.current, a.first = true, place.Start.Line, statement, a.from
	c.add(e, a)
}

func (c *recorder) add(e entry, a *activation) {
	c.recording.entries = append(c.recording.entries, e)
	c.active = a.number
}

// write notes an instruction that changes a word.
func (c *recorder) write(s *evm.Step) {
	r := c.recording
	slot := Slot{evm.Slot{Address: s.Frame.Self, Key: s.Top(0).Bytes32()}, s.Op == bytecode.TSTORE}
	view := r.Machine.View()
	before := view.Storage
	if slot.Transient {
		before = view.Transient
	}
	if before(slot.Address, slot.Key) == s.Top(1).Bytes32() {
		return
	}
	n, known := r.slots[slot]
	if !known {
		n = uint32(len(r.slots))
		r.slots[slot] = n
	}
	r.writes = append(r.writes, write{c.n, n})
}

// fault sees the instruction that halts a frame. If it could not be paid, step did
// not see it.
func (c *recorder) fault(s *evm.Step, _ error) {
	if c.recording.Cut || len(c.open) == 0 {
		return
	}
	if f := c.top(); f.began(c.n) && f.pc == s.PC {
		return
	}
	c.step(&evm.Step{PC: s.PC, Op: bytecode.INVALID, Gas: s.Gas, Stack: s.Stack, Memory: s.Memory, ReturnData: s.ReturnData, Frame: s.Frame})
}

// leave closes the innermost frame.
func (c *recorder) leave() {
	if f := c.top(); f.Code != nil {
		c.recording.frames[f.index].end = c.n
	}
	c.tracker.exit()
}

func (c *recorder) exit(ef *evm.Frame, status evm.Status, output []byte, _ uint64, halt error) {
	if len(c.open) == 0 {
		return
	}
	f := c.top()
	switch {
	case status == evm.Success || f.Code == nil:
		c.failed = nil
		if status != evm.Success {
			c.failed = bytes.Clone(output)
		}
	case f.began(c.n) && !c.recording.Cut:
		if c.failed == nil || !bytes.Equal(c.failed, output) || len(output) == 0 {
			c.fail(f, status, output, halt)
		}
		c.failed = append([]byte{}, output...)
	}
	c.leave()
}

// fail notes a frame that fails by its last instruction.
func (c *recorder) fail(f *openFrame, status evm.Status, output []byte, halt error) {
	failure := Failure{At: c.n - 1, Halt: halt, code: f.Code}
	switch {
	case status == evm.Halt:
		failure.Kind = Halted
	case len(output) == 36 && [4]byte(output) == panicSelector:
		failure.Kind = Panicked
	}
	if c.outputs += len(output); c.outputs <= maxOutputs {
		failure.Output = bytes.Clone(output)
	}
	c.recording.failures = append(c.recording.failures, failure)
	if l := f.statement(); l >= 0 && c.passed && c.blamedStatement(l) {
		c.recording.finding, c.recording.found, c.settled = failure.At, true, true
	}
}

// panicSelector is that of Panic(uint256).
var panicSelector = [4]byte{0x4e, 0x48, 0x7b, 0x71}

// blamedStatement reports whether the blamed place is in a statement.
func (c *recorder) blamedStatement(n int32) bool {
	place, blamed := &c.recording.statements[n].Place, &c.recording.Blamed.Place
	return place.File == blamed.File && place.Span.Start <= blamed.Span.Start && blamed.Span.End() <= place.Span.End()
}

// place sets the position of the finding: the frame that fails in its statement, else
// the last execution of its place, else the last statement of the check of a property,
// or the last failure of the last transaction. With changes, a finding that failed a
// frame must do so still.
func (c *recorder) place() {
	r := c.recording
	mustFail := r.fails
	r.fails = c.settled
	last := &r.txs[len(r.txs)-1]
	switch n := len(r.failures); {
	case c.settled:
	case c.passed && !mustFail:
		r.finding, r.found = c.blamed, true
	case r.Blamed.Place.File != "" && last.Check && len(r.entries) > 0 && !mustFail:
		r.finding, r.found = r.entries[len(r.entries)-1].at, true
	case r.Blamed.ID == "" && r.Blamed.Function == "" || last.outcome.Status == evm.Success:
	case n > 0 && r.failures[n-1].At >= last.start:
		r.finding, r.found, r.fails = r.failures[n-1].At, true, true
	}
}
