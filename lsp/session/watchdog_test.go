package session

import (
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"leveret/lsp/settings"
)

// hangs makes campaigns hang until the test ends: they ignore their time limit
// and cancellation.
func (l *lab) hangs() {
	forever := make(chan struct{})
	l.t.Cleanup(func() { close(forever) })
	l.order(func(o *orders) { o.fuzzer = func() { waitForever(forever) } })
}

// waitForever must appear in the logged stack.
func waitForever(forever <-chan struct{}) { <-forever }

// impatient returns a lab that abandons campaigns 10 ms after they should end.
func impatient(t *testing.T) (*lab, *observer.ObservedLogs) {
	core, logs := observer.New(zapcore.ErrorLevel)
	l := newLab(t, func(c *Config) {
		c.Log = zap.New(core)
		c.Engine.Patience = 10 * time.Millisecond
	})
	return l, logs
}

// A campaign that ignores cancellation is abandoned: other files continue, and
// the log has its stack.
func TestHangsAreAbandoned(t *testing.T) {
	l, logs := impatient(t)
	l.hangs()
	l.open("A.sol", "contract A\nbug x\n")
	l.campaign(1)
	l.order(func(o *orders) { o.fuzzer = nil })
	l.open("B.sol", "contract B\nbug y\n")
	l.until("findings in B", func(s *Snapshot) bool { return len(s.Marks(l.path("B.sol"))) == 1 })
	s := l.rest()
	if note := s.Analyses[l.path("A.sol")].Contracts[0].Note; !strings.Contains(note, "does not end") {
		t.Errorf("note %q", note)
	}
	left := logs.FilterMessageSnippet("it is abandoned").All()
	if len(left) != 1 || !strings.Contains(left[0].ContextMap()["stacks"].(string), "waitForever") {
		t.Errorf("log %+v", left)
	}
	if runs := l.ran(); len(runs) != 2 {
		t.Errorf("%d campaigns", len(runs))
	}
}

// A campaign that exceeds its time limit is abandoned.
func TestCampaignsOverTimeAreAbandoned(t *testing.T) {
	l, _ := impatient(t)
	l.hangs()
	l.set(func(s *settings.Settings) { s.Budget = 10 * time.Millisecond })
	l.open("A.sol", "contract A\nbug x\n")
	l.rest()
}

// Close does not wait for a campaign that hangs.
func TestCloseAbandonsHangs(t *testing.T) {
	l, logs := impatient(t)
	l.hangs()
	l.open("A.sol", "contract A\nbug x\n")
	l.campaign(1)
	l.Close()
	if logs.FilterMessageSnippet("it is abandoned").Len() != 1 {
		t.Errorf("log %+v", logs.All())
	}
}
