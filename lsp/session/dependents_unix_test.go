//go:build unix

package session

import (
	"os"
	"syscall"
	"testing"
	"time"
)

// A file that becomes a pipe, from which no read returns, stops nothing.
func TestDependentBecomesPipe(t *testing.T) {
	l := newLab(t, importedBy("Heir.sol"))
	l.write("Heir.sol", "import Base.sol\ncontract Heir\nbug own\n")
	l.open("Base.sol", "contract Base\n")
	l.rest()
	l.save("Base.sol", "contract Base\nbug x\n")
	l.until("the dependent", func(s *Snapshot) bool { return len(s.Marks(l.path("Heir.sol"))) == 1 })
	l.rest()
	if err := os.Remove(l.path("Heir.sol")); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(l.path("Heir.sol"), 0o600); err != nil {
		t.Skip(err)
	}
	done := make(chan struct{})
	go func() { l.Changed(l.path("Heir.sol")); close(done) }()
	select {
	case <-done:
		l.wantMarks("Heir.sol")
	case <-time.After(time.Minute):
		t.Fatal("it waits for the pipe")
	}
}
