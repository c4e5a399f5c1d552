//go:build unix

package solc

import (
	"context"
	"os/exec"
	"syscall"
	"time"
)

// groupCommand returns a command that runs in a process group of its own, all
// of which is killed when ctx ends.
func groupCommand(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return killGroup(cmd) }
	cmd.WaitDelay = time.Second
	return cmd
}

// killGroup kills a process and all its descendants that did not leave its
// group.
func killGroup(cmd *exec.Cmd) error {
	return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
}
