// Package lsptest has the client's side of a session, for tests: a Client of a
// server in a process of its own, and a Mailbox, which is the client of a
// connection in this process.
//
// It knows the protocol and nothing of the server. Client reads and writes
// frames by itself, so that an error in package rpc shows.
package lsptest

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"time"
)

// A Message is a JSON-RPC message in either direction.
type Message struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *Error          `json:"error,omitempty"`
}

// An Error is the error of an answer.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// Object is a JSON object.
type Object = map[string]any

// Options configure a Client. Only Command is required.
type Options struct {
	Command  string   // path of leveret
	Dir      string   // of the process
	Env      []string // of the process
	Stderr   io.Writer
	Settings string        // JSON, the answer to workspace/configuration; empty: null
	Receive  func(Message) // called for each message of the server, in order and under the Client's lock
	Patience time.Duration // limit of each wait; 0 means one minute
}

// A Client starts a server and speaks to it over stdio. Its methods are safe
// for concurrent use.
type Client struct {
	Process *os.Process
	options Options
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *os.File
	writing sync.Mutex
	listen  sync.Once
	ended   chan struct{} // closed when the process has ended
	read    chan struct{} // closed when all its output is read

	mu      sync.Mutex
	changed chan struct{}      // closed at the next message
	answers map[string]Message // by id
	next    int
}

// ErrTimeout is the error of a wait that lasts too long.
var ErrTimeout = errors.New("no answer in time")

// Start starts the server. The client reads nothing before Listen, Call or
// Wait. The process is killed when ctx is done.
func Start(ctx context.Context, o Options) (*Client, error) {
	if o.Patience == 0 {
		o.Patience = time.Minute
	}
	if o.Settings == "" {
		o.Settings = "null"
	}
	c := &Client{
		options: o, cmd: exec.CommandContext(ctx, o.Command, "lsp"),
		ended: make(chan struct{}), read: make(chan struct{}), changed: make(chan struct{}), answers: map[string]Message{},
	}
	c.cmd.Dir, c.cmd.Env, c.cmd.Stderr = o.Dir, o.Env, o.Stderr
	var err error
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	// Not StdoutPipe: Wait would close it before everything is read.
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	c.out, c.cmd.Stdout = read, write
	err = c.cmd.Start()
	write.Close()
	if err != nil {
		read.Close()
		return nil, err
	}
	c.Process = c.cmd.Process
	go func() {
		_ = c.cmd.Wait()
		close(c.ended)
	}()
	return c, nil
}

// Listen starts reading.
func (c *Client) Listen() { c.listen.Do(func() { go c.receive() }) }

func (c *Client) receive() {
	defer close(c.read)
	in := bufio.NewReaderSize(c.out, 1<<20)
	for {
		m, err := readMessage(in)
		if err != nil {
			return
		}
		c.take(m)
	}
}

func readMessage(in *bufio.Reader) (m Message, err error) {
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

// take keeps an answer, and answers a request.
func (c *Client) take(m Message) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case m.Method != "" && len(m.ID) > 0:
		go func() { _ = c.reply(m) }()
	case m.Method == "" && len(m.ID) > 0 && m.ID[0] == '"': // others do not answer Call
		c.answers[string(m.ID)] = m
	}
	if c.options.Receive != nil {
		c.options.Receive(m)
	}
	close(c.changed)
	c.changed = make(chan struct{})
}

// reply answers a request of the server: every edit is applied and every
// document is shown.
func (c *Client) reply(m Message) error {
	result := "null"
	switch m.Method {
	case "workspace/configuration":
		result = "[" + c.options.Settings + "]"
	case "workspace/applyEdit":
		result = `{"applied":true}`
	case "window/showDocument":
		result = `{"success":true}`
	}
	return c.Send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result))
}

// Frame returns a message with its header.
func Frame(body string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body) }

// Send sends one message, which may be malformed.
func (c *Client) Send(body string) error { return c.Write(Frame(body)) }

// Write sends raw bytes.
func (c *Client) Write(text string) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	_, err := io.WriteString(c.in, text)
	return err
}

// CloseInput ends the server's input.
func (c *Client) CloseInput() { _ = c.in.Close() }

func (c *Client) send(id, method string, params any) error {
	m := Message{JSONRPC: "2.0", Method: method}
	if id != "" {
		m.ID = json.RawMessage(id)
	}
	if params != nil {
		raw, err := json.Marshal(params)
		if err != nil {
			return err
		}
		m.Params = raw
	}
	body, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return c.Send(string(body))
}

