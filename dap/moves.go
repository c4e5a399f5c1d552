package dap

import (
	"errors"
	"fmt"

	"github.com/google/go-dap"

	"leveret/engine/debug"
)

// stopped forgets what was shown of the last position, and tells the client of the new
// one after the response.
func (s *session) stopped(body *dap.StoppedEventBody) error {
	s.view.clear()
	if err := s.rejoin(); err != nil {
		return err
	}
	s.Stop()
	body.ThreadId, body.AllThreadsStopped = theThread, true
	s.after = append(s.after, func() { s.notify("stopped", body) })
	return nil
}

// stoppedAt is stopped at breakpoints.
func (s *session) stoppedAt(hits []debug.Hit) error {
	body := &dap.StoppedEventBody{Reason: hits[0].Kind, Description: hits[0].Text}
	for _, h := range hits {
		if h.ID > 0 {
			body.HitBreakpointIds = append(body.HitBreakpointIds, h.ID)
		}
	}
	if f := s.FailureAt(s.Position()); f != nil && body.Reason == "exception" {
		body.Text = s.Explain(f)
		if body.Description == "" {
			body.Description = body.Text
		}
	}
	return s.stopped(body)
}

// moved tells of a step from a position, which ends at a breakpoint on its way.
func (s *session) moved(from debug.Position, inside bool, err error, end string) (any, error) {
	if err != nil {
		return nil, err
	}
	hits, messages, err := s.Interrupt(s.marks.all(), from)
	if err != nil {
		return nil, err
	}
	s.print(messages)
	if len(hits) > 0 {
		return nil, s.stoppedAt(hits)
	}
	body := &dap.StoppedEventBody{Reason: "step"}
	if !inside {
		body.Reason, body.Description = "pause", end
	}
	return nil, s.stopped(body)
}

// print shows the messages of log points.
func (s *session) print(messages []string) {
	for _, text := range messages {
		s.say("console", text+"\n")
	}
}

// The texts at both ends.
const (
	atEnd   = "End of the recording"
	atBegin = "Beginning of the recording"
)

// granularity is how far a step goes; a statement if the client does not say.
func granularity(g dap.SteppingGranularity) (debug.Granularity, error) {
	switch g {
	case "statement", "":
		return debug.ByStatement, nil
	case "line":
		return debug.ByLine, nil
	case "instruction":
		return debug.ByInstruction, nil
	}
	return 0, fmt.Errorf("the granularity %q is not supported", clip(string(g)))
}

// step makes a step.
func (s *session) step(g dap.SteppingGranularity, move func(debug.Granularity) (bool, error), end string) (any, error) {
	by, err := granularity(g)
	if err != nil {
		return nil, err
	}
	from := s.Position()
	inside, err := move(by)
	return s.moved(from, inside, err, end)
}

func (s *session) next(a *dap.NextArguments) (any, error) {
	return s.step(a.Granularity, s.Next, atEnd)
}

func (s *session) stepIn(a *dap.StepInArguments) (any, error) {
	return s.step(a.Granularity, s.StepIn, atEnd)
}

func (s *session) stepBack(a *dap.StepBackArguments) (any, error) {
	return s.step(a.Granularity, s.Back, atBegin)
}

func (s *session) stepOut(*dap.StepOutArguments) (any, error) {
	from := s.Position()
	inside, err := s.StepOut()
	return s.moved(from, inside, err, atEnd)
}

func (s *session) continueOn(*dap.ContinueArguments) (any, error) {
	return dap.ContinueResponseBody{AllThreadsContinued: true}, s.goOn()
}

// goOn continues to the next breakpoint, and shows the messages on the way.
func (s *session) goOn() error {
	hits, messages, err := s.Continue(s.marks.all())
	if err != nil {
		return err
	}
	s.print(messages)
	if len(hits) == 0 {
		return s.stopped(&dap.StoppedEventBody{Reason: "pause", Description: atEnd})
	}
	return s.stoppedAt(hits)
}

func (s *session) reverseContinue(*dap.ReverseContinueArguments) (any, error) {
	hits, err := s.ReverseContinue(s.marks.all())
	if err != nil {
		return nil, err
	}
	if len(hits) == 0 {
		return nil, s.stopped(&dap.StoppedEventBody{Reason: "pause", Description: atBegin})
	}
	return nil, s.stoppedAt(hits)
}

func (s *session) restartFrame(a *dap.RestartFrameArguments) (any, error) {
	f, _, err := s.frame(a.FrameId)
	if err != nil {
		return nil, err
	}
	if err := s.RestartFrame(f); err != nil {
		return nil, err
	}
	return nil, s.stopped(&dap.StoppedEventBody{Reason: "restart"})
}

// Limits of the targets of one line.
const (
	maxPasses       = 50
	maxTransactions = 1000
)

// gotoTargets lists where a line is executed, the beginnings of all transactions, and the
// recording if values were set.
func (s *session) gotoTargets(a *dap.GotoTargetsArguments) (any, error) {
	var list []dap.GotoTarget
	line := debug.AtOrAfter(s.Lines(a.Source.Path), a.Line+s.zeroLine)
	hits := s.Line(a.Source.Path, line)
	add := func(at debug.Position, label string) {
		list = append(list, dap.GotoTarget{Id: int(at) + 1, Label: label, Line: max(line, 1) - s.zeroLine})
	}
	for i, at := range hits {
		if i == maxPasses {
			break
		}
		add(at, fmt.Sprintf("pass %d of %d, in transaction %d", i+1, len(hits), s.TransactionAt(at)+1))
	}
	for n := range min(s.Transactions(), maxTransactions) {
		tx, at, _ := s.Transaction(n)
		add(at, fmt.Sprintf("beginning of transaction %d: %s", n+1, tx.Call))
	}
	if s.Changed() {
		list = append(list, dap.GotoTarget{Id: restoreTarget, Label: "the recording, where the first value was set", Line: max(line, 1) - s.zeroLine})
	}
	return dap.GotoTargetsResponseBody{Targets: list}, nil
}

func (s *session) gotoTarget(a *dap.GotoArguments) (any, error) {
	if a.TargetId == restoreTarget && s.Changed() {
		if err := s.restore(); err != nil {
			return nil, err
		}
		return nil, s.stopped(&dap.StoppedEventBody{Reason: "goto"})
	}
	if a.TargetId < 1 || a.TargetId > s.Len() {
		return nil, errors.New("there is no such target; ask for gotoTargets first")
	}
	at := debug.Position(a.TargetId - 1)
	number := s.TransactionAt(at)
	if _, start, _ := s.Transaction(number); start == at {
		if err := s.GotoTransaction(number); err != nil {
			return nil, err
		}
	} else if err := s.Goto(at); err != nil {
		return nil, err
	}
	return nil, s.stopped(&dap.StoppedEventBody{Reason: "goto"})
}
