package rpc

import (
	"context"
	"time"
)

// parentPoll is the interval of checks for the parent process: cheap, and short
// enough that no server outlives its editor for long.
const parentPoll = 3 * time.Second

// WatchParent calls gone once when the process pid no longer exists. It returns
// at once if the process is not visible, for example from a container.
func WatchParent(ctx context.Context, pid int, gone func()) {
	if pid <= 0 || !alive(pid) {
		return
	}
	ticker := time.NewTicker(parentPoll)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if !alive(pid) {
				gone()
				return
			}
		}
	}
}
