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

// How long after its end a campaign may go on before it is left behind: it
// takes half a second on a machine that has nothing else to do. Whoever closes
// a session waits less.
const (
	defaultPatience = 10 * time.Second
	closingPatience = 2 * time.Second
)

// A hang is the error of a campaign that did not end.
type hang struct{ contract string }

func (h *hang) Error() string {
	return fmt.Sprintf("the campaign on %s does not end and was left behind; please report this, with what the server's log says of it", h.contract)
}

// A fuzzed is what a campaign came to.
type fuzzed struct {
	result *finding.Result
	err    error
}

// guardedFuzz runs a campaign that may panic or hang: either costs this
// campaign, not the server.
func (s *Session) guardedFuzz(ctx context.Context, c *solc.Contract, project []*solc.Contract, o engine.Options) (*finding.Result, error) {
	var left atomic.Bool
	if observe := o.Observe; observe != nil {
		o.Observe = func(e engine.Event) {
			if !left.Load() {
				observe(e)
			}
		}
	}
	done := make(chan fuzzed, 1)
	go func() {
		result, err := s.config.Fuzz(ctx, c, project, o)
		done <- fuzzed{result, err}
	}()
	if f, ok := s.await(ctx, o.Time, done); ok {
		if err := s.logPanic(f.err); err != f.err {
			return nil, err
		}
		return f.result, f.err
	}
	left.Store(true)
	s.config.Log.Error("a campaign does not end; it is left behind", zap.String("contract", c.Name), zap.String("stacks", campaignStacks()))
	return nil, &hang{c.Name}
}

// logPanic tells the log where the engine panicked, and whoever reads the error
// to look there.
func (s *Session) logPanic(err error) error {
	var p *engine.Panic
	if !errors.As(err, &p) {
		return err
	}
	s.config.Log.Error("the engine panicked", zap.String("contract", p.Contract), zap.Any("panic", p.Value), zap.ByteString("stack", p.Stack))
	return fmt.Errorf("%w, with the stack in the server's log", err)
}

// await waits for a campaign to end; false if it has not in time: after its
// budget, if it has one, or after it was cancelled.
func (s *Session) await(ctx context.Context, budget time.Duration, done <-chan fuzzed) (f fuzzed, ok bool) {
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
	patience := time.After(s.config.Patience)
	select {
	case f = <-done:
		return f, true
	case <-patience:
		return f, false
	case <-s.ctx.Done():
	}
	select {
	case f = <-done:
		return f, true
	case <-time.After(min(closingPatience, s.config.Patience)):
	}
	return f, false
}

// campaignStacks returns the stacks of the goroutines that run campaigns.
func campaignStacks() string {
	buf := make([]byte, 1<<20)
	buf = buf[:runtime.Stack(buf, true)]
	var stacks []string
	for stack := range strings.SplitSeq(string(buf), "\n\n") {
		if strings.Contains(stack, "leveret/engine.") || strings.Contains(stack, "created by leveret/lsp/session.(*Session).guardedFuzz") {
			stacks = append(stacks, stack)
		}
	}
	return strings.Join(stacks, "\n\n")
}
