package main

import (
	"context"

	"leveret/engine"
	"leveret/engine/replay"
	"leveret/engine/suite"
)

// The numbers of -v flags from which on traces are printed, as forge has them.
const (
	traceFailed = 3 // of failed tests
	traceAll    = 4 // of all, and of setUp of those that failed
	traceWrites = 5 // of setUp of all, with changes of storage
)

// trace returns the calls of a test; none if -v does not ask for them.
func (r *testRun) trace(ctx context.Context, s *suite.Suite, t *engine.TestResult) (lines []string) {
	failed := t.Verdict.Status == suite.Failed
	if r.verbose < traceFailed || r.verbose < traceAll && !failed {
		return nil
	}
	trace, err := engine.TraceTest(ctx, s, t, r.verbose >= traceWrites || r.verbose >= traceAll && failed)
	if err != nil {
		return []string{"there is no trace: " + oneLine(err.Error())}
	}
	if trace == nil {
		return nil
	}
	for _, l := range trace.Lines(replay.View{Gas: true, Writes: r.verbose >= traceWrites}) {
		lines = append(lines, l.Text)
	}
	return lines
}
