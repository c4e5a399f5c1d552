//go:build unix

package solc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// fakeNode speaks the worker's protocol. Its first four arguments are node's,
// the fifth is a directory; the files in it tell it how to behave.
const fakeNode = `#!/bin/sh
cd "$5"
echo $$ >> started
echo "a line of noise"
test -e slow && sleep 1000
printf 'noise in front of {"leveret":1,"ready":true}\n'
while read -r line; do
	id=${line#*\"id\":}
	id=${id%%,*}
	input=${line#*\"input\":\"}
	input=${input%%\"*}
	if test "$input" = die || { test "$input" = die-once && ! test -e died; }; then
		touch died
		echo "ran out of memory" >&2
		exit 3
	fi
	if test "$input" = break || test -n "$broken"; then
		broken=1
		echo "{\"leveret\":1,\"id\":$id,\"memory\":5,\"error\":\"memory access out of bounds\"}"
		continue
	fi
	if test "$input" = hang; then
		sleep 1000 &
		echo $! > child
		wait
	fi
	test "$input" = endless && tr '\0' x < /dev/zero
	test "$input" = endless-noise && yes >&2
	if test "$input" = gate; then
		touch at-gate
		while ! test -e gate; do sleep 0.02; done
	fi
	echo '{"leveret":1,"id":0,"memory":5,"output":"of nobody"}'
	echo 'not {"json"'
	echo "warning: $input{\"leveret\":1,\"id\":$id,\"memory\":5,\"output\":{\"input\":\"$input\",\"pid\":$$}}"
done
`

// fakeWorker returns a worker on fakeNode and its directory.
func fakeWorker(t *testing.T, timeout time.Duration) (*worker, string) {
	t.Helper()
	dir := t.TempDir()
	node := filepath.Join(dir, "node")
	if err := os.WriteFile(node, []byte(fakeNode), 0o755); err != nil {
		t.Fatal(err)
	}
	w := newWorker(node, dir, timeout)
	t.Cleanup(func() {
		w.close()
		w.slot <- struct{}{} // an abandoned request has ended
		goleak.VerifyNone(t, goleak.IgnoreCurrent())
	})
	return w, dir
}

// starts returns the ids of the processes that were started.
func starts(t *testing.T, dir string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "started"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(text))
}

// await polls until a condition holds; the test binary's own time limit ends a
// wait in vain.
func await(cond func() bool) {
	for !cond() {
		time.Sleep(5 * time.Millisecond)
	}
}

// gone reports whether a process has ended; a zombie has.
func gone(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return true
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && bytes.Contains(stat, []byte(") Z "))
}

func TestWorkerIgnoresNoise(t *testing.T) {
	w, dir := fakeWorker(t, time.Minute)
	for _, input := range []string{"one", "two", "three"} {
		out, err := w.run(t.Context(), []byte(input))
		if want := fmt.Sprintf(`{"input":%q,"pid":%s}`, input, starts(t, dir)[0]); err != nil || string(out) != want {
			t.Errorf("run(%s) = %s, %v, want %s", input, out, err, want)
		}
	}
	if n := len(starts(t, dir)); n != 1 {
		t.Errorf("started %d processes", n)
	}
}

func TestWorkerQueues(t *testing.T) {
	w, dir := fakeWorker(t, time.Minute)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			input := "request " + strconv.Itoa(i)
			out, err := w.run(t.Context(), []byte(input))
			if err != nil || !strings.Contains(string(out), `"`+input+`"`) {
				t.Errorf("run(%s) = %s, %v", input, out, err)
			}
		})
	}
	all.Wait()
	if n := len(starts(t, dir)); n != 1 {
		t.Errorf("started %d processes", n)
	}
}

func TestWorkerIsRestarted(t *testing.T) {
	w, dir := fakeWorker(t, time.Minute)
	if out, err := w.run(t.Context(), []byte("die-once")); err != nil || !strings.Contains(string(out), "die-once") {
		t.Errorf("first run: %s, %v", out, err)
	}
	_, err := w.run(t.Context(), []byte("die"))
	if !errors.Is(err, errWorkerDied) || !strings.Contains(err.Error(), ": ran out of memory") {
		t.Errorf("the error does not tell why: %v", err)
	}
	if out, err := w.run(t.Context(), []byte("again")); err != nil {
		t.Errorf("after two deaths: %s, %v", out, err)
	}
	if n := len(starts(t, dir)); n != 4 {
		t.Errorf("started %d processes, want 4", n)
	}
}

