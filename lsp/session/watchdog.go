package session

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"go.uber.org/zap"

	"leveret/engine"
	"leveret/engine/finding"
	"leveret/solc"
)

// How long a campaign may run after its budget or its cancellation before it
// is abandoned. On an idle machine it ends within half a second.
const (
	defaultPatience = 10 * time.Second
	closingPatience = 2 * time.Second // while the session closes
)

// A hang is the error of a campaign that did not end.
type hang struct{ contract string }

func (h *hang) Error() string {
	return fmt.Sprintf("the campaign on %s does not end and was abandoned; please report this with the server's log", h.contract)
}

// An outcome is what a call of the engine returned.
type outcome struct {
	result *finding.Result
	err    error
}

// guarded runs a campaign. If the engine panics or hangs, the campaign fails
// and the server continues.
func (e *campaigns) guarded(ctx context.Context, execute RunFunc, c *solc.Contract, project []*solc.Contract, o engine.Options) (*finding.Result, error) {
	var abandoned atomic.Bool
	if observe := o.Observe; observe != nil {
		o.Observe = func(event engine.Event) {
			if !abandoned.Load() {
				observe(event)
			}
		}
	}
	done := make(chan outcome, 1)
	go func() {
		result, err := execute(ctx, c, project, o)
		done <- outcome{result, err}
	}()
	budget := o.Time
	if c.RunsTests() {
		budget = 0 // all tests run, however long they take
	}
	if f, ok := e.await(ctx, budget, done); ok {
		if err := logPanic(e.log, f.err); err != f.err {
			return nil, err
		}
		return f.result, f.err
	}
	abandoned.Store(true)
	e.log.Error("a campaign does not end; it is abandoned", zap.String("contract", c.Name), zap.String("stacks", campaignStacks()))
	return nil, &hang{c.Name}
}

// logPanic logs the stack of a panic of the engine and returns an error that
// refers to the log. It returns other errors as they are.
func logPanic(log *zap.Logger, err error) error {
	var p *engine.Panic
	if !errors.As(err, &p) {
		return err
	}
	log.Error("the engine panicked", zap.String("contract", p.Contract), zap.Any("panic", p.Value), zap.ByteString("stack", p.Stack))
	return fmt.Errorf("%w, with the stack in the server's log", err)
}

// await waits for a campaign to end. It returns false if the campaign does not
// end within Patience after its budget or its cancellation.
func (e *campaigns) await(ctx context.Context, budget time.Duration, done <-chan outcome) (f outcome, ok bool) {
	var over <-chan time.Time
	if budget > 0 {
		over = time.After(budget)
	}
	select {
	case f = <-done:
		return f, true
	case <-ctx.Done():
	case <-over:
	}
	patience := time.After(e.Patience)
	select {
	case f = <-done:
		return f, true
	case <-patience:
		return f, false
	case <-e.closing:
	}
	select {
	case f = <-done:
		return f, true
	case <-time.After(min(closingPatience, e.Patience)):
	}
	return f, false
}

// campaignStacks returns the stacks of the goroutines that run campaigns.
func campaignStacks() string {
	buf := make([]byte, 1<<20)
	buf = buf[:runtime.Stack(buf, true)]
	var stacks []string
	for stack := range strings.SplitSeq(string(buf), "\n\n") {
		if strings.Contains(stack, "leveret/engine.") || strings.Contains(stack, "created by leveret/lsp/session.(*campaigns).guarded") {
			stacks = append(stacks, stack)
		}
	}
	return strings.Join(stacks, "\n\n")
}
