//go:build unix

package rpc

import (
	"errors"
	"syscall"
)

// alive reports whether a process exists; one of another user's does.
func alive(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}
