package suite

import (
	"context"
	"slices"
	"unicode/utf8"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
	"leveret/engine/cheat"
	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/oracle"
	"leveret/engine/program"
	"leveret/solc"
	"leveret/solc/srcmap"
)

// Trace executes a test again and returns a Tracer that knows the way to its
// failure and what it printed.
func (s *Suite) Trace(ctx context.Context, t solc.Test, args ...input.Value) *Tracer {
	f, tracer := s.Function(t), NewTracer(s.Program)
	if f == nil || s.fault != nil {
		return tracer
	}
	defer s.cancelWith(ctx)()
	kept := s.cheats.Report
	defer func() { s.cheats.Report = kept }()
	w := s.world.Fork()
	if s.prepare(w, f) != nil {
		return tracer
	}
	defer func(steps int, bounds evm.Bounds) { s.machine.Steps, s.machine.Bounds = steps, bounds }(s.machine.Steps, s.machine.Bounds)
	s.machine.Steps, s.machine.Bounds.Work = tracedSteps, tracedWork
	tx := input.Tx{Function: f, Args: args}
	s.observe(w, tx.Calldata(), tracer.Hooks())
	return tracer
}

// A Tracer follows the frames of a Call and the internal calls in them, by the
// jumps of the source maps, until a frame fails and takes its callers with it.
type Tracer struct {
	Asserts func(*evm.Log) bool // whether an event stands for a failed assertion; may be nil

	program *program.Program
	open    []tracedFrame
	failed  []failedSite    // of the newest failure that no frame has caught, the innermost first
	marked  []failedSite    // of the first assertion that failed without a revert, in a frame that was not undone
	within  int             // open frames that can undo it
	cause   []byte          // its output
	absent  *common.Address // what it needs and has no code; nil: not known
	event   string          // text of the event that stands for it; "": none
	said    string          // about the failure; "": nothing
	printed []printedSite
	bytes   int // of text that was printed
}

// A failedSite is where a frame failed, or an internal call that led there.
type failedSite struct {
	trail []oracle.Site // that instruction and those before it, the newest first
	own   bool          // of the outermost frame
}

// A Step is a place on the way to a failure.
type Step struct {
	program.Location
	Own       bool // in the code of the test contract, not of a contract that it calls
	Asserting bool // in a function that only asserts something of its arguments
}

type tracedFrame struct {
	code   *evm.Code
	calls  []internalCall // that have not returned
	recent [recentLength]uint64
	n      int     // instructions so far, the last recentLength of which are in recent
	branch int     // n at the newest JUMPI
	jump   int     // n at the newest JUMP that is no internal call or return
	called int     // n at the newest instruction that opened a frame
	before int     // jump at that instruction
	asked  account // the newest whose code or answer it asked for
	said   string  // in the newest event of a function that only asserts something
}

// An account is one that a frame calls, or whose code it asks for.
type account struct {
	address common.Address
	at      int  // n of the frame then
	sized   bool // the next instruction sees the size of its code
	absent  bool // it has no code
}

// askedLength bounds the instructions from a call of an account without code to the revert that
// follows from it: of the check for code, or of one that its answer is too short.
const askedLength = 96

// An internalCall is the jump into a function.
type internalCall struct {
	oracle.Site
	n int // of the frame at the jump
}

// recentLength is how far a Tracer looks back from a failure to a source: the
// compiler's own code has none.
const recentLength = 512

// sharedLength bounds the ends of blocks that optimisers share, such as what reverts
// with a text and what calls a function of one argument. These instructions have the
// source of one of the checks or calls.
const sharedLength = 24

// add notes an instruction; one that halts is told twice.
func (f *tracedFrame) add(pc uint64) {
	if f.n == 0 || f.recent[(f.n-1)%recentLength] != pc {
		f.recent[f.n%recentLength] = pc
		f.n++
	}
}

