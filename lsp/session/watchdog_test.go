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

// hangs makes campaigns hang until the test is over: they look neither at their
// time nor at whether they were cancelled.
func (l *lab) hangs() {
	forever := make(chan struct{})
	l.t.Cleanup(func() { close(forever) })
	l.order(func(o *orders) { o.fuzzer = func() { waitForever(forever) } })
}

// waitForever is what the log has to name.
func waitForever(forever <-chan struct{}) { <-forever }

// impatient makes a lab whose campaigns may outlast their end by little.
func impatient(t *testing.T) (*lab, *observer.ObservedLogs) {
	core, logs := observer.New(zapcore.ErrorLevel)
	l := newLab(t, func(c *Config) {
		c.Log = zap.New(core)
		c.Engine.Patience = 10 * time.Millisecond
	})
	return l, logs
}

// A campaign that hangs after it was cancelled is left behind: other files go
// on, and the log tells where it hangs.
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

// Neither does one that goes on after its time keep others from running.
func TestCampaignsOutlastTheirTimeByLittle(t *testing.T) {
	l, _ := impatient(t)
	l.hangs()
	l.set(func(s *settings.Settings) { s.Budget = 10 * time.Millisecond })
	l.open("A.sol", "contract A\nbug x\n")
	l.rest()
}

// Closing does not wait for a campaign that hangs.
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
