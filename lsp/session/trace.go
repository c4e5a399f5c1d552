package session

import (
	"context"
	"fmt"
	"strings"

	"leveret/engine"
	"leveret/engine/finding"
	"leveret/solc"
)

// maxSteps bounds the statements that a trace lists.
const maxSteps = 2000

// engineTrace returns the tree of calls, then the statements in the order of
// their execution.
func engineTrace(ctx context.Context, f *finding.Finding, contract *solc.Contract, project []*solc.Contract, out engine.Outside) (string, error) {
	trace, err := engine.Trace(ctx, contract, project, f.Witness, out, *f)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("Calls\n\n")
	b.WriteString(trace.String())
	b.WriteString("\nStep by step\n\n")
	steps := trace.StepLines(nil)
	for i, step := range steps {
		if i == maxSteps {
			fmt.Fprintf(&b, "… and %d more\n", len(steps)-i)
			break
		}
		b.WriteString(step.Text)
		b.WriteByte('\n')
	}
	return b.String(), nil
}
