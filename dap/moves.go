package dap

import (
	"errors"
	"fmt"

	"github.com/google/go-dap"

	"leveret/engine/debug"
)

// A control moves the position: it steps, continues, jumps and sets values.
type control struct {
	*debug.Session
	client      *client
	view        *view
	breakpoints *breakpoints

	configured bool
	entry      bool            // the session starts at the first statement
	line       *debug.Position // of the trace, that the session starts at; nil: none
}

// stopped forgets what was shown of the last position, and tells the client of the new
// one after the response.
func (c *control) stopped(body *dap.StoppedEventBody) error {
	c.view.clear()
	if err := c.rejoin(); err != nil {
		return err
	}
	c.Stop()
	body.ThreadId, body.AllThreadsStopped = theThread, true
	c.client.then(func() { c.client.notify("stopped", body) })
	return nil
}

// stoppedAt is stopped at breakpoints.
func (c *control) stoppedAt(hits []debug.Hit) error {
	body := &dap.StoppedEventBody{Reason: hits[0].Kind, Description: hits[0].Text}
	for _, h := range hits {
		if h.ID > 0 {
			body.HitBreakpointIds = append(body.HitBreakpointIds, h.ID)
		}
	}
	if f := c.FailureAt(c.Position()); f != nil && body.Reason == "exception" {
		body.Text = c.Explain(f)
		if body.Description == "" {
			body.Description = body.Text
		}
	}
	return c.stopped(body)
}

// moved tells of a step from a position, which ends at a breakpoint on its way.
func (c *control) moved(from debug.Position, inside bool, err error, end string) (any, error) {
	if err != nil {
		return nil, err
	}
	hits, messages, err := c.Interrupt(c.breakpoints.all(), from)
	if err != nil {
		return nil, err
	}
	c.print(messages)
	if len(hits) > 0 {
		return nil, c.stoppedAt(hits)
	}
	body := &dap.StoppedEventBody{Reason: "step"}
	if !inside {
		body.Reason, body.Description = "pause", end
	}
	return nil, c.stopped(body)
}

