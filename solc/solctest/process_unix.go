//go:build unix

package solctest

import (
	"bytes"
	"fmt"
	"os"
	"syscall"
	"time"
)

// Await polls until a condition holds or the test binary times out.
func Await(cond func() bool) {
	for !cond() {
		time.Sleep(5 * time.Millisecond)
	}
}

// Gone reports whether a process has ended; a zombie has.
func Gone(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return true
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && bytes.Contains(stat, []byte(") Z "))
}
