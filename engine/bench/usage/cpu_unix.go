//go:build unix

package usage

import (
	"syscall"
	"time"
)

// CPU returns the user and system time of this process, without that of its children,
// such as compilers.
func CPU() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err) // only bad arguments fail
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
