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
	l := labWithDependent(t)
	if err := os.Remove(l.path("Heir.sol")); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(l.path("Heir.sol"), 0o600); err != nil {
		t.Fatal(err)
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

// A package of a monorepo is imported by a link in node_modules, and edited where it is.
func TestLinkedImportIsSaved(t *testing.T) {
	l := newLab(t)
	l.write("B.sol", "fine\n")
	if err := os.Symlink(".", l.path("linked")); err != nil {
		t.Fatal(err)
	}
	l.open("A.sol", "import linked/B.sol\ncontract A\n")
	l.open("B.sol", "fine\n")
	l.rest()
	l.save("B.sol", "bug b\n")
	l.rest()
	l.wantMarks("linked/B.sol", "1 A:b")
	l.CloseFile(l.path("B.sol"))
	l.write("B.sol", "\nbug c\n")
	l.Changed(l.path("B.sol"))
	l.rest()
	l.wantMarks("linked/B.sol", "2 A:c")
}
