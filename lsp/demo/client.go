package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"time"
)

// patience bounds how long the client waits for anything.
const patience = 60 * time.Second

// A message is one frame of JSON-RPC, either way.
type message struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// A client speaks to one server. It is written from the specification alone,
// so that what it shows is what any editor would be told.
type client struct {
	cmd *exec.Cmd
	in  io.WriteCloser

	mu      sync.Mutex
	changed *sync.Cond
	answers map[string]message // by id
	latest  map[string]json.RawMessage
	edits   []json.RawMessage
	history []string // of the status bar
	next    int
	gone    error
	late    bool
}

// start runs the server.
func start(path string, env ...string) (*client, error) {
	c := &client{cmd: exec.Command(path, "lsp"), answers: map[string]message{}, latest: map[string]json.RawMessage{}}
	c.changed = sync.NewCond(&c.mu)
	c.cmd.Env = append(os.Environ(), env...)
	in, err := c.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.in = in
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	go c.read(bufio.NewReader(out))
	return c, nil
}

// read takes in what the server says until it says no more.
func (c *client) read(r *bufio.Reader) {
	for {
		m, err := readFrame(r)
		c.mu.Lock()
		if err != nil {
			c.gone = err
			c.changed.Broadcast()
			c.mu.Unlock()
			return
		}
		switch {
		case m.Method == "":
			c.answers[string(m.ID)] = m
		case len(m.ID) > 0: // a request of the server's
			c.reply(m)
		}
		if m.Method != "" {
			c.latest[m.Method] = m.Params
			if m.Method == "leveret/status" {
				c.history = append(c.history, string(m.Params))
			}
		}
		c.changed.Broadcast()
		c.mu.Unlock()
	}
}

// reply answers what servers ask of editors: it makes every edit, shows every
// document and has no settings.
func (c *client) reply(m message) {
	result := json.RawMessage("null")
	switch m.Method {
	case "workspace/applyEdit":
		c.edits = append(c.edits, m.Params)
		result = json.RawMessage(`{"applied":true}`)
	case "window/showDocument":
		result = json.RawMessage(`{"success":true}`)
	}
	_ = c.write(message{ID: m.ID, Result: result})
}

func readFrame(r *bufio.Reader) (m message, err error) {
	header, err := textproto.NewReader(r).ReadMIMEHeader()
	if err != nil {
		return m, err
	}
	n, err := strconv.Atoi(header.Get("Content-Length"))
	if err != nil {
		return m, err
	}
	body := make([]byte, n)
	if _, err := io.ReadFull(r, body); err != nil {
		return m, err
	}
	return m, json.Unmarshal(body, &m)
}

func (c *client) write(m message) error {
	m.JSONRPC = "2.0"
	body, err := json.Marshal(m)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.in, "Content-Length: %d\r\n\r\n%s", len(body), body)
	return err
}

// notify sends a notification.
func (c *client) notify(method string, params any) error {
	raw, err := json.Marshal(params)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.write(message{Method: method, Params: raw})
}

// call sends a request and waits for the answer.
func (c *client) call(method string, params, result any) error {
	raw, err := json.Marshal(params)
	if err != nil {
		return err
	}
	c.mu.Lock()
	c.next++
	id := strconv.Itoa(c.next)
	err = c.write(message{ID: json.RawMessage(id), Method: method, Params: raw})
	c.mu.Unlock()
	if err != nil {
		return err
	}
	var answer message
	if err := c.until(method, func() (ok bool) { answer, ok = c.answers[id]; return ok }); err != nil {
		return err
	}
	if answer.Error != nil {
		return fmt.Errorf("%s: %s", method, answer.Error.Message)
	}
	if result == nil {
		return nil
	}
	return json.Unmarshal(answer.Result, result)
}

// until waits for something to be true of what was received.
func (c *client) until(what string, ok func() bool) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.late = false
	timer := time.AfterFunc(patience, func() {
		c.mu.Lock()
		c.late = true
		c.changed.Broadcast()
		c.mu.Unlock()
	})
	defer timer.Stop()
	for !ok() {
		switch {
		case c.gone != nil:
			return fmt.Errorf("%s: the server went away: %w", what, c.gone)
		case c.late:
			return fmt.Errorf("%s: nothing came in %v", what, patience)
		}
		c.changed.Wait()
	}
	return nil
}

// quit says goodbye and waits for the server to end.
func (c *client) quit() error {
	if err := c.call("shutdown", nil, nil); err != nil {
		return err
	}
	if err := c.notify("exit", nil); err != nil {
		return err
	}
	return c.cmd.Wait()
}
