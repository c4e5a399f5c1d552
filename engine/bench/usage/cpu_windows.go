package usage

import (
	"time"

	"golang.org/x/sys/windows"
)

// CPU returns the user and system time of this process, without that of its children,
// such as compilers.
func CPU() time.Duration {
	var created, exited, system, user windows.Filetime
	if err := windows.GetProcessTimes(windows.CurrentProcess(), &created, &exited, &system, &user); err != nil {
		panic(err) // only bad arguments fail
	}
	return span(system) + span(user)
}

// span converts a number of 100 ns.
func span(t windows.Filetime) time.Duration {
	return time.Duration(uint64(t.HighDateTime)<<32|uint64(t.LowDateTime)) * 100
}
