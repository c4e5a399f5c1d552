package dap

import (
	"errors"

	"leveret/engine/debug"
)

// Use is what a Launcher passes a recording to. A session starts at a position if there is
// one.
type Use func(r *debug.Recording, at *debug.Position) error

// A start is what a session begins with.
type start struct {
	recording *debug.Recording
	at        *debug.Position
}

// checkStep reports whether a line of a trace is named, and no trace or another stop.
func (a *LaunchArguments) checkStep() error {
	switch {
	case a.Step == "":
		return nil
	case a.Finding == "" && a.Report == "":
		return errors.New(`"step" is a line of the trace of a finding: it needs "finding" or "report"`)
	case a.StopOnEntry:
		return errors.New(`"step" and "stopOnEntry" exclude each other`)
	}
	return nil
}
