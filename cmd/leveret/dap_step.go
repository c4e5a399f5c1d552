package main

import (
	"context"

	"leveret/dap"
	"leveret/engine"
	"leveret/engine/debug"
	"leveret/engine/finding"
)

// fromBeginning uses a recording from its beginning on, until a breakpoint.
func fromBeginning(use dap.Use) func(*debug.Recording) error {
	return func(r *debug.Recording) error { return use(r, nil) }
}

// debug records a finding on the sources as they are. With a step, which is a line of its
// trace, the session starts there: the trace is made of this build, so that both agree.
func (s *subject) debug(ctx context.Context, blamed finding.Finding, step string, use dap.Use) error {
	run := fromBeginning(use)
	if step != "" {
		trace, err := engine.Trace(ctx, s.contract, s.unit.Build.Contracts, blamed.Witness, s.outside, blamed)
		if err != nil {
			return err
		}
		stop, err := trace.Find(step)
		if err != nil {
			return err
		}
		run = func(r *debug.Recording) error {
			at, err := r.Stop(stop)
			if err != nil {
				return err
			}
			return use(r, &at)
		}
	}
	return engine.Debug(ctx, s.contract, s.unit.Build.Contracts, blamed.Witness, s.outside, blamed, run)
}
