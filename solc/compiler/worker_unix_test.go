//go:build unix

package compiler

import (
	"context"
	"crypto/sha256"
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

	"leveret/solc/solctest"
)

// fakeNode implements the worker protocol. Its first four arguments are node's;
// the fifth is a directory with files that control its behaviour.
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
		echo "a bad instruction" >&2
		exit 3
	fi
	if test "$input" = full; then
		printf 'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\n 1: 0x1 node::Abort()\n' >&2
		exit 134
	fi
	test "$input" = victim && kill -KILL $$
	if test "$input" = limit; then
		echo "{\"leveret\":1,\"id\":$id,\"memory\":5,\"error\":\"Aborted(OOM). Build with -sASSERTIONS for more info.\"}"
		continue
	fi
	if test "$input" = break || test -n "$broken"; then
		broken=1
		echo "{\"leveret\":1,\"id\":$id,\"memory\":5,\"error\":\"memory access out of bounds\"}"
		continue
	fi
	if test "$input" = hang; then
		sleep 1000 &
		echo $! > child.new; mv child.new child
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

// fakeWorker returns a worker on fakeNode, and its directory.
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

// starts returns the ids of the started processes.
func starts(t *testing.T, dir string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "started"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(text))
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

// TestWorkerReadsLongTexts loads a compiler in which texts are long: in both quotes, side by
// side, with characters that no base64 has, behind an escape, and in comments. What is slow
// in it is replaced.
func TestWorkerReadsLongTexts(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("AGFzbQ+/", 1<<16)
	script := "const texts = ['data:application/octet-stream;base64," + long + "==', \"" + long + "\", '" + long + "', \"" + long + "é\", '" + long + "\\n', `" + long + "`];" +
		"/* it's " + long + " that's \"" + long + "\" */\n// \"\n" +
		"const digest = (text) => require('crypto').createHash('sha256').update(text).digest('hex');" +
		"function base64DecToArr(sBase64) { return 'slow'; }" +
		"function getBinary(wasmBinary) { return new Uint8Array(wasmBinary); }" +
		"const binary = Buffer.from('wasm');" +
		"const loaded = texts.concat(__filename, base64DecToArr('JCY+/w=='), getBinary(binary) === binary ? 'same' : 'copied').map(digest);" +
		"const memory = {}; exports._malloc = (size) => size; exports._free = () => {};" +
		"exports.lengthBytesUTF8 = Buffer.byteLength; exports.stringToUTF8 = (text, at) => { memory[at] = text; };" +
		"exports.cwrap = () => (at) => JSON.stringify({input: memory[at], loaded}); exports._solidity_compile = true;\n"
	file := filepath.Join(t.TempDir(), "soljson.js")
	if err := os.WriteFile(file, []byte(script), 0o644); err != nil {
		t.Fatal(err)
	}
	w := newWorker(node, file, time.Minute)
	defer w.close()
	got, err := w.run(t.Context(), []byte("in"))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"input":"in","loaded":[`
	for i, text := range []string{"data:application/octet-stream;base64," + long + "==", long, long, long + "é", long + "\n", long, file, "$&>\xff", "same"} {
		if i > 0 {
			want += ","
		}
		want += fmt.Sprintf(`"%x"`, sha256.Sum256([]byte(text)))
	}
	if want += "]}"; string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
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
	if !errors.Is(err, errWorkerDied) || !strings.Contains(err.Error(), ": a bad instruction") {
		t.Errorf("the error lacks the reason: %v", err)
	}
	if out, err := w.run(t.Context(), []byte("again")); err != nil {
		t.Errorf("after two crashes: %s, %v", out, err)
	}
	if n := len(starts(t, dir)); n != 4 {
		t.Errorf("started %d processes, want 4", n)
	}
}

// Node's heap, the compiler's memory and the machine's may be too small.
func TestWorkerRunsOutOfMemory(t *testing.T) {
	w, _ := fakeWorker(t, time.Minute)
	for _, input := range []string{"full", "limit", "victim"} {
		if _, err := w.run(t.Context(), []byte(input)); !errors.Is(err, errMemory) {
			t.Errorf("%s: %v", input, err)
		}
	}
	for _, input := range []string{"die", "break"} {
		if _, err := w.run(t.Context(), []byte(input)); err == nil || errors.Is(err, errMemory) {
			t.Errorf("%s: %v", input, err)
		}
	}
}

// An internal compiler error discards the process. The error is final only on
// the first request of a process.
func TestWorkerReplacedAfterInternalError(t *testing.T) {
	w, dir := fakeWorker(t, time.Minute)
	for _, input := range []string{"fine", "break", "fine again"} {
		out, err := w.run(t.Context(), []byte(input))
		if breaks := input == "break"; breaks != errors.Is(err, errBrokeDown) || !breaks && !strings.Contains(string(out), input) {
			t.Errorf("%s: %s, %v", input, out, err)
		}
	}
	if n := len(starts(t, dir)); n != 3 { // the second confirms the error
		t.Errorf("started %d processes, want 3", n)
	}
}

func TestWorkerTimeoutKillsGroup(t *testing.T) {
	w, dir := fakeWorker(t, time.Second)
	child := filepath.Join(dir, "child")
	for ; !solctest.Exists(child); w.timeout *= 2 { // longer than the process takes to have a child
		if _, err := w.run(t.Context(), []byte("hang")); !errors.Is(err, errTimeout) {
			t.Fatalf("error is %v", err)
		}
	}
	for _, started := range starts(t, dir) {
		parent, _ := strconv.Atoi(started)
		solctest.Await(func() bool { return solctest.Gone(parent) })
	}
	other := processID(t, child)
	solctest.Await(func() bool { return solctest.Gone(other) })
}

func TestWorkerSlowStartTimesOut(t *testing.T) {
	w, dir := fakeWorker(t, 2*time.Second)
	os.WriteFile(filepath.Join(dir, "slow"), nil, 0o644)
	if _, err := w.run(t.Context(), []byte("x")); !errors.Is(err, errTimeout) {
		t.Errorf("error is %v", err)
	}
}

// A cancelled compilation that ends before a new process is loaded leaves its process to
// the next one, and the new process ends.
func TestWorkerKeptAfterCancel(t *testing.T) {
	w, dir := fakeWorker(t, time.Minute)
	abandon(t, w, dir, "gate")
	os.WriteFile(filepath.Join(dir, "slow"), nil, 0o644)
	next := make(chan []byte)
	go func() {
		out, err := w.run(t.Context(), []byte("next"))
		if err != nil {
			t.Error(err)
		}
		next <- out
	}()
	solctest.Await(func() bool { return len(starts(t, dir)) == 2 })
	os.WriteFile(filepath.Join(dir, "gate"), nil, 0o644)
	if out, want := string(<-next), `"pid":`+starts(t, dir)[0]+"}"; !strings.Contains(out, want) {
		t.Errorf("next run: %s, want %s", out, want)
	}
	second, _ := strconv.Atoi(starts(t, dir)[1])
	solctest.Await(func() bool { return solctest.Gone(second) })
}

// A cancelled compilation is killed when a new process is loaded before its end. The next
// compilation uses the new one.
func TestWorkerKilledAfterCancel(t *testing.T) {
	w, dir := fakeWorker(t, time.Minute)
	abandon(t, w, dir, "gate")
	out, err := w.run(t.Context(), []byte("next"))
	if err != nil || !strings.Contains(string(out), "next") {
		t.Errorf("next run: %s, %v", out, err)
	}
	if all := starts(t, dir); len(all) != 2 || !strings.Contains(string(out), `"pid":`+all[1]+"}") {
		t.Errorf("started %q, next run: %s", all, out)
	}
	first, _ := strconv.Atoi(starts(t, dir)[0])
	solctest.Await(func() bool { return solctest.Gone(first) })
}

// A worker that is closed while a new process loads keeps none.
func TestWorkerClosedBesideCancelled(t *testing.T) {
	w, dir := fakeWorker(t, time.Minute)
	abandon(t, w, dir, "gate")
	os.WriteFile(filepath.Join(dir, "slow"), nil, 0o644)
	failed := make(chan error)
	go func() {
		_, err := w.run(t.Context(), []byte("next"))
		failed <- err
	}()
	solctest.Await(func() bool { return len(starts(t, dir)) == 2 })
	w.close()
	if err := <-failed; !errors.Is(err, errWorkerStopped) {
		t.Error(err)
	}
	for _, id := range starts(t, dir) {
		pid, _ := strconv.Atoi(id)
		solctest.Await(func() bool { return solctest.Gone(pid) })
	}
}

// A worker can be stopped while it starts, and starts again for the next request.
func TestWorkerCancelledAtStart(t *testing.T) {
	w, dir := fakeWorker(t, time.Minute)
	os.WriteFile(filepath.Join(dir, "slow"), nil, 0o644)
	ctx, cancel := context.WithCancel(t.Context())
	left := make(chan error)
	go func() {
		_, err := w.run(ctx, []byte("first"))
		left <- err
	}()
	solctest.Await(func() bool { return solctest.Exists(filepath.Join(dir, "started")) && len(starts(t, dir)) == 1 })
	cancel()
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	w.stop() // does not wait for the start
	os.Remove(filepath.Join(dir, "slow"))
	if out, err := w.run(t.Context(), []byte("next")); err != nil || !strings.Contains(string(out), "next") {
		t.Errorf("%s, %v", out, err)
	}
}

// abandon starts a request and cancels it while the compiler works on it.
func abandon(t *testing.T, w *worker, dir, input string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	left := make(chan error)
	go func() {
		_, err := w.run(ctx, []byte(input))
		left <- err
	}()
	solctest.Await(func() bool { return solctest.Exists(filepath.Join(dir, "at-gate")) })
	cancel()
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
}

func TestWorkerWaitingIsCancelled(t *testing.T) {
	w, dir := fakeWorker(t, time.Minute)
	abandon(t, w, dir, "gate")
	os.WriteFile(filepath.Join(dir, "slow"), nil, 0o644)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.run(ctx, []byte("never")); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
	os.WriteFile(filepath.Join(dir, "gate"), nil, 0o644)
}

// TestWorkerDiesWithParent kills a process with a busy worker.
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
	solctest.Await(func() bool { return solctest.Exists(filepath.Join(dir, "at-gate")) })
	parent.Process.Kill()
	parent.Wait()
	os.WriteFile(filepath.Join(dir, "gate"), nil, 0o644) // except on Linux, the worker ends only after its work
	child, _ := strconv.Atoi(starts(t, dir)[0])
	solctest.Await(func() bool { return solctest.Gone(child) })
}

// BenchmarkStart measures starts of compilers in JavaScript, each with the compilation of
// one small contract: the time, and the processor time as cpu-ms.
func BenchmarkStart(b *testing.B) {
	tools := solctest.Tools(b)
	node, err := exec.LookPath("node")
	if err != nil {
		b.Skip("no node")
	}
	const input = `{"language":"Solidity","sources":{"A.sol":{"content":"contract A { uint256 public x; function f(uint256 y) public { require(y > 3); x = y + 1; } }"}},` +
		`"settings":{"outputSelection":{"*":{"*":["evm.bytecode.object"]}}}}`
	for _, release := range []string{"0.4.26", "0.5.17", "0.6.12", "0.7.6", "0.8.0", "0.8.19", "0.8.37"} {
		b.Run(release, func(b *testing.B) {
			before := childTime(b)
			for b.Loop() {
				w := newWorker(node, filepath.Join(tools, "node_modules", "solc-"+release), time.Minute)
				if _, err := w.run(b.Context(), []byte(input)); err != nil {
					b.Fatal(err)
				}
				process := w.proc
				w.close()
				<-process.ended
			}
			b.ReportMetric(float64((childTime(b)-before).Milliseconds())/float64(b.N), "cpu-ms")
		})
	}
}

// childTime returns the processor time of all processes that were started and are over.
func childTime(b *testing.B) time.Duration {
	b.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
