package server

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/protocol"

	"leveret/engine/corpus"
	"leveret/lsp/present"
	"leveret/solc/atomicfile"
	"leveret/solc/solctest"
)

// After the compiler's process was killed, the next save compiles.
func TestCompilerIsRestarted(t *testing.T) {
	if runtime.GOOS != "linux" {
		need(t, "a /proc that tells the children of processes")
	}
	config := realConfig(t)
	config.Session.Compiler.Env.CacheDir = t.TempDir() // so that a compiler runs
	e := connect(t, config)
	e.settings(`{"idle":false,"budget":"10m"}`)
	e.start(allCapabilities, `{"notifications":true,"idle":false,"budget":"10m"}`)
	e.open("Vault.sol", vault(false, 0))
	e.until("the first campaign", func() bool { return strings.Contains(e.status(), "fuzzing") })
	for i := range 3 {
		var workers []int
		e.until("a compiler to kill", func() bool { // /proc misses it while the thread that started it ends
			workers = children(t, os.Getpid())
			return len(workers) > 0
		})
		for _, pid := range workers {
			compiler, err := os.FindProcess(pid)
			if err == nil {
				err = compiler.Kill()
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		e.save("Vault.sol", int32(2*i+2), vault(true, 2*i+1))
		e.until("a finding", func() bool { return e.asserts("Vault.sol") })
		e.save("Vault.sol", int32(2*i+3), vault(false, 2*i+2))
		e.until("the finding is gone", func() bool { return !e.asserts("Vault.sol") })
	}
}

// Without a writable cache only the corpus is lost, and the server warns once.
// A file in the place of the cache also stops the superuser.
func TestUnwritableCache(t *testing.T) {
	config := realConfig(t)
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	config.Session.Cache = filepath.Join(blocked, "cache")
	config.Session.Compiler.Env.CacheDir = config.Session.Cache
	e := connect(t, config)
	e.settings(`{"idle":false,"budget":"10m"}`)
	e.start(allCapabilities, `{"notifications":true,"idle":false}`)
	warned := func() (n int) {
		for _, line := range e.got().Logged {
			if strings.Contains(line, "the corpus cannot be saved") {
				n++
			}
		}
		return n
	}
	for i := range 2 {
		e.save0("Vault.sol", int32(2*i+1), vault(true, 2*i))
		e.until("a finding", func() bool { return e.asserts("Vault.sol") })
		e.until("idle", e.calm)
		e.save("Vault.sol", int32(2*i+2), vault(false, 2*i+1))
		e.until("the finding is gone", func() bool { return !e.asserts("Vault.sol") })
		e.until("a campaign", func() bool { return strings.Contains(e.status(), "fuzzing") })
		e.until("idle", e.calm)
	}
	e.until("a warning", func() bool { return warned() > 0 })
	if n := warned(); n != 1 {
		t.Errorf("warned %d times:\n%s", n, strings.Join(e.got().Logged, "\n"))
	}
}

// onDisk writes a program that runs the server with its cache on a separate
// file system, which a shell command prepares.
func onDisk(t *testing.T, leveret, prepare string) string {
	t.Helper()
	if err := exec.Command("unshare", "-Urm", "mount", "-t", "tmpfs", "tmpfs", t.TempDir()).Run(); err != nil {
		need(t, "a kernel with mounts in unprivileged user namespaces")
	}
	program := filepath.Join(t.TempDir(), "leveret")
	script := fmt.Sprintf("#!/bin/sh\nmkdir -p \"$XDG_CACHE_HOME\"\nexec unshare -Urm sh -c 'mount -t tmpfs -o size=256k tmpfs \"$XDG_CACHE_HOME\" && { %s; } && exec %s \"$@\"' leveret \"$@\"\n", prepare, leveret)
	if err := os.WriteFile(program, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return program
}

// On a full or read-only disk only the corpus is lost, and the server warns
// once. Findings and traces still work.
func TestFullAndReadOnlyDisks(t *testing.T) {
	tools, leveret := compilers(t), binary(t)
	for _, disk := range []struct{ name, prepare, says string }{
		{"full", `head -c 1m /dev/zero >"$XDG_CACHE_HOME/full" 2>/dev/null; true`, "no space left on device"},
		{"read-only", `mount -o remount,ro "$XDG_CACHE_HOME"`, "read-only file system"},
	} {
		t.Run(disk.name, func(t *testing.T) {
			program := onDisk(t, leveret, disk.prepare)
			e, p := launchAt(t, program, tools, t.TempDir(), t.TempDir(), `{"idle":false,"trusted":true,"budget":"10m"}`)
			said := func() (n int) {
				for _, line := range e.got().Logged {
					if strings.Contains(line, disk.says) {
						n++
					}
				}
				return n
			}
			e.open("Vault.sol", vault(true, 0))
			for i := range 2 {
				e.until("a finding", func() bool { return e.asserts("Vault.sol") })
				e.stop()
				e.until("a warning", func() bool { return said() > 0 })
				if _, err := e.command(present.CommandReplay, e.id("Vault.sol")); err != nil {
					t.Errorf("no trace: %v", err)
				}
				e.save("Vault.sol", int32(2*i+2), vault(false, 2*i+1))
				e.until("the finding is gone", func() bool { return !e.asserts("Vault.sol") })
				e.save("Vault.sol", int32(2*i+3), vault(true, 2*i+2))
			}
			if n := said(); n != 1 {
				t.Errorf("warned %d times:\n%s", n, strings.Join(e.got().Logged, "\n"))
			}
			e.leave(p)
		})
	}
}

// stop stops all campaigns and waits until the server is idle.
func (e *editor) stop() {
	e.t.Helper()
	if _, err := e.command(present.CommandStop); err != nil {
		e.t.Fatal(err)
	}
	e.until("idle", e.calm)
}

// id returns the finding id of the failing assertion in a file.
func (e *editor) id(name string) string {
	for _, d := range e.found(name) {
		if d.Code == protocol.String("assertion") {
			var data struct{ Finding string }
			e.must(json.Unmarshal(d.Data, &data))
			return data.Finding
		}
	}
	e.t.Fatal("no assertion fails")
	return ""
}

// save0 opens a file with the first version, and saves it with a later one.
func (e *editor) save0(name string, version int32, text string) {
	if version == 1 {
		e.open(name, text)
		return
	}
	e.save(name, version, text)
}

// corpora counts the inputs in all corpus files below a folder. A damaged file
// fails the test.
func corpora(t *testing.T, dir string) (inputs int) {
	t.Helper()
	_ = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".corpus" {
			return nil
		}
		list, err := corpus.Open(path, func([]byte) bool { return true }).Load()
		if err != nil {
			t.Error(err)
		}
		inputs += len(list)
		return nil
	})
	return inputs
}

// A killed server leaves a valid corpus, and the next server continues from it.
func TestKillKeepsCorpus(t *testing.T) {
	tools, leveret := compilers(t), binary(t)
	home, workspace := t.TempDir(), t.TempDir()
	const settings = `{"idle":false,"trusted":true,"budget":"60s"}`
	kept := 0
	for i := range 4 {
		e, p := launchAt(t, leveret, tools, home, workspace, settings)
		e.open("Maze.sol", maze)
		e.until("a campaign", func() bool { return strings.Contains(e.status(), "fuzzing") })
		// The campaign runs for a minute, so it wrote this corpus while it ran.
		e.until("a corpus", func() bool { return corpora(t, home) > 10 })
		time.Sleep(time.Duration(300+170*i) * time.Millisecond) // any time works
		e.kill(p)
		now := corpora(t, home)
		if now < kept*9/10 { // the corpus replaces inputs that only come close to a branch
			t.Errorf("after kill %d the corpus has %d inputs, before it had %d", i+1, now, kept)
		}
		kept = max(kept, now)
	}
	t.Logf("%d inputs survived", kept)
}

// maze has too many paths for a campaign to finish soon.
const maze = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Maze {
    uint256 public steps;
    function walk(uint256 a, uint256 b, uint256 c) external {
        if (a > 100) steps += 1;
        if (b % 7 == 3) steps += 2;
        if (c > a) steps += 3;
        if (a ^ b == c) steps += 4;
        for (uint256 i = 0; i < c % 20; i++) {
            if ((a >> i) & 1 == 1) steps += i;
        }
    }
}
`

// Two servers on one workspace share a corpus without damaging it.
func TestTwoServersOnOneWorkspace(t *testing.T) {
	tools, leveret := compilers(t), binary(t)
	home, workspace := t.TempDir(), t.TempDir()
	const settings = `{"idle":false,"trusted":true,"budget":"10m"}`
	var editors []*editor
	for range 2 {
		e, p := launchAt(t, leveret, tools, home, workspace, settings)
		defer e.leave(p)
		e.open("Vault.sol", vault(true, 0))
		editors = append(editors, e)
	}
	for i := range 3 {
		for _, e := range editors {
			e.until("a finding", func() bool { return e.asserts("Vault.sol") })
			corpora(t, home)
		}
		for _, e := range editors {
			e.save("Vault.sol", int32(i+2), vault(true, i+1))
		}
	}
	for _, e := range editors {
		e.until("a finding", func() bool { return e.asserts("Vault.sol") })
		e.until("a corpus", func() bool { return corpora(t, home) > 0 })
		e.stop()
	}
	left, _ := filepath.Glob(filepath.Join(home, "cache", "leveret", "lsp", "corpus", "*", "*", "*", atomicfile.TempPrefix+"*"))
	if len(left) > 0 {
		t.Errorf("temporary files are left: %q", left)
	}
}

// After many quick saves with edits between them, the diagnostics are those of
// the last text, and the server is idle.
func TestStormOfSaves(t *testing.T) { stormOfSaves(t, 50) }

func TestStormOfSavesLong(t *testing.T) {
	solctest.Long(t)
	stormOfSaves(t, 120)
}

// stormOfSaves saves ten times a second.
func stormOfSaves(t *testing.T, saves int) {
	tools, leveret := compilers(t), binary(t)
	e, p := launchAt(t, leveret, tools, t.TempDir(), t.TempDir(), `{"idle":false,"trusted":true,"budget":"10s"}`)
	e.open("Vault.sol", vault(false, 0))
	version := int32(1)
	tick := time.NewTicker(time.Second / 10)
	defer tick.Stop()
	for i := range saves {
		<-tick.C
		version++
		e.change("Vault.sol", version, "// typing\n"+vault(i%3 == 0, i))
		version++
		e.save("Vault.sol", version, vault(i%2 == 1, i)) // the last one is faulty
	}
	e.until("the finding in the last text", func() bool {
		p, _ := e.mail.Diagnostics(e.uri("Vault.sol"))
		shown, _ := p.Version.Get()
		return shown == version && e.asserts("Vault.sol")
	})
	e.until("idle", e.calm)
	faulty := strings.Split(vault(true, saves-1), "\n")
	for _, d := range e.found("Vault.sol") {
		if line := faulty[d.Range.Start.Line]; !strings.Contains(line, "assert(") {
			t.Errorf("shown on %q: %v", line, d.Message)
		}
	}
	e.until("a second without work", func() bool {
		before, err := processorTime(p.cmd.Process.Pid)
		if err != nil {
			return true // this system has no /proc
		}
		time.Sleep(time.Second)
		after, err := processorTime(p.cmd.Process.Pid)
		return err != nil || after-before < 50*time.Millisecond
	})
	left := append(children(t, p.cmd.Process.Pid), p.cmd.Process.Pid)
	if len(left) > 3 {
		t.Errorf("%d processes: %v", len(left), left)
	}
	e.leave(p)
	for _, pid := range left {
		gone(t, pid)
	}
}

// All processes end with a client that disconnects without shutdown.
func TestDisconnectEndsAllProcesses(t *testing.T) {
	tools, leveret := compilers(t), binary(t)
	e, p := launch(t, leveret, tools)
	e.open("Vault.sol", vault(true, 0))
	e.until("a finding", func() bool { return e.asserts("Vault.sol") })
	left := children(t, p.cmd.Process.Pid)
	if len(left) == 0 {
		t.Error("no compiler process is running, so this test checks nothing")
	}
	if _, err := e.command(present.CommandStop); err != nil {
		t.Error(err)
	}
	e.kill(p)
	for _, pid := range left {
		gone(t, pid)
	}
	if t.Failed() {
		t.Log(fmt.Sprint(left))
	}
}
