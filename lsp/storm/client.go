package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// patience bounds every wait: longer than anything takes on a busy machine.
const patience = 60 * time.Second

// marker names an environment variable that all descendants of a client's
// server have, by which they are found.
const marker = "LEVERET_STORM"

// A client is an editor's side of a running `leveret lsp`.
type client struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    io.ReadCloser
	mark   string // value of the marker
	stderr sink
	ended  chan struct{} // closed when the process has ended
	start  sync.Once     // of reading

	mu       sync.Mutex
	settings json.RawMessage
	answers  map[string]message // by id
	changed  chan struct{}      // closed at the next message
	diagnose map[string]json.RawMessage
	shown    []string // window/showMessage
	count    int      // messages that came
}

type message struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error,omitempty"`
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

// environ returns an environment whose home and cache lie below a folder.
func environ(home string, more ...string) []string {
	return append([]string{"HOME=" + home, "XDG_CACHE_HOME=" + filepath.Join(home, "cache"), "TMPDIR=" + home,
		"HTTPS_PROXY=http://127.0.0.1:1", "HTTP_PROXY=http://127.0.0.1:1", "PATH=" + os.Getenv("PATH")}, more...)
}

// startClient starts the server. Nothing is read before listen.
func startClient(o options, env []string, settings string) (*client, error) {
	c := &client{
		cmd: exec.Command(o.leveret, "lsp"), ended: make(chan struct{}), settings: json.RawMessage(settings),
		mark:    fmt.Sprintf("%d.%d", os.Getpid(), time.Now().UnixNano()),
		answers: map[string]message{}, changed: make(chan struct{}), diagnose: map[string]json.RawMessage{},
	}
	c.cmd.Env = append(slices.Clone(env), marker+"="+c.mark)
	c.cmd.Stderr = &c.stderr
	var err error
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	// Not StdoutPipe: waiting for the process must not close it.
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	c.out, c.cmd.Stdout = read, write
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	write.Close()
	go func() {
		_ = c.cmd.Wait()
		close(c.ended)
	}()
	return c, nil
}

// listen begins to read what the server says.
func (c *client) listen() { c.start.Do(func() { go c.read() }) }

func (c *client) read() {
	in := bufio.NewReaderSize(c.out, 1<<20)
	for {
		m, err := readMessage(in)
		if err != nil {
			return
		}
		c.take(m)
	}
}

func readMessage(in *bufio.Reader) (m message, err error) {
	header, err := textproto.NewReader(in).ReadMIMEHeader()
	if err != nil {
		return m, err
	}
	n, err := strconv.Atoi(header.Get("Content-Length"))
	if err != nil {
		return m, err
	}
	body := make([]byte, n)
	if _, err := io.ReadFull(in, body); err != nil {
		return m, err
	}
	return m, json.Unmarshal(body, &m)
}

// take keeps an answer or a notification and answers a request.
func (c *client) take(m message) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.count++
	switch {
	case m.Method == "":
		if len(m.ID) > 0 && m.ID[0] == '"' { // the others' are not waited for
			c.answers[string(m.ID)] = m
		}
	case len(m.ID) > 0:
		go func() { _ = c.send(c.reply(m)) }()
	default:
		c.note(m)
	}
	close(c.changed)
	c.changed = make(chan struct{})
}

func (c *client) note(m message) {
	switch m.Method {
	case "textDocument/publishDiagnostics":
		var p struct {
			URI         string
			Diagnostics json.RawMessage
		}
		if json.Unmarshal(m.Params, &p) == nil {
			c.diagnose[p.URI] = p.Diagnostics
		}
	case "window/showMessage":
		var p struct{ Message string }
		if json.Unmarshal(m.Params, &p) == nil && len(c.shown) < 1000 {
			c.shown = append(c.shown, p.Message)
		}
	}
}

// reply answers a request of the server's.
func (c *client) reply(m message) string {
	result := "null"
	switch m.Method {
	case "workspace/configuration":
		result = "[" + string(c.settings) + "]"
	case "workspace/applyEdit":
		result = `{"applied":true}`
	case "window/showDocument":
		result = `{"success":true}`
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
}

func frameOf(body string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body) }

// send sends one message.
func (c *client) send(body string) error {
	_, err := io.WriteString(c.in, frameOf(body))
	return err
}

func (c *client) notify(method string, params any) error {
	raw, err := json.Marshal(params)
	if err != nil {
		return err
	}
	return c.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":%q,"params":%s}`, method, raw))
}

var errPatience = errors.New("no answer in time")

