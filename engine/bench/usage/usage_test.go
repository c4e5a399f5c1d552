package usage

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// The CPU time and its clock grow with what the process does, and not while it sleeps.
func TestCPU(t *testing.T) {
	clock := Clock()
	before, at := CPU(), clock()
	for CPU()-before < 5*time.Millisecond {
	}
	time.Sleep(2 * lookEvery)
	if spent := clock().Sub(at); spent < 4*time.Millisecond {
		t.Errorf("the clock shows %v", spent)
	}
}

// A profile is written if a file is named, and the error of what is measured stays.
func TestProfile(t *testing.T) {
	failed := errors.New("failed")
	file := filepath.Join(t.TempDir(), "cpu.prof")
	if err := Profile(file, func() error { return failed }); !errors.Is(err, failed) {
		t.Error(err)
	}
	if info, err := os.Stat(file); err != nil || info.Size() == 0 {
		t.Errorf("no profile: %v", err)
	}
	if err := Profile("", func() error { return failed }); !errors.Is(err, failed) {
		t.Error(err)
	}
	if Profile(t.TempDir(), func() error { return nil }) == nil {
		t.Error("a folder is written")
	}
}
