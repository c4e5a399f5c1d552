//go:build unix

package main

import (
	"bufio"
	"bytes"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"leveret/solc/solctest"
)

// startFuzz starts a run of an hour and returns after the first finding.
func startFuzz(t *testing.T, program string, args ...string) (cmd *exec.Cmd, out *bytes.Buffer, progress *bufio.Scanner) {
	t.Helper()
	needCompilers(t)
	tools, err := filepath.Abs(compilers)
	if err != nil {
		t.Fatal(err)
	}
	cmd = exec.Command(program, append(args, "fuzz", "--time", "1h", "--workers", "1", "--seed", "1", root+"docs/examples/Auction.sol")...)
	cache := t.TempDir()
	if err := solctest.ShareCache(cache); err != nil {
		t.Fatal(err)
	}
	cmd.Env = append(os.Environ(), "LEVERET_TOOLS="+tools, "XDG_CACHE_HOME="+cache)
	out = new(bytes.Buffer)
	cmd.Stdout = out
	pipe, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	progress = bufio.NewScanner(pipe)
	for progress.Scan() {
		if strings.HasPrefix(progress.Text(), "error at ") && strings.Contains(progress.Text(), "Auction.sol:49:9") {
			return cmd, out, progress
		}
	}
	t.Fatal("nothing was found")
	return nil, nil, nil
}

// ended waits for a process and returns its status.
func ended(t *testing.T, cmd *exec.Cmd, progress *bufio.Scanner) syscall.WaitStatus {
	t.Helper()
	for progress.Scan() {
	}
	err := cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.Sys().(syscall.WaitStatus)
}

// TestStop sends a signal after the first finding: the run ends with its findings and
// their exit code.
func TestStop(t *testing.T) {
	// The caller of the tests may ignore SIGHUP, as nohup does, or SIGINT, as shells do
	// for background jobs. Children inherit an ignored signal, but not a handler.
	handled := make(chan os.Signal, 1)
	defer signal.Stop(handled)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if signal.Ignored(s) {
			signal.Notify(handled, s)
		}
		t.Run(s.String(), func(t *testing.T) {
			cmd, out, progress := startFuzz(t, "leveret")
			if err := cmd.Process.Signal(s); err != nil {
				t.Fatal(err)
			}
			if status := ended(t, cmd, progress); status.ExitStatus() != exitFound {
				t.Errorf("it ends with %v", cmd.ProcessState)
			}
			if !strings.Contains(out.String(), "Auction.sol:49:9: error:") || !strings.Contains(out.String(), "Auction: 1 error") {
				t.Errorf("it prints\n%s", out.String())
			}
		})
	}
}

// TestStopAtOnce repeats the signal until the process has ended: the second one
// kills it, unless the run ended before.
func TestStopAtOnce(t *testing.T) {
	cmd, _, progress := startFuzz(t, "leveret")
	done := make(chan struct{})
	go func() {
		for cmd.Process.Signal(syscall.SIGTERM) == nil {
			select {
			case <-done:
				return
			case <-time.After(time.Millisecond):
			}
		}
	}()
	status := ended(t, cmd, progress)
	close(done)
	if status.Signal() != syscall.SIGTERM && status.ExitStatus() != exitFound {
		t.Errorf("it ends with %v", cmd.ProcessState)
	}
}

// TestNoHangUp sends SIGHUP to a run under nohup.
func TestNoHangUp(t *testing.T) {
	nohup, err := exec.LookPath("nohup")
	if err != nil {
		t.Skip(err)
	}
	program, err := exec.LookPath("leveret")
	if err != nil {
		t.Fatal(err)
	}
	cmd, out, progress := startFuzz(t, nohup, program)
	if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	before := time.Now()
	for progress.Scan() && time.Since(before) < time.Second { // a line every five seconds
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Errorf("it ended with SIGHUP: %v", err)
	}
	ended(t, cmd, progress)
	if !strings.Contains(out.String(), "Auction: 1 error") {
		t.Errorf("it prints\n%s", out.String())
	}
}
