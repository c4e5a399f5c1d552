package dap

import (
	"context"
	"strings"
	"testing"

	"leveret/dap/daptest"
	"leveret/engine"
	recorded "leveret/engine/debug"
	"leveret/engine/replay"
)

// trace returns the trace of the ledger's transactions.
func (l *ledger) trace(ctx context.Context) (*replay.Trace, error) {
	return engine.Trace(ctx, l.contract, l.build.Contracts, l.sequence, engine.Outside{}, l.blamed)
}

// stop returns the position of a line of the trace.
func (l *ledger) stop(ctx context.Context, r *recorded.Recording, step string) (recorded.Position, error) {
	trace, err := l.trace(ctx)
	if err != nil {
		return 0, err
	}
	stop, err := trace.Find(step)
	if err != nil {
		return 0, err
	}
	return r.Stop(stop)
}

// A session that is launched with a line of the trace stands there: at the first statement
// of a call, at a statement's own line, and at the instruction that changes storage or
// fails.
func TestStep(t *testing.T) {
	l := newLedger(t)
	trace, err := l.trace(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	lines, kinds := append(trace.Lines(replay.Full(nil)), trace.StepLines(nil)...), map[string]int{}
	for i := range lines {
		line := &lines[i]
		if line.Stop == nil {
			continue
		}
		c, left := l.serve(t)
		if stop := c.Launch(dict{"finding": "ledger", "step": line.StopName()}); stop["reason"] != "goto" {
			t.Errorf("%s: stopped: %v", line.Text, stop)
		}
		kinds[l.checkLine(t, c, line)]++
		c.Ask("disconnect", dict{})
		_ = left()
	}
	for _, kind := range []string{"transaction", "call", "write", "returns", "fails", "statement"} {
		if kinds[kind] == 0 {
			t.Errorf("no line of the trace is a %s: %v", kind, kinds)
		}
	}
}

// instruction returns the instruction at which a frame stands.
func instruction(c *daptest.Client, frame dict) string {
	here := c.Ask("disassemble", dict{"memoryReference": frame["instructionPointerReference"], "instructionCount": 1})
	return daptest.List(here, "instructions")[0]["instruction"].(string)
}

// checkLine compares where a session stands with a line of the trace, and returns what
// the line is.
func (l *ledger) checkLine(t *testing.T, c *daptest.Client, line *replay.Line) string {
	t.Helper()
	stack := c.Stack()
	at := func(n int) int {
		if n >= len(stack) {
			return -1
		}
		return int(stack[n]["line"].(float64))
	}
	wrong := func(kind string) string {
		t.Errorf("%s (%s): stands at %v", line.Text, kind, stack)
		return kind
	}
	number := 0
	if line.Place != nil {
		number = line.Place.Start.Line
	}
	switch text := strings.TrimLeft(line.Text, " │├└─"); {
	case line.Stop.Statement:
		if at(0) != number {
			return wrong("statement")
		}
		return "statement"
	case line.Stop.Line == 0:
		if !strings.Contains(stack[0]["name"].(string), ".") || len(stack) != 1 {
			return wrong("transaction")
		}
		return "transaction"
	case strings.HasPrefix(text, "returns"):
		if op := instruction(c, stack[0]); op != "RETURN" && op != "STOP" {
			return wrong("returns")
		}
		return "returns"
	case strings.HasPrefix(text, "reverts"):
		if info := c.Ask("exceptionInfo", dict{"threadId": 1}); at(0) != number || info["exceptionId"] == "" {
			return wrong("fails")
		}
		return "fails"
	case strings.Contains(text, " → ") && strings.Contains(text, ": "):
		if op := instruction(c, stack[0]); at(0) != number || op != "SSTORE" {
			return wrong("write")
		}
		return "write"
	}
	if at(1) != number || at(0) == number {
		return wrong("call")
	}
	return "call"
}

// A step that is no line of the trace, or not where it is said to be, is refused.
func TestWrongSteps(t *testing.T) {
	l := newLedger(t)
	c, _ := l.serve(t)
	c.Ask("initialize", dict{})
	for _, wrong := range []struct {
		arguments dict
		says      string
	}{
		{dict{"test": "A.testB", "step": "1.1"}, `"step" is a line of the trace of a finding`},
		{dict{"finding": "ledger", "step": "1.1", "stopOnEntry": true}, "exclude each other"},
		{dict{"finding": "ledger", "step": 7}, "arguments of launch"},
		{dict{"finding": "ledger", "step": "there"}, "is no line of a trace"},
		{dict{"finding": "ledger", "step": "1.-1"}, "the trace has no line 1.-1"},
		{dict{"finding": "ledger", "step": "1.999999999999999999999"}, "is no line of a trace"},
		{dict{"finding": "ledger", "step": "70.1"}, "the trace has no line 70.1"},
		{dict{"finding": "ledger", "step": "1.1 Ledger.sol:1"}, "transaction 1 does nothing at Ledger.sol:1 any more"},
	} {
		c.Refused("launch", wrong.arguments, wrong.says)
	}
}
