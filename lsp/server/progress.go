package server

import (
	"context"
	"fmt"
	"time"

	"go.lsp.dev/protocol"

	"leveret/lsp/session"
)

// progressDelay is how long something runs before the client hears of it: a
// flicker tells nobody anything.
const progressDelay = 250 * time.Millisecond

// An activity shows what the session does as work-done progress. It belongs to
// the publisher's goroutine.
type activity struct {
	*server
	now   session.Activity
	timer *time.Timer
	token protocol.String // of the progress that is shown; empty: none
	count int

	created chan grant
}

// due fires when the present activity has run for long enough to be shown.
func (a *activity) due() <-chan time.Time {
	if a.timer == nil {
		return nil
	}
	return a.timer.C
}

// follow takes note of the present activity.
func (a *activity) follow(now session.Activity) {
	if !a.caps.progress {
		return
	}
	if now.Serial != a.now.Serial {
		a.end()
		a.now = now
		a.timer = nil
		// Deepening goes on for minutes and is nobody's wait.
		if now.Kind != session.Resting && now.Kind != session.Deepening {
			a.timer = time.NewTimer(progressDelay)
		}
		return
	}
	a.now = now
	if a.token != "" {
		a.send(&protocol.WorkDoneProgressReport{Kind: "report", Message: describe(now), Percentage: percentage(now)})
	}
}

// request asks the client for a token. Its answer comes through created: the
// publisher must not wait for it.
func (a *activity) request() {
	a.timer = nil
	a.count++
	serial, token := a.now.Serial, protocol.String(fmt.Sprintf("leveret-%d", a.count))
	a.workers.Go(func() {
		if a.createProgress(a.ctx, token) != nil {
			return // then not
		}
		select {
		case a.created <- grant{serial, token}:
		case <-a.ctx.Done():
		}
	})
}

// A grant is a token that the client made for an activity.
type grant struct {
	serial int
	token  protocol.String
}

// begin shows the activity that a token was asked for, if it still runs.
func (a *activity) begin(g grant) {
	if g.serial != a.now.Serial {
		return
	}
	a.token = g.token
	a.mu.Lock()
	a.progress[string(a.token)] = true
	a.mu.Unlock()
	yes := true
	a.send(&protocol.WorkDoneProgressBegin{
		Kind: "begin", Title: title(a.now), Cancellable: &yes, Message: describe(a.now), Percentage: percentage(a.now),
	})
}

// end takes the progress away.
func (a *activity) end() {
	if a.token == "" {
		return
	}
	a.send(&protocol.WorkDoneProgressEnd{Kind: "end"})
	a.mu.Lock()
	delete(a.progress, string(a.token))
	a.mu.Unlock()
	a.token = ""
}

func (a *activity) send(value any) {
	raw, err := protocol.Marshal(value)
	if err == nil {
		err = a.peer.Progress(a.ctx, &protocol.ProgressParams{Token: a.token, Value: raw})
	}
	if err != nil && a.ctx.Err() == nil {
		a.log.Sugar().Warnf("progress: %v", err)
	}
}

func title(a session.Activity) string {
	if a.Contract != "" {
		return "Leveret: " + string(a.Kind) + " " + a.Contract
	}
	return "Leveret: " + string(a.Kind)
}

func percentage(a session.Activity) *uint32 {
	if a.Budget <= 0 {
		return nil
	}
	done := uint32(min(max(100*(a.Budget-a.Left)/a.Budget, 0), 100))
	return &done
}

func describe(a session.Activity) *string {
	if a.Stats.Seconds <= 0 {
		return nil
	}
	text := fmt.Sprintf("%.0f inputs/s · %d paths", float64(a.Stats.Inputs)/a.Stats.Seconds, a.Stats.Paths)
	return &text
}

// WorkDoneProgressCancel stops what the user has seen enough of.
func (s *server) WorkDoneProgressCancel(_ context.Context, params *protocol.WorkDoneProgressCancelParams) error {
	token, _ := params.Token.(protocol.String)
	s.mu.Lock()
	ours := s.progress[string(token)]
	s.mu.Unlock()
	if ours {
		s.session.Stop()
	}
	return nil
}
