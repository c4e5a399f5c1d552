package main

import (
	"context"
	"fmt"
	"path/filepath"

	"leveret/engine"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/report"
)

// trace executes a sequence once more and prints what happens, call by call or
// statement by statement.
func (f *replayFlags) trace(ctx context.Context, c console, s *subject, sequence input.Sequence, blamed finding.Finding) error {
	t, err := engine.Trace(ctx, s.contract, s.unit.build.Contracts, sequence, blamed)
	if err != nil {
		return err
	}
	options := textOptions(c.out, false)
	lines := t.Lines(shownIn(options))
	if f.steps {
		lines = t.StepLines(shownIn(options))
	}
	for _, l := range lines {
		text := l.Text
		if l.Here && options.Colour {
			text = "\x1b[31;1m" + text + "\x1b[0m"
		}
		fmt.Fprintln(c.out, text)
	}
	return nil
}

// shownIn returns how files are shown in a folder: as the report does, so that
// terminals make links of them.
func shownIn(o report.Options) func(finding.Place) string {
	return func(p finding.Place) string {
		if rel, err := filepath.Rel(o.Dir, p.Path); err == nil && p.Path != "" && len(rel) < len(p.Path) {
			return rel
		}
		return p.File
	}
}
