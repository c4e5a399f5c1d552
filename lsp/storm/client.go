package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"leveret/lsp/lsptest"
)

// patience bounds every wait, with a margin for a busy machine.
const patience = 60 * time.Second

// marker is an environment variable that identifies the descendants of a
// process.
const marker = "LEVERET_STORM"

// A client is a Client of `leveret lsp` that inspects the server's process.
type client struct {
	*lsptest.Client
	settings json.RawMessage
	mark     string // value of the marker
	stderr   *sink

	diagnose map[string]json.RawMessage // diagnostics by URI; under Client's lock
}

// A sink counts what is written to it and keeps its end.
type sink struct {
	mu      sync.Mutex
	written int
	last    []byte
}

const sinkSize = 1 << 20

func (s *sink) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.written += len(b)
	s.last = append(s.last, b...)
	if extra := len(s.last) - sinkSize; extra > 0 {
		s.last = append(s.last[:0], s.last[extra:]...)
	}
	return len(b), nil
}

func (s *sink) read() (text string, written int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return string(s.last), s.written
}

// environ returns an environment with home and cache below a folder.
func environ(home string, more ...string) []string {
	return append([]string{"HOME=" + home, "XDG_CACHE_HOME=" + filepath.Join(home, "cache"), "TMPDIR=" + home,
		"HTTPS_PROXY=http://127.0.0.1:1", "HTTP_PROXY=http://127.0.0.1:1", "PATH=" + os.Getenv("PATH")}, more...)
}

// startClient starts the server. Nothing is read before the first request.
func startClient(ctx context.Context, o options, env []string, settings string) (*client, error) {
	c := &client{
		settings: json.RawMessage(settings), stderr: new(sink), diagnose: map[string]json.RawMessage{},
		mark: fmt.Sprintf("%d.%d", os.Getpid(), time.Now().UnixNano()),
	}
	var err error
	c.Client, err = lsptest.Start(ctx, lsptest.Options{
		Command: o.leveret, Env: append(slices.Clone(env), marker+"="+c.mark), Stderr: c.stderr, Settings: settings,
		Receive: c.receive, Patience: patience,
	})
	return c, err
}

func (c *client) receive(m lsptest.Message) {
	var p struct {
		URI         string
		Diagnostics json.RawMessage
	}
	if m.Method == "textDocument/publishDiagnostics" && json.Unmarshal(m.Params, &p) == nil {
		c.diagnose[p.URI] = p.Diagnostics
	}
}

// initialize starts a session in a folder.
func (c *client) initialize(ctx context.Context, dir string) error {
	return c.Initialize(ctx, lsptest.Object{
		"processId": nil, "rootUri": lsptest.URI(dir), "initializationOptions": c.settings,
		"capabilities": lsptest.Object{"workspace": lsptest.Object{"configuration": true, "applyEdit": true}},
	}, nil)
}

// goroutines ends the process by SIGQUIT and counts its goroutines.
func (c *client) goroutines() (int, error) {
	if err := c.Process.Signal(syscall.SIGQUIT); err != nil {
		return 0, err
	}
	<-c.Ended()
	text, _ := c.stderr.read()
	n := strings.Count(text, "\ngoroutine ")
	if n == 0 {
		return 0, errors.New("the server did not list its goroutines")
	}
	return n, nil
}

// peak returns the peak memory of the process in MB; 0 if unknown.
func (c *client) peak() int { return memoryOf(c.Process.Pid) >> 20 }

// files counts the open files of the process.
func (c *client) files() int {
	list, _ := os.ReadDir(filepath.Join("/proc", strconv.Itoa(c.Process.Pid), "fd"))
	return len(list)
}

func (c *client) family() []string { return descendants(c.Process.Pid, c.mark) }

// descendants lists the processes with a marker, as "pid name", without the
// process that got it.
func descendants(parent int, mark string) []string {
	var list []string
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		pid := filepath.Base(dir)
		environment, err := os.ReadFile(filepath.Join(dir, "environ"))
		if err != nil || pid == strconv.Itoa(parent) {
			continue
		}
		if !bytes.Contains(environment, []byte(marker+"="+mark+"\x00")) {
			continue
		}
		name, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
		list = append(list, pid+" "+strings.ReplaceAll(string(name[:min(len(name), 200)]), "\x00", " "))
	}
	return list
}

func (c *client) remaining() []string { return remaining(c.Process.Pid, c.mark) }

// remaining waits until no descendant is left, and returns those that are.
func remaining(parent int, mark string) []string {
	var left []string
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if left = descendants(parent, mark); len(left) == 0 {
			return nil
		}
	}
	return left
}

// killAll kills the processes that remaining returned.
func killAll(family []string) {
	for _, line := range family {
		pid, _, _ := strings.Cut(line, " ")
		if n, err := strconv.Atoi(pid); err == nil {
			if p, err := os.FindProcess(n); err == nil {
				_ = p.Kill()
			}
		}
	}
}
