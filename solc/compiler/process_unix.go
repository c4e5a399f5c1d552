//go:build unix

package compiler

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
)

// watchdog is a script that kills a process group if its standard input ends
// before a second line, which happens when Leveret dies.
const watchdog = `read -r group && ! read -r line && kill -KILL "-$group"`

// A processGroup is a process and its descendants: on Unix, a process group.
type processGroup struct {
	watch *exec.Cmd // runs watchdog; nil: there is no shell
	tell  io.WriteCloser
}

// prepare puts the process in a group of its own. On Linux the kernel kills
// the process, though not its descendants, when the thread that started it
// ends; the watchdog takes care of the rest.
func (t *processGroup) prepare(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	dieWithParent(cmd.SysProcAttr)
}

// adopt starts the watchdog of a process that was started.
func (t *processGroup) adopt(p *os.Process) {
	watch := exec.Command("/bin/sh", "-c", watchdog)
	watch.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	tell, err := watch.StdinPipe()
	if err != nil || watch.Start() != nil {
		return
	}
	fmt.Fprintln(tell, p.Pid)
	t.watch, t.tell = watch, tell
}

// kill kills a process and all its descendants that did not leave its group.
func (t *processGroup) kill(p *os.Process) error { return syscall.Kill(-p.Pid, syscall.SIGKILL) }

// release ends the watchdog.
func (t *processGroup) release() {
	if t.watch == nil {
		return
	}
	fmt.Fprintln(t.tell)
	t.tell.Close()
	t.watch.Wait()
}