// call notes the instruction that opens a frame.
func (f *tracedFrame) call(pc uint64) {
	f.add(pc)
	f.called, f.before = f.n, f.jump
}

// last returns the newest instruction.
func (f *tracedFrame) last() oracle.Site {
	return oracle.Site{Code: f.code, PC: f.recent[(f.n-1)%recentLength]}
}

// until returns the instructions up to the one with a number, the newest first.
func (f *tracedFrame) until(n int) []oracle.Site {
	var trail []oracle.Site
	for i := n - 1; i >= max(0, f.n-recentLength); i-- {
		trail = append(trail, oracle.Site{Code: f.code, PC: f.recent[i%recentLength]})
	}
	return trail
}

// A printedSite is a call of console.log, with the instructions that led there,
// the innermost first.
type printedSite struct {
	text  string
	sites []oracle.Site
}

// Bounds of the calls of console.log that are located, and of their text in bytes.
const (
	maxPrinted      = 200
	maxPrintedBytes = 1 << 20
)

// Bounds of a traced test, which takes many times as long: an endless loop is found
// in a part of it.
const (
	tracedSteps = 1 << 25
	tracedWork  = 1 << 27
)

// maxInternal bounds the internal calls that are followed in one frame.
const maxInternal = 64

// NewTracer returns a Tracer of the code of a program.
func NewTracer(p *program.Program) *Tracer { return &Tracer{program: p} }

// Hooks returns the hooks of one Call, whose failure Trail returns then.
func (t *Tracer) Hooks() *evm.Hooks {
	*t = Tracer{Asserts: t.Asserts, program: t.program}
	return &evm.Hooks{
		Codes: t.program.IsProject,
		Step:  t.step, Enter: t.enter, Exit: t.exit, Log: t.log,
		Fault: func(s *evm.Step, _ error) { t.top().add(s.PC) },
	}
}

func (t *Tracer) top() *tracedFrame { return &t.open[len(t.open)-1] }

func (t *Tracer) enter(f *evm.Frame) {
	if len(t.open) > 0 {
		t.top().call(f.PC)
		switch {
		case f.To == cheat.Console:
			t.print(f.Input)
		case f.To == cheat.Address && t.marked == nil && cheat.MarksFailure(f.Input):
			t.mark()
		case len(f.Input) >= 4:
			t.top().asked = account{address: f.To, at: t.top().n, absent: f.Code == nil && !reserved(f.To)}
		}
	}
	t.open = append(t.open, tracedFrame{code: f.Code})
}

// reserved reports whether an address is one of those that precompiled contracts have.
func reserved(a common.Address) bool { return common.BytesToAddress(a[len(a)-2:]) == a }

func (t *Tracer) step(s *evm.Step) {
	f := t.top()
	if f.asked.sized {
		f.asked.sized, f.asked.absent = false, s.Top(0).IsZero()
	}
	f.add(s.PC)
	switch s.Op {
	case bytecode.EXTCODESIZE:
		f.asked = account{address: s.Top(0).Bytes20(), at: f.n, sized: true}
	case bytecode.JUMPI:
		f.branch = f.n
	case bytecode.JUMP:
		t.jump(f, s)
	}
}

// log notes a failed assertion, and what a function that only asserts something says in an
// event, as helpers of harnesses do.
func (t *Tracer) log(_ *evm.Frame, e *evm.Log) {
	text, ok := onlyString(e)
	if t.marked == nil && t.Asserts != nil && t.Asserts(e) {
		t.mark()
		t.event = text
	}
	if l, known := t.program.LocateSite(t.top().last()); ok && known && t.program.Sources.InAssertion(l.Node) {
		t.top().said = text
	}
}

