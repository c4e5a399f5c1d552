package rpc

import (
	"context"
	"time"
)

// parentPoll is how often the parent process is looked for: rare enough to
// cost nothing, often enough that no server outlives its editor for long.
const parentPoll = 3 * time.Second

// WatchParent calls gone once when the process pid no longer exists. It
// returns at once if pid is not to be seen from here to begin with, as in a
// container.
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
