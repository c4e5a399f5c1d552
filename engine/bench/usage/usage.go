// Package usage measures what measurements cost: the CPU time of this process, and
// where it goes. It knows nothing of what is measured.
package usage

import (
	"errors"
	"os"
	"runtime/pprof"
	"time"
)

// lookEvery is how often a clock asks the system, since campaigns ask it often.
const lookEvery = 100 * time.Microsecond

// Clock returns a clock of CPU time. It is for one goroutine.
func Clock() func() time.Time {
	var asked time.Time
	var used time.Duration
	return func() time.Time {
		if now := time.Now(); now.Sub(asked) > lookEvery {
			asked, used = now, CPU()
		}
		return time.Unix(0, int64(used))
	}
}

// Profile runs f and writes a CPU profile of it to a file; "" writes none.
func Profile(file string, f func() error) error {
	if file == "" {
		return f()
	}
	to, err := os.Create(file)
	if err != nil {
		return err
	}
	if err := pprof.StartCPUProfile(to); err != nil {
		return errors.Join(err, to.Close())
	}
	err = f()
	pprof.StopCPUProfile()
	return errors.Join(err, to.Close())
}