// onlyString returns the argument of an event that has nothing but a string; false for others.
func onlyString(e *evm.Log) (string, bool) {
	const head = 64 // bytes: offset and length
	if len(e.Topics) != 1 || len(e.Data) < head {
		return "", false
	}
	offset, length := new(uint256.Int).SetBytes(e.Data[:head/2]), new(uint256.Int).SetBytes(e.Data[head/2:head])
	text := e.Data[head:]
	if !offset.Eq(uint256.NewInt(head/2)) || !length.IsUint64() || length.Uint64() > uint64(len(text)) || uint64(len(text)) >= length.Uint64()+head/2 {
		return "", false
	}
	text = text[:length.Uint64()]
	return string(text), utf8.Valid(text)
}

// jump follows internal calls and returns.
func (t *Tracer) jump(f *tracedFrame, s *evm.Step) {
	info := t.program.InfoOf(s.Frame.Code)
	if info.PCs == nil {
		return
	}
	switch e, _ := info.PCs.PCEntry(int(s.PC)); {
	case e.Jump == srcmap.JumpRegular:
		f.jump = f.n
	case e.Jump == srcmap.JumpInto && len(f.calls) < maxInternal:
		f.calls = append(f.calls, internalCall{f.last(), f.n})
	case e.Jump == srcmap.JumpOut && len(f.calls) > 0:
		f.calls = f.calls[:len(f.calls)-1]
	}
}

func (t *Tracer) exit(frame *evm.Frame, status evm.Status, output []byte, _ uint64, _ error) {
	f := t.top()
	t.open = t.open[:len(t.open)-1]
	if status != evm.Success && t.within > len(t.open) {
		t.marked, t.event = nil, ""
	}
	t.within = min(t.within, len(t.open))
	if len(output) > 0 || status == evm.Success {
		t.absent = nil
	}
	if status == evm.Success {
		if t.failed = nil; len(t.open) == 0 {
			t.failed, t.said = t.marked, t.event
		}
		return
	}
	passedOn := t.failed != nil && string(t.cause) == string(output)
	if !passedOn {
		t.failed, t.cause, t.said = nil, slices.Clone(output), f.said
		if t.absent = nil; status == evm.Revert && len(output) == 0 && f.asked.absent && f.n-f.asked.at <= askedLength {
			t.absent = &f.asked.address
		}
	}
	own := frame.Depth == 1
	t.failed = append(t.failed, failedSite{t.failing(f, passedOn), own})
	for _, call := range slices.Backward(f.calls) {
		if !passedOn || call.n < f.called { // else the compiler's own, which passes the failure on
			t.failed = append(t.failed, failedSite{[]oracle.Site{call.Site}, own})
		}
	}
}

// failing returns the trail of what failed in a frame: the call whose failure the
// frame passes on, else its last instruction, or the branch to it if that has no
// source. If optimisers shared the end of the block, the trail begins with what jumped
// there.
func (t *Tracer) failing(f *tracedFrame, passedOn bool) []oracle.Site {
	end, jump := f.n, f.jump
	switch {
	case passedOn && f.called > f.n-recentLength/2:
		end, jump = f.called, f.before
	case f.branch > 0:
		if _, ok := t.locate([]oracle.Site{f.last()}); !ok {
			return f.until(f.branch)
		}
	}
	if jump > end-sharedLength {
		return f.until(jump)
	}
	return f.until(end)
}

// mark notes where the open frames are, the innermost first.
func (t *Tracer) mark() {
	t.within = len(t.open)
	for i, f := range slices.Backward(t.open) {
		t.marked = append(t.marked, failedSite{f.until(f.n), i == 0})
		for _, call := range slices.Backward(f.calls) {
			t.marked = append(t.marked, failedSite{[]oracle.Site{call.Site}, i == 0})
		}
	}
}

// print notes a call of console.log from the top frame.
func (t *Tracer) print(data []byte) {
	text, ok := cheat.Printed(data)
	if t.bytes += len(text); !ok || len(t.printed) >= maxPrinted || t.bytes > maxPrintedBytes {
		return
	}
	p := printedSite{text, []oracle.Site{t.top().last()}}
	for _, call := range slices.Backward(t.top().calls) {
		p.sites = append(p.sites, call.Site)
	}
	t.printed = append(t.printed, p)
}