// print shows the messages of log points.
func (c *control) print(messages []string) {
	for _, text := range messages {
		c.client.say("console", text+"\n")
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
func (c *control) step(g dap.SteppingGranularity, move func(debug.Granularity) (bool, error), end string) (any, error) {
	by, err := granularity(g)
	if err != nil {
		return nil, err
	}
	from := c.Position()
	inside, err := move(by)
	return c.moved(from, inside, err, end)
}

func (c *control) next(a *dap.NextArguments) (any, error) {
	return c.step(a.Granularity, c.Next, atEnd)
}

func (c *control) stepIn(a *dap.StepInArguments) (any, error) {
	return c.step(a.Granularity, c.StepIn, atEnd)
}

func (c *control) stepBack(a *dap.StepBackArguments) (any, error) {
	return c.step(a.Granularity, c.Back, atBegin)
}

func (c *control) stepOut(*dap.StepOutArguments) (any, error) {
	from := c.Position()
	inside, err := c.StepOut()
	return c.moved(from, inside, err, atEnd)
}

func (c *control) continueOn(*dap.ContinueArguments) (any, error) {
	return dap.ContinueResponseBody{AllThreadsContinued: true}, c.goOn()
}

// goOn continues to the next breakpoint, and shows the messages on the way.
func (c *control) goOn() error {
	hits, messages, err := c.Continue(c.breakpoints.all())
	if err != nil {
		return err
	}
	c.print(messages)
	if len(hits) == 0 {
		return c.stopped(&dap.StoppedEventBody{Reason: "pause", Description: atEnd})
	}
	return c.stoppedAt(hits)
}

func (c *control) reverseContinue(*dap.ReverseContinueArguments) (any, error) {
	hits, err := c.ReverseContinue(c.breakpoints.all())
	if err != nil {
		return nil, err
	}
	if len(hits) == 0 {
		return nil, c.stopped(&dap.StoppedEventBody{Reason: "pause", Description: atBegin})
	}
	return nil, c.stoppedAt(hits)
}

func (c *control) restartFrame(a *dap.RestartFrameArguments) (any, error) {
	f, _, err := c.view.frame(a.FrameId)
	if err != nil {
		return nil, err
	}
	if err := c.RestartFrame(f); err != nil {
		return nil, err
	}
	return nil, c.stopped(&dap.StoppedEventBody{Reason: "restart"})
}

// Limits of the targets of one line.
const (
	maxPasses       = 50
	maxTransactions = 1000
)

// gotoTargets lists where a line is executed, the beginnings of all transactions, and the
// recording if values were set.
func (c *control) gotoTargets(a *dap.GotoTargetsArguments) (any, error) {
	var list []dap.GotoTarget
	line := debug.AtOrAfter(c.Lines(a.Source.Path), a.Line+c.client.zeroLine)
	hits := c.Line(a.Source.Path, line)
	add := func(at debug.Position, label string) {
		list = append(list, dap.GotoTarget{Id: int(at) + 1, Label: label, Line: max(line, 1) - c.client.zeroLine})
	}
	for i, at := range hits {
		if i == maxPasses {
			break
		}
		add(at, fmt.Sprintf("pass %d of %d, in transaction %d", i+1, len(hits), c.TransactionAt(at)+1))
	}
	for n := range min(c.Transactions(), maxTransactions) {
		tx, at, _ := c.Transaction(n)
		add(at, fmt.Sprintf("beginning of transaction %d: %s", n+1, tx.Call))
	}
	if c.Changed() {
		list = append(list, dap.GotoTarget{Id: restoreTarget, Label: "the recording, where the first value was set", Line: max(line, 1) - c.client.zeroLine})
	}
	return dap.GotoTargetsResponseBody{Targets: list}, nil
}

func (c *control) gotoTarget(a *dap.GotoArguments) (any, error) {
	if a.TargetId == restoreTarget && c.Changed() {
		if err := c.restore(); err != nil {
			return nil, err
		}
		return nil, c.stopped(&dap.StoppedEventBody{Reason: "goto"})
	}
	if a.TargetId < 1 || a.TargetId > c.Len() {
		return nil, errors.New("there is no such target; ask for gotoTargets first")
	}
	at := debug.Position(a.TargetId - 1)
	number := c.TransactionAt(at)
	if _, start, _ := c.Transaction(number); start == at {
		if err := c.GotoTransaction(number); err != nil {
			return nil, err
		}
	} else if err := c.Goto(at); err != nil {
		return nil, err
	}
	return nil, c.stopped(&dap.StoppedEventBody{Reason: "goto"})
}

// configurationDone starts: at the first statement, or at the first breakpoint.
func (c *control) configurationDone(*struct{}) (any, error) {
	if c.configured {
		return nil, errors.New("the configuration is done already")
	}
	c.configured = true
	if c.entry {
		return nil, c.stopped(&dap.StoppedEventBody{Reason: "entry"})
	}
	if c.line != nil {
		return nil, c.atLine()
	}
	if hits := debug.HitsAt(c.breakpoints.all(), c.Position()); len(hits) > 0 {
		return nil, c.stoppedAt(hits)
	}
	return nil, c.goOn()
}

// atLine stops at the line of the trace with which the session was launched.
func (c *control) atLine() error {
	if err := c.Goto(*c.line); err != nil {
		return err
	}
	body := &dap.StoppedEventBody{Reason: "goto", Description: "At the line of the trace"}
	if f := c.FailureAt(c.Position()); f != nil {
		body.Text = c.Explain(f)
	}
	return c.stopped(body)
}

// pause is answered: no request leaves the session running.
func (c *control) pause(*struct{}) (any, error) { return nil, nil }
