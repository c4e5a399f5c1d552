// Package privileges takes the rights of root from tests of file permissions.
package privileges

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
)

// Drop restricts a test that runs as root to the file access of a
// user who owns only paths, whose folder becomes readable for everybody. It
// applies to the goroutine of the test.
func Drop(t testing.TB, paths ...string) {
	t.Helper()
	if os.Geteuid() != 0 {
		return
	}
	const nobody = 65534
	for _, path := range paths {
		if err := os.Chown(path, nobody, nobody); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Dir(paths[0]), 0o755); err != nil {
		t.Fatal(err)
	}
	runtime.LockOSThread()
	if err := syscall.Setfsuid(nobody); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = syscall.Setfsuid(0)
		runtime.UnlockOSThread()
	})
}
