//go:build unix

package rpc

import (
	"errors"
	"syscall"
)

// alive reports whether a process exists, also one of another user.
func alive(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}
