package dap

import (
	"fmt"

	"github.com/google/go-dap"

	"leveret/engine/debug"
)

// setVariable sets a variable of a group to the value of an expression.
func (s *session) setVariable(a *dap.SetVariableArguments) (any, error) {
	v, err := s.member(a.VariablesReference, a.Name, 0)
	if err != nil {
		return nil, err
	}
	if err := s.set(v, a.Value, s.view.groups[a.VariablesReference].frame); err != nil {
		return nil, err
	}
	if v, err = s.member(a.VariablesReference, a.Name, 0); err != nil {
		return nil, err
	}
	return dap.SetVariableResponseBody{Value: v.Value, Type: v.Type}, nil
}

// setExpression sets what an expression names.
func (s *session) setExpression(a *dap.SetExpressionArguments) (any, error) {
	v, err := s.assign(a.Expression, a.Value, a.FrameId)
	if err != nil {
		return nil, err
	}
	return dap.SetExpressionResponseBody{Value: v.Value, Type: v.Type}, nil
}

// assign sets what an expression names in a frame, and returns it with its new value.
func (s *session) assign(expression, value string, frame int) (v debug.Variable, err error) {
	v, index, err := s.evaluated(expression, frame)
	if err != nil {
		return v, err
	}
	if err := s.set(&v, value, index); err != nil {
		return v, err
	}
	return s.Evaluate(expression, index)
}

// set sets a variable to the value of an expression in a frame. What the client was told
// of frames and groups remains valid.
func (s *session) set(v *debug.Variable, value string, frame int) error {
	first := !s.Changed()
	if err := s.Set(v, value, frame); err != nil {
		return err
	}
	s.view.stack = nil
	text := v.Name + " is set: the transactions went on in another way from here.\n"
	if first {
		text = v.Name + " is set: the transactions went on in another way from here. The recording stays; go back before this place to return to it.\n"
	}
	s.after = append(s.after, func() {
		s.say("console", text)
		if s.invalidates {
			s.notify("invalidated", dap.InvalidatedEventBody{Areas: []dap.InvalidatedAreas{"all"}})
		}
	})
	return s.relocate()
}

// rejoin returns to the recording after a move to before the values that were set.
func (s *session) rejoin() error {
	if !s.Rejoin() {
		return nil
	}
	text := "Back before a value was set: the recording goes on.\n"
	if s.Changed() {
		text = "Back before a value was set; those that were set before are still.\n"
	}
	s.after = append(s.after, func() { s.say("console", text) })
	return s.relocate()
}

// restoreTarget is the target of "goto" that drops all changes. Others are positions.
const restoreTarget = 1 << 32

// restore drops all changes.
func (s *session) restore() error {
	s.Restore()
	return s.relocate()
}

// relocate finds out where breakpoints are in a Recording that replaces another one, and
// tells the client what is new about them.
func (s *session) relocate() error {
	s.view.stack = nil
	all := s.marks.list()
	var instructions []debug.Instruction
	for _, b := range s.marks.code {
		instructions = append(instructions, b.instruction)
	}
	executions, err := s.Executions(instructions)
	if err != nil {
		return err
	}
	for i, b := range s.marks.code {
		b.find = func() ([]debug.Position, error) { return executions[i], nil }
	}
	for _, b := range all {
		answer := b.answer
		if err := s.place(b); err != nil {
			return err
		}
		if b.answer.Message != answer.Message || b.answer.Verified != answer.Verified {
			body := dap.BreakpointEventBody{Reason: "changed", Breakpoint: b.answer}
			s.after = append(s.after, func() { s.notify("breakpoint", body) })
		}
	}
	return s.ctx.Err()
}

// place resolves a breakpoint in the Recording.
func (s *session) place(b *breakpoint) (err error) {
	if b.Hits, err = b.find(); err != nil {
		return err
	}
	passed := len(b.Hits)
	b.answer.Verified, b.answer.Message = true, ""
	if err := s.Resolve(b.Breakpoint); err != nil {
		if s.ctx.Err() != nil {
			return s.ctx.Err()
		}
		b.Hits, b.answer.Verified, b.answer.Message = nil, false, err.Error()
		return nil
	}
	switch {
	case passed == 0:
		b.answer.Message = "is never reached in this recording"
	case len(b.Hits) == 0:
		b.answer.Message = fmt.Sprintf("is reached %d times, never with this condition", passed)
	}
	return nil
}
