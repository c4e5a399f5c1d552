// Package daptest drives a debug adapter as an editor does, for tests.
package daptest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-dap"
)

// A Dict is an object of the protocol.
type Dict = map[string]any

// A Client sends requests and reads what comes back. It belongs to the goroutine of
// the test.
type Client struct {
	t      testing.TB
	to     io.Writer
	from   *bufio.Reader
	seq    int
	events []Dict // that were not awaited yet
}

// New returns a client of the adapter at the other end of two streams.
func New(t testing.TB, to io.Writer, from io.Reader) *Client {
	return &Client{t: t, to: to, from: bufio.NewReader(from)}
}

// Read returns the next message, which must be one of the protocol.
func (c *Client) Read() (m Dict) {
	c.t.Helper()
	text, err := dap.ReadBaseMessage(c.from)
	if err == nil {
		err = json.Unmarshal(text, &m)
	}
	if err != nil {
		c.t.Fatal(err)
	}
	if _, err := dap.DecodeProtocolMessage(text); err != nil && m["success"] != false {
		c.t.Errorf("not a message of the protocol: %v\n%s", err, text)
	}
	return m
}

// Write sends a frame with any text.
func (c *Client) Write(text string) {
	c.t.Helper()
	c.WriteRaw(fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(text), text))
}

// WriteRaw sends bytes that need not be a frame.
func (c *Client) WriteRaw(text string) {
	c.t.Helper()
	if _, err := io.WriteString(c.to, text); err != nil {
		c.t.Fatal(err)
	}
}

// Send sends a request and returns its response.
func (c *Client) Send(command string, arguments any) Dict {
	c.t.Helper()
	c.seq++
	text, err := json.Marshal(Dict{"seq": c.seq, "type": "request", "command": command, "arguments": arguments})
	if err != nil {
		c.t.Fatal(err)
	}
	c.Write(string(text))
	return c.Response(c.seq)
}

// Response waits for the response to a request.
func (c *Client) Response(seq int) Dict {
	c.t.Helper()
	for {
		m := c.Read()
		if m["type"] == "event" {
			c.events = append(c.events, m)
			continue
		}
		if m["request_seq"] != float64(seq) {
			c.t.Fatalf("response to %v, want to %d: %v", m["request_seq"], seq, m)
		}
		return m
	}
}

// Ask is Send of a request that must succeed. It returns the body.
func (c *Client) Ask(command string, arguments any) Dict {
	c.t.Helper()
	m := c.Send(command, arguments)
	if m["success"] != true {
		c.t.Fatalf("%s %v fails: %v", command, arguments, m["message"])
	}
	body, _ := m["body"].(Dict)
	return body
}

// Refused checks that a request fails with a message of one line that contains a text.
func (c *Client) Refused(command string, arguments any, text string) {
	c.t.Helper()
	m := c.Send(command, arguments)
	message, _ := m["message"].(string)
	if m["success"] != false || !strings.Contains(message, text) || strings.Contains(message, "\n") {
		c.t.Errorf("%s %.200v: %v, want a refusal with %q", command, arguments, m, text)
	}
}

// Event returns the body of the next event with a name.
func (c *Client) Event(name string) Dict {
	c.t.Helper()
	for {
		for i, e := range c.events {
			if e["event"] == name {
				c.events = append(c.events[:i:i], c.events[i+1:]...)
				body, _ := e["body"].(Dict)
				return body
			}
		}
		c.events = append(c.events, c.Read())
	}
}

// Output returns the texts of the outputs that came and were not awaited.
func (c *Client) Output() (list []string) {
	var others []Dict
	for _, e := range c.events {
		if e["event"] != "output" {
			others = append(others, e)
			continue
		}
		list = append(list, e["body"].(Dict)["output"].(string))
	}
	c.events = others
	return list
}

// Launch starts a session and returns the first stop. It calls configure, which sets
// breakpoints, before that.
func (c *Client) Launch(arguments Dict, configure ...func()) Dict {
	c.t.Helper()
	c.Ask("initialize", Dict{"adapterID": "leveret", "linesStartAt1": true, "columnsStartAt1": true, "pathFormat": "path"})
	c.Ask("launch", arguments)
	c.Event("initialized")
	for _, f := range configure {
		f()
	}
	c.Ask("configurationDone", Dict{})
	return c.Event("stopped")
}

// List returns the objects of a list in the body of a response.
func List(body Dict, name string) (list []Dict) {
	all, _ := body[name].([]any)
	for _, x := range all {
		list = append(list, x.(Dict))
	}
	return list
}

// Stack returns the frames.
func (c *Client) Stack() []Dict {
	c.t.Helper()
	return List(c.Ask("stackTrace", Dict{"threadId": 1}), "stackFrames")
}

// At checks the lines of the stack after a stop.
func (c *Client) At(when string, lines ...float64) []Dict {
	c.t.Helper()
	list := c.Stack()
	var have []float64
	for _, f := range list {
		have = append(have, f["line"].(float64))
	}
	if !reflect.DeepEqual(have, lines) {
		c.t.Fatalf("%s: stopped at lines %v, want %v", when, have, lines)
	}
	return list
}

// Move makes a move and waits for the stop.
func (c *Client) Move(command string, arguments Dict) Dict {
	c.t.Helper()
	arguments["threadId"] = 1
	c.Ask(command, arguments)
	return c.Event("stopped")
}

// Value returns the result of an expression.
func (c *Client) Value(expression string) any {
	c.t.Helper()
	return c.Ask("evaluate", Dict{"expression": expression, "context": "watch"})["result"]
}
