package direct

import (
	"leveret/engine/bytecode"
	"leveret/engine/evm"
	"leveret/engine/lookahead"
)

// A tracer records the jump destinations of a transaction.
type tracer struct {
	root  *lookahead.FrameTrace
	codes []*evm.Code             // executed, in order
	open  []*lookahead.FrameTrace // of the frames that run; nil: not watched
	watch func(*evm.Code) bool
	steps int
	own   evm.Hooks
}

// maxTraced bounds the recorded jumps: the analysis looks no further than
// lookahead.MaxPrefix instructions.
const maxTraced = lookahead.MaxPrefix

func (t *tracer) reset(watch func(*evm.Code) bool) {
	t.root, t.codes, t.open, t.watch, t.steps = nil, nil, t.open[:0], watch, 0
}

func (t *tracer) hooks() *evm.Hooks {
	t.own = evm.Hooks{
		Ops:  []byte{bytecode.JUMP, bytecode.JUMPI},
		Step: t.step, Enter: t.enter, Exit: t.exit,
	}
	return &t.own
}

func (t *tracer) enter(f *evm.Frame) {
	var trace *lookahead.FrameTrace
	if f.Code != nil && t.watch(f.Code) && !f.Code.Init {
		trace = &lookahead.FrameTrace{Code: f.Code.ID}
		t.codes = append(t.codes, f.Code)
	}
	if len(t.open) == 0 {
		t.root = trace
	} else if parent := t.open[len(t.open)-1]; parent != nil {
		parent.Calls = append(parent.Calls, lookahead.Call{PC: uint32(f.PC), After: len(parent.Dests), Trace: trace})
	}
	t.open = append(t.open, trace)
}

func (t *tracer) exit(*evm.Frame, evm.Status, []byte, uint64, error) { t.open = t.open[:len(t.open)-1] }

func (t *tracer) step(s *evm.Step) {
	trace := t.open[len(t.open)-1]
	if trace == nil {
		return
	}
	dest := uint32(s.PC) + 1
	if s.Op == bytecode.JUMP || !s.Top(1).IsZero() {
		dest = uint32(s.Top(0).Uint64())
	}
	if t.steps++; t.steps > maxTraced {
		trace.Rest = trace.Rest*0x9e3779b97f4a7c15 + uint64(dest) + 1
		return
	}
	trace.Dests = append(trace.Dests, dest)
}
