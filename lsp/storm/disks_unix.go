//go:build unix

package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
)

// begin starts a run and returns when it has found something.
func (t *diskTrial) begin(args ...string) (cmd *exec.Cmd, out *bytes.Buffer, progress *bufio.Scanner, err error) {
	cmd, out = t.command("", args...), new(bytes.Buffer)
	cmd.Stdout = out
	pipe, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, nil, nil, err
	}
	progress = bufio.NewScanner(pipe)
	for progress.Scan() {
		if strings.HasPrefix(progress.Text(), "error at ") {
			return cmd, out, progress, nil
		}
	}
	return nil, nil, nil, fmt.Errorf("nothing was found: %v", cmd.Wait())
}

// drain reads the rest of a run's output.
func drain(progress *bufio.Scanner) *bytes.Buffer {
	var rest bytes.Buffer
	for progress.Scan() {
		fmt.Fprintln(&rest, progress.Text())
	}
	return &rest
}

func pause(p *os.Process) error { return p.Signal(syscall.SIGSTOP) }

func resume(p *os.Process) error { return p.Signal(syscall.SIGCONT) }

// mount mounts a small disk.
func (t *diskTrial) mount(name, options string) (unmount func(), err error) {
	if err := os.Mkdir(t.path(name), 0o755); err != nil {
		return nil, err
	}
	if exec.Command("mount", "-t", "tmpfs", "-o", options, "leveret-storm", t.path(name)).Run() != nil {
		return nil, errNotHere
	}
	return func() { _ = exec.Command("umount", "-l", t.path(name)).Run() }, nil
}

// readOnly makes a folder with the files that prepare writes and then makes it
// read-only.
func (t *diskTrial) readOnly(name string, prepare func() error) (writable func(), err error) {
	if prepare == nil {
		prepare = func() error { return nil }
	}
	if os.Geteuid() == 0 { // permissions do not apply to root
		unmount, err := t.mount(name, "size=64k")
		if err != nil {
			return nil, err
		}
		if err := errors.Join(prepare(), exec.Command("mount", "-o", "remount,ro", t.path(name)).Run()); err != nil {
			unmount()
			return nil, errNotHere
		}
		return unmount, nil
	}
	if err := os.Mkdir(t.path(name), 0o755); err != nil {
		return nil, err
	}
	return func() { _ = os.Chmod(t.path(name), 0o755) }, errors.Join(prepare(), os.Chmod(t.path(name), 0o555))
}
