package session

import (
	"context"
	"fmt"

	"leveret/engine"
	"leveret/engine/finding"
	"leveret/engine/replay"
	"leveret/solc"
)

// maxSteps bounds the statements that a trace lists.
const maxSteps = 2000

// A TraceLine is a line of a readable trace.
type TraceLine struct {
	Text string
	Stop string // names the line for leveret dap; empty: a debugger cannot stand there
	Goes bool   // it goes on with the line before, which was too long
}

// engineTrace returns the tree of calls, then the statements in the order of
// their execution.
func engineTrace(ctx context.Context, f *finding.Finding, contract *solc.Contract, project []*solc.Contract, out engine.Outside) ([]TraceLine, error) {
	trace, err := engine.Trace(ctx, contract, project, f.Witness, out, *f)
	if err != nil {
		return nil, err
	}
	list := addTrace([]TraceLine{{Text: "Calls"}, {}}, trace.Lines(replay.Full(nil)))
	list = append(list, TraceLine{}, TraceLine{Text: "Step by step"}, TraceLine{})
	steps := trace.StepLines(nil)
	list = addTrace(list, steps[:min(len(steps), maxSteps)])
	if len(steps) > maxSteps {
		list = append(list, TraceLine{Text: fmt.Sprintf("… and %d more", len(steps)-maxSteps)})
	}
	return list, nil
}

func addTrace(to []TraceLine, lines []replay.Line) []TraceLine {
	for i := range lines {
		l := &lines[i]
		to = append(to, TraceLine{Text: l.Text, Stop: l.StopName(), Goes: i > 0 && l.Stop != nil && l.Stop == lines[i-1].Stop})
	}
	return to
}
