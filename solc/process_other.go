//go:build !unix

package solc

import (
	"context"
	"os/exec"
	"time"
)

// groupCommand returns a command that is killed when ctx ends.
func groupCommand(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.WaitDelay = time.Second
	return cmd
}

func killGroup(cmd *exec.Cmd) error { return cmd.Process.Kill() }
