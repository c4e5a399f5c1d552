package suite

import (
	"context"
	"slices"

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
	program *program.Program
	open    []tracedFrame
	failed  []failedSite // of the newest failure that no frame has caught, the innermost first
	cause   []byte       // its output
	printed []printedSite
	bytes   int // of text that was printed
}

// A failedSite is an instruction on the way to a failure.
type failedSite struct {
	oracle.Site
	own bool // of the outermost frame
}

// A Step is a place on the way to a failure.
type Step struct {
	program.Location
	Own bool // in the code of the test contract, not of a contract that it calls
}

type tracedFrame struct {
	code  *evm.Code
	calls []oracle.Site // internal ones that have not returned
	last  oracle.Site   // the instruction that ends the frame or opens another
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
	*t = Tracer{program: t.program}
	return &evm.Hooks{
		Ops: []byte{bytecode.JUMP, bytecode.REVERT, bytecode.INVALID, bytecode.RETURN, bytecode.STOP}, Codes: t.program.IsProject,
		Step: t.step, Enter: t.enter, Exit: t.exit,
		Fault: func(s *evm.Step, _ error) { t.top().last = oracle.Site{Code: s.Frame.Code, PC: s.PC} },
	}
}

func (t *Tracer) top() *tracedFrame { return &t.open[len(t.open)-1] }

func (t *Tracer) enter(f *evm.Frame) {
	if len(t.open) > 0 {
		t.top().last = oracle.Site{Code: t.top().code, PC: f.PC}
		if f.To == cheat.Console {
			t.print(f.Input)
		}
	}
	t.open = append(t.open, tracedFrame{code: f.Code})
}

func (t *Tracer) step(s *evm.Step) {
	f := t.top()
	if s.Op != bytecode.JUMP {
		f.last = oracle.Site{Code: s.Frame.Code, PC: s.PC}
		return
	}
	info := t.program.InfoOf(s.Frame.Code)
	if info.PCs == nil {
		return
	}
	switch e, _ := info.PCs.PCEntry(int(s.PC)); {
	case e.Jump == srcmap.JumpInto && len(f.calls) < maxInternal:
		f.calls = append(f.calls, oracle.Site{Code: s.Frame.Code, PC: s.PC})
	case e.Jump == srcmap.JumpOut && len(f.calls) > 0:
		f.calls = f.calls[:len(f.calls)-1]
	}
}

func (t *Tracer) exit(frame *evm.Frame, status evm.Status, output []byte, _ uint64, _ error) {
	f := t.top()
	t.open = t.open[:len(t.open)-1]
	if status == evm.Success {
		if len(t.open) > 0 {
			t.failed = nil
		}
		return
	}
	if t.failed == nil || string(t.cause) != string(output) {
		t.failed, t.cause = nil, slices.Clone(output)
	}
	own := frame.Depth == 1
	t.failed = append(t.failed, failedSite{f.last, own})
	for _, call := range slices.Backward(f.calls) {
		t.failed = append(t.failed, failedSite{call, own})
	}
}

// print notes a call of console.log from the top frame.
func (t *Tracer) print(data []byte) {
	text, ok := cheat.Printed(data)
	if t.bytes += len(text); !ok || len(t.printed) >= maxPrinted || t.bytes > maxPrintedBytes {
		return
	}
	p := printedSite{text, []oracle.Site{t.top().last}}
	for _, call := range slices.Backward(t.top().calls) {
		p.sites = append(p.sites, call)
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
		l, ok := t.program.LocateSite(site.Site)
		if !ok || l.Node != nil && oracle.IsDefinition(l.Node) && l.Node.Span == l.Place.Span {
			continue
		}
		if n := len(list); n > 0 && list[n-1].Place.Span == l.Place.Span {
			continue
		}
		list = append(list, Step{l, site.own})
	}
	return list
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
