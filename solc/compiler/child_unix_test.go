//go:build unix

package compiler

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"leveret/solc/solctest"
)

// shell returns a child that runs a script.
func shell(ctx context.Context, script string) *child { return newChild(ctx, "/bin/sh", "-c", script) }

// processID reads the process id that a script wrote.
func processID(t *testing.T, file string) int {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	return pid
}

func TestChildOutput(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	out, complaint, err := shell(t.Context(), `echo out; echo complaint >&2; exit 3`).capture(1 << 20)
	var exit *exec.ExitError
	if string(out) != "out\n" || complaint != "complaint\n" || !errors.As(err, &exit) || exit.ExitCode() != 3 {
		t.Errorf("%q, %q, %v", out, complaint, err)
	}
	if _, _, err := newChild(t.Context(), "/nowhere/solc").capture(1 << 20); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// A child with endless output is stopped at the limit, together with its group.
func TestChildPrintsTooMuch(t *testing.T) {
	for name, script := range map[string]string{
		"lines":                "yes",
		"one line":             "tr '\\0' x < /dev/zero",
		"standard error":       "yes >&2",
		"ignores SIGTERM":      "trap '' TERM HUP INT PIPE; while :; do echo y; done",
		"a child prints":       "yes & wait",
		"a child that is left": "yes & exit 0",
	} {
		t.Run(name, func(t *testing.T) {
			defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
			pid := filepath.Join(t.TempDir(), "pid")
			out, _, err := shell(t.Context(), "sleep 1000 & echo $! > "+pid+"; "+script).capture(1 << 20)
			if len(out) > 0 || err == nil || err.Error() != "it printed more than 1 MB and was stopped" {
				t.Errorf("%d bytes, %v", len(out), err)
			}
			other := processID(t, pid)
			solctest.Await(func() bool { return solctest.Gone(other) })
		})
	}
}

// A child that keeps running after its answer does not block.
func TestChildLivesOn(t *testing.T) {
	for name, script := range map[string]string{
		"a child keeps the output open": `sleep 1000 & echo $! > PID; echo answer`,
		"closed output":                 `echo $$ > PID; echo answer; exec >&- 2>&-; sleep 1000`,
		"ignores SIGTERM":               `trap '' TERM; echo $$ > PID; echo answer; exec >&-; while :; do sleep 1; done`,
	} {
		t.Run(name, func(t *testing.T) {
			defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
			pid := filepath.Join(t.TempDir(), "pid")
			out, _, _ := shell(t.Context(), strings.ReplaceAll(script, "PID", pid)).capture(1 << 20)
			if string(out) != "answer\n" {
				t.Errorf("answer %q", out)
			}
			other := processID(t, pid)
			solctest.Await(func() bool { return solctest.Gone(other) })
		})
	}
}

func TestChildIsCancelled(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	ctx, cancel := context.WithCancel(t.Context())
	pid := filepath.Join(t.TempDir(), "pid")
	go func() {
		solctest.Await(func() bool { return solctest.Exists(pid) })
		cancel()
	}()
	if _, _, err := shell(ctx, `trap '' TERM; sleep 1000 & echo $! > `+pid+`.new; mv `+pid+`.new `+pid+`; wait`).capture(1 << 20); err == nil {
		t.Error("no error")
	}
	other := processID(t, pid)
	solctest.Await(func() bool { return solctest.Gone(other) })
}

// All processes of a compiler end when their parent is killed, also behind a
// wrapper script.
func TestChildDiesWithParent(t *testing.T) {
	const role = "LEVERET_TEST_CHILD"
	if pid := os.Getenv(role); pid != "" {
		shell(context.Background(), `sleep 1000 & echo $! > `+pid+`.new; mv `+pid+`.new `+pid+`; wait`).capture(1 << 20)
		return
	}
	pid := filepath.Join(t.TempDir(), "pid")
	parent := exec.Command(os.Args[0], "-test.run=^TestChildDiesWithParent$")
	parent.Env = append(os.Environ(), role+"="+pid)
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	solctest.Await(func() bool { return solctest.Exists(pid) })
	parent.Process.Kill()
	parent.Wait()
	other := processID(t, pid)
	solctest.Await(func() bool { return solctest.Gone(other) })
}

// A worker with endless output is stopped.
func TestWorkerPrintsTooMuch(t *testing.T) {
	w, dir := fakeWorker(t, time.Minute)
	for _, input := range []string{"endless", "endless-noise"} {
		if _, err := w.run(t.Context(), []byte(input)); !errors.As(err, new(overflowError)) {
			t.Errorf("%s: %v", input, err)
		}
	}
	if out, err := w.run(t.Context(), []byte("fine")); err != nil || !strings.Contains(string(out), "fine") {
		t.Errorf("after it: %s, %v", out, err)
	}
	if n := len(starts(t, dir)); n != 3 {
		t.Errorf("started %d processes, want 3", n)
	}
}