// wait waits until a condition holds of what came. done is called with the
// client locked.
func (c *client) wait(ctx context.Context, done func() bool) error {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	for {
		c.mu.Lock()
		ok, changed := done(), c.changed
		c.mu.Unlock()
		if ok {
			return nil
		}
		select {
		case <-changed:
		case <-c.ended:
			time.Sleep(100 * time.Millisecond) // what is left is read
			c.mu.Lock()
			ok := done()
			c.mu.Unlock()
			if ok {
				return nil
			}
			return fmt.Errorf("the server ended: %v", c.cmd.ProcessState)
		case <-timer.C:
			return errPatience
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// call sends a request with an id of its own and waits for the answer.
func (c *client) call(ctx context.Context, id, method, params string) (message, error) {
	c.listen()
	key := strconv.Quote(id)
	if err := c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, key, method, params)); err != nil {
		return message{}, err
	}
	return c.answer(ctx, key)
}

func (c *client) answer(ctx context.Context, key string) (m message, err error) {
	err = c.wait(ctx, func() bool {
		got, ok := c.answers[key]
		if ok {
			m = got
			delete(c.answers, key)
		}
		return ok
	})
	return m, err
}

// initialize begins a session in a folder.
func (c *client) initialize(ctx context.Context, dir string) error {
	params := fmt.Sprintf(`{"processId":null,"rootUri":%q,"capabilities":{"workspace":{"configuration":true,"applyEdit":true}},"initializationOptions":%s}`, fileURI(dir), c.settings)
	m, err := c.call(ctx, "initialize", "initialize", params)
	if err == nil && m.Error != nil {
		err = errors.New(m.Error.Message)
	}
	if err != nil {
		return fmt.Errorf("initialize: %w", err)
	}
	return c.notify("initialized", struct{}{})
}

// open opens a file.
func (c *client) open(path, text string) error {
	return c.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
		"uri": fileURI(path), "languageId": "solidity", "version": 1, "text": text}})
}

// quit ends the session as the protocol says and returns the exit code.
func (c *client) quit(ctx context.Context) (int, error) {
	if _, err := c.call(ctx, "quit", "shutdown", "null"); err != nil {
		c.kill()
		return -1, fmt.Errorf("shutdown: %w", err)
	}
	if err := c.send(`{"jsonrpc":"2.0","method":"exit"}`); err != nil {
		c.kill()
		return -1, err
	}
	return c.exit(ctx)
}

// exit waits for the end of the process.
func (c *client) exit(ctx context.Context) (int, error) {
	defer c.out.Close()
	select {
	case <-c.ended:
		return c.cmd.ProcessState.ExitCode(), nil
	case <-time.After(patience):
	case <-ctx.Done():
	}
	c.kill()
	return -1, errors.New("the server did not exit")
}

// kill ends the process as the kernel does.
func (c *client) kill() {
	_ = c.cmd.Process.Kill()
	<-c.ended
	_ = c.in.Close()
	_ = c.out.Close()
}

// goroutines ends the process and counts its goroutines.
func (c *client) goroutines() (int, error) {
	if err := c.cmd.Process.Signal(syscall.SIGQUIT); err != nil {
		return 0, err
	}
	<-c.ended
	_ = c.in.Close()
	_ = c.out.Close()
	text, _ := c.stderr.read()
	n := strings.Count(text, "\ngoroutine ")
	if n == 0 {
		return 0, errors.New("the server did not list its goroutines")
	}
	return n, nil
}

func (c *client) proc(name string) string {
	return filepath.Join("/proc", strconv.Itoa(c.cmd.Process.Pid), name)
}

// peak returns the most memory that the process had, in MB; 0 where that
// cannot be told.
func (c *client) peak() int {
	text, _ := os.ReadFile(c.proc("status"))
	_, rest, _ := bytes.Cut(text, []byte("VmHWM:"))
	var kb int
	_, _ = fmt.Sscan(string(rest), &kb)
	return kb >> 10
}

// files counts the open files of the process.
func (c *client) files() int {
	list, _ := os.ReadDir(c.proc("fd"))
	return len(list)
}

// family lists the processes that descend from the server, as "pid name",
// without the server itself.
func (c *client) family() []string {
	var list []string
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		pid := filepath.Base(dir)
		environment, err := os.ReadFile(filepath.Join(dir, "environ"))
		if err != nil || pid == strconv.Itoa(c.cmd.Process.Pid) {
			continue
		}
		if !bytes.Contains(environment, []byte(marker+"="+c.mark+"\x00")) {
			continue
		}
		name, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
		list = append(list, pid+" "+strings.ReplaceAll(string(name[:min(len(name), 200)]), "\x00", " "))
	}
	return list
}

// childless waits until no descendant is left, and returns those that are.
func (c *client) childless() []string {
	var left []string
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if left = c.family(); len(left) == 0 {
			return nil
		}
	}
	return left
}

// endAll kills what childless returned, so that it does not outlive the storm.
func endAll(family []string) {
	for _, line := range family {
		pid, _, _ := strings.Cut(line, " ")
		if n, err := strconv.Atoi(pid); err == nil {
			if p, err := os.FindProcess(n); err == nil {
				_ = p.Kill()
			}
		}
	}
}

func fileURI(path string) string { return "file://" + filepath.ToSlash(path) }