// Notify sends a notification.
func (c *Client) Notify(method string, params any) error { return c.send("", method, params) }

// Ask sends a request and returns the answer, which may be an error.
func (c *Client) Ask(ctx context.Context, method string, params any) (Message, error) {
	c.mu.Lock()
	c.next++
	id := strconv.Quote(fmt.Sprintf("lsptest-%d", c.next))
	c.mu.Unlock()
	if err := c.send(id, method, params); err != nil {
		return Message{}, fmt.Errorf("%s: %w", method, err)
	}
	m, err := c.Answer(ctx, id)
	if err != nil {
		err = fmt.Errorf("%s: %w", method, err)
	}
	return m, err
}

// Answer waits for the answer to a request with an id, which must be a JSON
// string.
func (c *Client) Answer(ctx context.Context, id string) (m Message, err error) {
	err = c.Wait(ctx, func() bool {
		answer, ok := c.answers[id]
		if ok {
			m = answer
			delete(c.answers, id)
		}
		return ok
	})
	return m, err
}

// Call sends a request and decodes the result of the answer, unless result is
// nil. An error in the answer is an error.
func (c *Client) Call(ctx context.Context, method string, params, result any) error {
	m, err := c.Ask(ctx, method, params)
	switch {
	case err != nil:
		return err
	case m.Error != nil:
		return fmt.Errorf("%s: %s", method, m.Error.Message)
	case result == nil:
		return nil
	}
	return json.Unmarshal(m.Result, result)
}

// Wait waits until a condition holds. It calls done under the Client's lock,
// after each message.
func (c *Client) Wait(ctx context.Context, done func() bool) error {
	c.Listen()
	timer := time.NewTimer(c.options.Patience)
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
		case <-c.read:
			c.Do(func() { ok = done() }) // after the last message
			if ok {
				return nil
			}
			return errors.New("the server ended")
		case <-timer.C:
			return ErrTimeout
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Do calls f under the Client's lock.
func (c *Client) Do(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f()
}

// Initialize starts the session.
func (c *Client) Initialize(ctx context.Context, params, result any) error {
	if err := c.Call(ctx, "initialize", params, result); err != nil {
		return err
	}
	return c.Notify("initialized", Object{})
}

// Open sends textDocument/didOpen.
func (c *Client) Open(path string, version int, text string) error {
	return c.Notify("textDocument/didOpen", Object{"textDocument": Object{
		"uri": URI(path), "languageId": "solidity", "version": version, "text": text,
	}})
}

// Change sends textDocument/didChange with a whole text.
func (c *Client) Change(path string, version int, text string) error {
	return c.Notify("textDocument/didChange", Object{
		"textDocument":   Object{"uri": URI(path), "version": version},
		"contentChanges": []any{Object{"text": text}},
	})
}

// Save sends textDocument/didSave.
func (c *Client) Save(path string) error {
	return c.Notify("textDocument/didSave", Object{"textDocument": Object{"uri": URI(path)}})
}

// Quit sends shutdown and exit and returns the exit code. It kills a server
// that does not end.
func (c *Client) Quit(ctx context.Context) (int, error) {
	if err := c.Call(ctx, "shutdown", nil, nil); err != nil {
		c.Kill()
		return -1, err
	}
	if err := c.Notify("exit", nil); err != nil {
		c.Kill()
		return -1, err
	}
	return c.Exit(ctx)
}

// Exit waits for the end of the process and returns its exit code.
func (c *Client) Exit(ctx context.Context) (int, error) {
	select {
	case <-c.ended:
		c.close()
		return c.cmd.ProcessState.ExitCode(), nil
	case <-time.After(c.options.Patience):
	case <-ctx.Done():
	}
	c.Kill()
	return -1, errors.New("the server did not exit")
}

// Ended is closed when the process has ended.
func (c *Client) Ended() <-chan struct{} { return c.ended }

// Kill ends the process by SIGKILL and waits for it.
func (c *Client) Kill() {
	_ = c.Process.Kill()
	<-c.ended
	c.close()
}

// close closes the pipes of an ended process once its output is read.
func (c *Client) close() {
	_ = c.in.Close()
	c.Listen()
	select {
	case <-c.read:
	case <-time.After(time.Second): // a descendant holds the output open
	}
	_ = c.out.Close()
}

// URI returns the URI of a file.
func URI(path string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String()
}