// Prints returns what the last Call printed by console.log, at its innermost place
// outside libraries; what has none is left out.
func (t *Tracer) Prints() []finding.Print {
	var list []finding.Print
	for _, p := range t.printed {
		for _, site := range p.sites {
			if l, ok := t.program.LocateSite(site); ok && l.Source != nil && !l.Source.Library && !(l.Node != nil && oracle.IsDefinition(l.Node)) {
				list = append(list, finding.Print{Place: l.Place, Text: p.text})
				break
			}
		}
	}
	return list
}

// Trail returns the places on the way to the failure of the last Call, the
// innermost first, without those in the compiler's own code and whole functions.
func (t *Tracer) Trail() []Step {
	var list []Step
	for _, site := range t.failed {
		l, ok := t.locate(site.trail)
		if !ok {
			continue
		}
		if n := len(list); n > 0 && list[n-1].Place.Span == l.Place.Span {
			continue
		}
		list = append(list, Step{l, site.own, t.program.Sources.InAssertion(l.Node)})
	}
	return list
}

// Where returns the step of a trail that stands for the failure, in the sources of
// the project if possible: the innermost one in the test's own code, outside functions that
// only assert something of their arguments, else the innermost one; and the other steps
// on the way there. There is none if the trail is not known.
func Where(trail []Step) (place *Step, others []*Step) {
	var own []*Step
	for i := range trail {
		l := &trail[i]
		if l.Source == nil || l.Source.Library || l.Source.Path == "" || l.Text == "_" { // where a modifier runs the function
			continue
		}
		if n := len(own); n > 0 && own[n-1].Own == l.Own && own[n-1].Source == l.Source && own[n-1].Place.Start.Line == l.Place.Start.Line {
			continue
		}
		own = append(own, l)
	}
	at := slices.IndexFunc(own, func(l *Step) bool { return l.Own && !l.Asserting })
	if at < 0 {
		at = slices.IndexFunc(own, func(l *Step) bool { return l.Own })
	}
	if at < 0 && len(own) > 0 {
		at = 0
	}
	if at < 0 {
		return nil, nil
	}
	return own[at], slices.Delete(slices.Clone(own), at, at+1)
}

// Absent returns the account without code whose call made the last Call revert without data;
// false if it did not fail so.
func (t *Tracer) Absent() (common.Address, bool) {
	if t.absent == nil {
		return common.Address{}, false
	}
	return *t.absent, true
}

// Said returns what an event says about the failure of the last Call: one that stands for
// it, or of the function whose assertion failed; "" if there is none.
func (t *Tracer) Said() string {
	if trail := t.Trail(); t.event == "" && (len(trail) == 0 || !trail[0].Asserting) {
		return ""
	}
	return t.said
}

// locate returns the newest place of a trail that is more precise than a function.
// Values of constants say nothing about where they are used.
func (t *Tracer) locate(trail []oracle.Site) (program.Location, bool) {
	for _, site := range trail {
		l, ok := t.program.LocateSite(site)
		if ok && !(l.Node != nil && (oracle.Inlined(l.Node) || oracle.IsDefinition(l.Node) && l.Node.Span == l.Place.Span)) {
			return l, true
		}
	}
	return program.Location{}, false
}

// FaultTrail is Trail for a setUp that fails; it is empty for other faults.
func (s *Suite) FaultTrail() []Step { return s.faultTrail }

// Definition returns the name of a test in its source, else that of the test
// contract; false if neither is known.
func (s *Suite) Definition(t solc.Test) (finding.Place, bool) {
	if f := s.Function(t); f != nil {
		if place, ok := s.Program.NamePlace(s.Program.Definition(f)); ok {
			return place, true
		}
	}
	return s.Program.NamePlace(s.Program.UnderTest.Node)
}
