//go:build unix

package compiler

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
)

// watchdog is a script that kills its process group if its standard input ends
// before a line, which happens when Leveret dies.
const watchdog = `read -r line || kill -KILL 0`

// A processGroup is a process and its descendants: on Unix, a process group, whose
// leader is a watchdog.
type processGroup struct {
	watch *exec.Cmd // nil: there is no shell; then the process is the leader
	tell  io.WriteCloser
}

// prepare starts the watchdog, and puts the process in its group. A watchdog that
// started after the process would leave a moment in which Leveret can die alone. On
// Linux the kernel kills the process, though not its descendants, when the thread
// that started it ends.
func (t *processGroup) prepare(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	dieWithParent(cmd.SysProcAttr)
	watch := exec.Command("/bin/sh", "-c", watchdog)
	watch.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	tell, err := watch.StdinPipe()
	if err != nil || watch.Start() != nil {
		return
	}
	t.watch, t.tell = watch, tell
	cmd.SysProcAttr.Pgid = watch.Process.Pid
}

func (*processGroup) adopt(*os.Process) {}

// kill kills a process and all its descendants that did not leave its group.
func (t *processGroup) kill(p *os.Process) error {
	leader := p
	if t.watch != nil {
		leader = t.watch.Process
	}
	return syscall.Kill(-leader.Pid, syscall.SIGKILL)
}

// release ends the watchdog.
func (t *processGroup) release() {
	if t.watch == nil {
		return
	}
	fmt.Fprintln(t.tell)
	t.tell.Close()
	t.watch.Wait()
}