// A compiler that broke down is not asked again, and what it says counts only
// if it was sound before.
func TestWorkerIsReplacedAfterBreakdown(t *testing.T) {
	w, dir := fakeWorker(t, time.Minute)
	for _, input := range []string{"fine", "break", "fine again"} {
		out, err := w.run(t.Context(), []byte(input))
		if breaks := input == "break"; breaks != errors.Is(err, errBrokeDown) || !breaks && !strings.Contains(string(out), input) {
			t.Errorf("%s: %s, %v", input, out, err)
		}
	}
	if n := len(starts(t, dir)); n != 3 { // the second is there to believe the breakdown
		t.Errorf("started %d processes, want 3", n)
	}
}

func TestWorkerTimeoutKillsGroup(t *testing.T) {
	w, dir := fakeWorker(t, 2*time.Second)
	if _, err := w.run(t.Context(), []byte("hang")); !errors.Is(err, errTimeout) {
		t.Errorf("error is %v", err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "child"))
	if err != nil {
		t.Fatal(err)
	}
	child, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	parent, _ := strconv.Atoi(starts(t, dir)[0])
	await(func() bool { return gone(child) && gone(parent) })
}

func TestWorkerSlowStartTimesOut(t *testing.T) {
	w, dir := fakeWorker(t, 2*time.Second)
	os.WriteFile(filepath.Join(dir, "slow"), nil, 0o644)
	if _, err := w.run(t.Context(), []byte("x")); !errors.Is(err, errTimeout) {
		t.Errorf("error is %v", err)
	}
}

// TestWorkerIsKeptForSuccessor: a compilation nobody waits for any more is left
// to finish, and the next one gets the same process.
func TestWorkerIsKeptForSuccessor(t *testing.T) {
	w, dir := fakeWorker(t, time.Minute)
	w.run(t.Context(), []byte("warm up"))
	w.proc.startup = time.Minute
	abandon(t, w, dir, "gate")
	next := make(chan error)
	go func() {
		_, err := w.run(t.Context(), []byte("next"))
		next <- err
	}()
	os.WriteFile(filepath.Join(dir, "gate"), nil, 0o644)
	if err := <-next; err != nil {
		t.Error(err)
	}
	if n := len(starts(t, dir)); n != 1 {
		t.Errorf("started %d processes", n)
	}
}

// TestWorkerIsKilledForSuccessor: one that takes longer than a start is not
// waited for.
func TestWorkerIsKilledForSuccessor(t *testing.T) {
	w, dir := fakeWorker(t, time.Minute)
	abandon(t, w, dir, "gate")
	if out, err := w.run(t.Context(), []byte("next")); err != nil || !strings.Contains(string(out), "next") {
		t.Errorf("next run: %s, %v", out, err)
	}
	if n := len(starts(t, dir)); n != 2 {
		t.Errorf("started %d processes", n)
	}
}

// abandon starts a request and leaves it once the compiler works on it.
func abandon(t *testing.T, w *worker, dir, input string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	left := make(chan error)
	go func() {
		_, err := w.run(ctx, []byte(input))
		left <- err
	}()
	await(func() bool { return exists(filepath.Join(dir, "at-gate"), nil) })
	cancel()
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
}

func TestWorkerWaitingIsCancelled(t *testing.T) {
	w, dir := fakeWorker(t, time.Minute)
	w.run(t.Context(), []byte("warm up"))
	w.proc.startup = time.Minute
	abandon(t, w, dir, "gate")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.run(ctx, []byte("never")); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
	os.WriteFile(filepath.Join(dir, "gate"), nil, 0o644)
}

