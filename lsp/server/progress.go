package server

import (
	"context"
	"fmt"
	"sync"
	"time"

	"go.lsp.dev/protocol"

	"leveret/lsp/present"
	"leveret/lsp/session"
)

// progressDelay is how long an activity runs before its progress is shown.
const progressDelay = 250 * time.Millisecond

// A progress shows the session's activity as work-done progress. The
// publisher's goroutine owns it.
type progress struct {
	tasks  *tasks
	client *client
	tokens *progressTokens

	now   session.Activity
	timer *time.Timer
	token protocol.String // of the shown progress; empty if none is shown
	count int

	created chan createdToken
}

// A createdToken is a token that the client created for an activity.
type createdToken struct {
	serial int
	token  protocol.String
}

// due fires when the current activity has run for progressDelay.
func (p *progress) due() <-chan time.Time {
	if p.timer == nil {
		return nil
	}
	return p.timer.C
}

// follow updates the progress to the given activity.
func (p *progress) follow(now session.Activity) {
	if !p.client.can.progress {
		return
	}
	if now.Serial != p.now.Serial {
		p.end()
		p.now = now
		p.timer = nil
		// Nobody waits for idle campaigns, which run for minutes.
		if now.Kind != session.Resting && now.Kind != session.IdleCampaign {
			p.timer = time.NewTimer(progressDelay)
		}
		return
	}
	p.now = now
	if p.token != "" {
		p.send(&protocol.WorkDoneProgressReport{Kind: "report", Message: describe(now), Percentage: percentage(now)})
	}
}

// request asks the client to create a token. The answer arrives on created,
// because the publisher must not wait for the client.
func (p *progress) request() {
	p.timer = nil
	p.count++
	serial, token := p.now.Serial, protocol.String(fmt.Sprintf("leveret-%d", p.count))
	p.tasks.start(func() {
		if p.client.createProgress(p.tasks.ctx, token) != nil {
			return // the client shows no progress
		}
		select {
		case p.created <- createdToken{serial, token}:
		case <-p.tasks.ctx.Done():
		}
	})
}

// begin shows the activity of a token if it is still the current one.
func (p *progress) begin(c createdToken) {
	if c.serial != p.now.Serial {
		return
	}
	p.token = c.token
	p.tokens.set(string(p.token), true)
	yes := true
	p.send(&protocol.WorkDoneProgressBegin{
		Kind: "begin", Title: title(p.now), Cancellable: &yes, Message: describe(p.now), Percentage: percentage(p.now),
	})
}

// end removes the shown progress.
func (p *progress) end() {
	if p.token == "" {
		return
	}
	p.send(&protocol.WorkDoneProgressEnd{Kind: "end"})
	p.tokens.set(string(p.token), false)
	p.token = ""
}

func (p *progress) send(value any) { p.client.report(p.tasks.ctx, p.token, value) }

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
	if text := present.Compiling(a); text != "" {
		return &text
	}
	if a.Stats.Seconds <= 0 {
		return nil
	}
	text := fmt.Sprintf("%.0f inputs/s · %d paths", float64(a.Stats.Inputs)/a.Stats.Seconds, a.Stats.Paths)
	return &text
}

// progressTokens are the tokens of the shown progress.
type progressTokens struct {
	mu      sync.Mutex
	running map[string]bool
}

func (t *progressTokens) set(token string, running bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if running {
		t.running[token] = true
	} else {
		delete(t.running, token)
	}
}

func (t *progressTokens) has(token string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.running[token]
}

// workDoneProgressCancel stops the work that the user cancelled.
func (s *server) workDoneProgressCancel(_ context.Context, params *protocol.WorkDoneProgressCancelParams) error {
	if token, ok := params.Token.(protocol.String); ok && s.tokens.has(string(token)) {
		s.session.Stop()
	}
	return nil
}
