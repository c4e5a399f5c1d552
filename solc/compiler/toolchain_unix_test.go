//go:build unix

package compiler

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"leveret/solc"
	"leveret/solc/solctest"
	"leveret/solc/version"
)

// fakeToolchain uses fakeNode as node and has n compilers.
func fakeToolchain(t *testing.T, n int) (tools *Toolchain, compilers []Installation) {
	t.Helper()
	dir := solctest.Write(t, "bin/node", fakeNode)
	if err := os.Chmod(filepath.Join(dir, "bin", "node"), 0o755); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		path := filepath.Join(dir, fmt.Sprint(i))
		if err := os.Mkdir(path, 0o755); err != nil {
			t.Fatal(err)
		}
		compilers = append(compilers, Installation{Path: path, Node: true})
	}
	tools = NewToolchain(Env{Path: filepath.Join(dir, "bin")})
	t.Cleanup(func() { tools.Close() })
	return tools, compilers
}

// TestToolchainKeepsFewCompilers checks that only the most recently used
// compilers stay loaded.
func TestToolchainKeepsFewCompilers(t *testing.T) {
	tools, compilers := fakeToolchain(t, maxWorkers+2)
	for _, c := range append(compilers, compilers[0], compilers[len(compilers)-1]) {
		if _, err := tools.execute(t.Context(), c, []byte("x")); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(tools.runners); n != maxWorkers {
		t.Errorf("%d compilers are loaded", n)
	}
	for i, want := range map[int]int{0: 2, 1: 1, len(compilers) - 1: 1} {
		if n := len(starts(t, compilers[i].Path)); n != want {
			t.Errorf("compiler %d was started %d times, want %d", i, n, want)
		}
	}
}

// A toolchain beside another one has processes of its own: one that is busy, or stopped
// while it works, leaves the other compiler loaded. It keeps one process.
func TestToolchainBeside(t *testing.T) {
	tools, compilers := fakeToolchain(t, 2)
	aside := tools.Beside()
	t.Cleanup(func() { aside.Close() })
	first := execute(t, tools, compilers[0], "x")
	for range 2 {
		ctx, cancel := context.WithCancel(t.Context())
		left := make(chan error)
		go func() {
			_, err := aside.execute(ctx, compilers[0], []byte("gate"))
			left <- err
		}()
		gate := filepath.Join(compilers[0].Path, "at-gate")
		solctest.Await(func() bool { return solctest.Exists(gate) })
		os.Remove(gate)
		if beside := execute(t, tools, compilers[0], "y"); beside != first {
			t.Errorf("process %d compiled beside a busy one, want %d", beside, first)
		}
		cancel()
		if err := <-left; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		aside.Stop()
		last, _ := strconv.Atoi(starts(t, compilers[0].Path)[len(starts(t, compilers[0].Path))-1])
		solctest.Await(func() bool { return solctest.Gone(last) })
		if after := execute(t, tools, compilers[0], "z"); after != first {
			t.Errorf("process %d compiled after a stopped one, want %d", after, first)
		}
	}
	if n := len(starts(t, compilers[0].Path)); n != 3 {
		t.Errorf("%d processes were started, want 3", n)
	}
	for range 2 {
		for _, c := range compilers {
			execute(t, aside, c, "x")
		}
	}
	if n := len(aside.runners); n != 1 {
		t.Errorf("%d compilers are loaded aside", n)
	}
}

// execute compiles and returns the id of the process that did.
func execute(t *testing.T, tools *Toolchain, with Installation, input string) int {
	t.Helper()
	out, err := tools.execute(t.Context(), with, []byte(input))
	var answer struct{ Pid int }
	if err != nil || json.Unmarshal(out, &answer) != nil {
		t.Fatalf("%s, %v", out, err)
	}
	return answer.Pid
}

// The user learns in one sentence that a compiler ran out of memory or broke down, and what
// to do.
func TestToolchainBreaksDown(t *testing.T) {
	tools, compilers := fakeToolchain(t, 1)
	compilers[0].Version = version.Version{Major: 0, Minor: 8, Patch: 30}
	for input, want := range map[string]string{"full": "ran out of memory", "break": "failed: internal compiler error"} {
		_, err := tools.execute(t.Context(), compilers[0], []byte(input))
		solctest.DemandFailure(t, err, solc.CompilerFailed, "solc 0.8.30 (", ") "+want, "; run leveret solc install 0.8.30 for a native compiler")
	}
}

// TestToolchainUnderLoad uses more compilers than stay loaded, concurrently and
// with restarts.
func TestToolchainUnderLoad(t *testing.T) {
	tools, compilers := fakeToolchain(t, maxWorkers+2)
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			input := fmt.Sprint("request ", i)
			out, err := tools.execute(t.Context(), compilers[i%len(compilers)], []byte(input))
			if err != nil || !strings.Contains(string(out), input) {
				t.Errorf("%s: %s, %v", input, out, err)
			}
		})
	}
	all.Go(tools.Restart)
	all.Wait()
}