// TestWorkerDiesWithParent kills a process that has a worker at work.
func TestWorkerDiesWithParent(t *testing.T) {
	const role = "LEVERET_TEST_PARENT"
	if dir := os.Getenv(role); dir != "" {
		newWorker(filepath.Join(dir, "node"), dir, time.Minute).run(context.Background(), []byte("gate"))
		return
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "node"), []byte(fakeNode), 0o755); err != nil {
		t.Fatal(err)
	}
	parent := exec.Command(os.Args[0], "-test.run=^TestWorkerDiesWithParent$")
	parent.Env = append(os.Environ(), role+"="+dir)
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	await(func() bool { return exists(filepath.Join(dir, "at-gate"), nil) })
	parent.Process.Kill()
	parent.Wait()
	os.WriteFile(filepath.Join(dir, "gate"), nil, 0o644) // elsewhere than on Linux it ends after its work
	child, _ := strconv.Atoi(starts(t, dir)[0])
	await(func() bool { return gone(child) })
}

// fakeSolc is a binary that prints noise around its answer.
const fakeSolc = `#!/bin/sh
if test "$1" = --version; then
	echo "solc, the solidity compiler commandline interface"
	echo "Version: 0.8.99+commit.00000000.Linux.g++"
	exit 0
fi
input=$(cat)
case $input in
*Hang*) sleep 1000 & echo $! > "${0%/*}/child"; wait;;
*Break*|*Crowd*Crowd*Crowd*Crowd*Crowd*) echo "segmentation fault" >&2; exit 139;;
esac
echo "Warning: noise"
sources=
for name in $(printf %s "$input" | grep -o '"[A-Za-z0-9]*\.sol":' | sort -u); do
	sources="$sources${sources:+,}$name{\"id\":$(printf %s "$sources" | grep -o id | wc -l)}"
done
case $input in *Silent*) sources=;; esac
echo "{\"contracts\":{},\"sources\":{$sources}}"
echo "more noise"
`

func fakeNative(t *testing.T) (p *Project, dir string) {
	t.Helper()
	dir = write(t, "Hang.sol", "contract Hang {}", "Break.sol", "contract Break {}", "Fine.sol", "contract Fine {}", "Silent.sol", "contract Silent {}", "bin/solc", fakeSolc)
	if err := os.Chmod(filepath.Join(dir, "bin", "solc"), 0o755); err != nil {
		t.Fatal(err)
	}
	return open(t, dir, Env{Path: filepath.Join(dir, "bin") + ":/bin:/usr/bin", Timeout: 2 * time.Second}), dir
}

func TestNativeCompiler(t *testing.T) {
	p, dir := fakeNative(t)
	b, err := p.Compile(t.Context(), []string{filepath.Join(dir, "Fine.sol")}, nil)
	if err != nil || b.Version != "0.8.99" {
		t.Errorf("Fine: %+v, %v", b, err)
	}
	_, err = p.Compile(t.Context(), []string{filepath.Join(dir, "Silent.sol")}, nil)
	demand(t, err, CompilerFailed, "solc 0.8.99 (PATH, ", `neither an error nor anything of the source "Silent.sol"; try another version`)
	_, err = p.Compile(t.Context(), []string{filepath.Join(dir, "Break.sol")}, nil)
	demand(t, err, CompilerFailed, "solc 0.8.99 (PATH, ", "failed: exit status 139: segmentation fault; try another version")
	_, err = p.Compile(t.Context(), []string{filepath.Join(dir, "Hang.sol")}, nil)
	demand(t, err, CompilerTimeout, "gave no answer within 2s; compile less at once")
	text, err := os.ReadFile(filepath.Join(dir, "bin", "child"))
	if err != nil {
		t.Fatal(err)
	}
	child, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	await(func() bool { return gone(child) })
}

// What is too much for a compiler is compiled in parts; a file that is too
// much alone is named, and costs nobody else.
func TestTooMuchAtOnce(t *testing.T) {
	p, dir := fakeNative(t)
	files := []string{filepath.Join(dir, "Break.sol")}
	for _, name := range []string{"1", "2", "3", "4"} {
		file := filepath.Join(dir, "Crowd"+name+".sol") // its name is in the input twice
		if err := os.WriteFile(file, []byte("contract Crowd"+name+" {}"), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	builds, failed := p.CompileAll(t.Context(), files, nil)
	if len(builds) != 3 || len(failed) != 1 { // 1; 2; 3 and 4
		t.Fatalf("%d builds, failed: %v", len(builds), failed)
	}
	demand(t, failed[0], CompilerFailed, "Break.sol: solc 0.8.99", "segmentation fault")
}
