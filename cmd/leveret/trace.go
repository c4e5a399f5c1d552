package main

import (
	"context"
	"fmt"

	"leveret/engine"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/replay"
	"leveret/engine/report/printable"
)

// trace executes a sequence and prints its calls or statements.
func (f *replayFlags) trace(ctx context.Context, c console, s *subject, sequence input.Sequence, blamed finding.Finding) error {
	t, err := engine.Trace(ctx, s.contract, s.unit.Build.Contracts, sequence, s.outside, blamed)
	if err != nil {
		return err
	}
	options := textOptions(c.out, false)
	lines := t.Lines(replay.Full(options.File))
	if f.steps {
		lines = t.StepLines(options.File)
	}
	for _, l := range lines {
		text := printable.String(l.Text)
		if l.Here && options.Colour {
			text = "\x1b[31;1m" + text + "\x1b[0m"
		}
		fmt.Fprintln(raw(c.out), text)
	}
	return nil
}
