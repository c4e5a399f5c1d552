package atomicfile

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
)

// withoutPrivileges restricts a test that runs as root to the file access of a
// user who owns only paths.
func withoutPrivileges(t *testing.T, paths ...string) {
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
